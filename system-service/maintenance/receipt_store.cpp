// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/receipt_store.h"

#include <android-base/logging.h>
#include <android-base/strings.h>

#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/state_file.h"
#include "base/try.h"
#include "maintenance/receipt_json.h"

namespace storekeeper {

using android::base::Result;

ReceiptStore::ReceiptStore(std::string path) : path_(std::move(path)) {
    MutexLock guard(lock_);
    static_cast<void>(ReadOnce());
}

Result<void> ReceiptStore::ReadOnce() {
    if (read_) return {};
    Result<std::string> text = ReadWholeLines(path_);
    if (!text.ok() && !IsUnusable(text.error())) return text.error();
    read_ = true;
    rewrite_ = !text.ok() || text->empty() || !lines_.empty();
    if (!text.ok()) {
        note_ = "The earlier receipts are lost: " + text.error().message() + MakeRoom(path_);
        LOG(WARNING) << note_;
        return {};
    }
    bytes_in_file_ = text->size();
    std::deque<std::string> stored;
    size_t refused = 0;
    for (std::string& line : android::base::Split(*text, "\n")) {
        if (line.empty()) continue;
        if (ParseReceipt(line).ok()) {
            stored.push_back(std::move(line));
        } else {
            ++refused;
        }
    }
    if (refused != 0) {
        rewrite_ = true;
        note_ = path_ + ": " + std::to_string(refused) +
                (refused == 1 ? " line is not a receipt and is ignored"
                              : " lines are not receipts and are ignored");
        LOG(WARNING) << note_;
    }
    lines_.insert(lines_.begin(), std::make_move_iterator(stored.begin()),
                  std::make_move_iterator(stored.end()));
    while (lines_.size() > kKept) lines_.pop_front();
    return {};
}

Result<void> ReceiptStore::Append(const TrimReceipt& receipt) {
    std::string line = WriteJsonLine(ReceiptToJson(receipt));
    line.pop_back();
    MutexLock guard(lock_);
    lines_.push_back(line);
    while (lines_.size() > kKept) lines_.pop_front();
    owed_ = true;
    TRY(ReadOnce());
    if (!rewrite_ && bytes_in_file_ + line.size() < kFileBytes) {
        bytes_in_file_ += line.size() + 1;
        Result<void> appended = AppendToFile(path_, line + "\n");
        rewrite_ = owed_ = !appended.ok();
        return appended;
    }
    return Rewrite();
}

Result<void> ReceiptStore::WriteWhatIsOwed() {
    MutexLock guard(lock_);
    TRY(ReadOnce());
    if (!owed_) return {};
    return Rewrite();
}

Result<void> ReceiptStore::Rewrite() {
    size_t bytes = 0;
    size_t fit = 0;
    while (fit < lines_.size()) {
        bytes += lines_[lines_.size() - 1 - fit].size() + 1;
        if (fit != 0 && bytes > kFileBytes / 2) break;
        ++fit;
    }
    while (lines_.size() > fit) lines_.pop_front();
    std::string text;
    for (const std::string& kept : lines_) text += kept + "\n";
    Result<void> replaced = ReplaceFile(path_, text, kFileBytes);
    rewrite_ = owed_ = !replaced.ok();
    bytes_in_file_ = text.size();
    return replaced;
}

std::string ReceiptStore::note() const {
    MutexLock guard(lock_);
    return note_;
}

std::vector<TrimReceipt> ReceiptStore::Last(size_t count) const {
    std::vector<TrimReceipt> receipts;
    MutexLock guard(lock_);
    const size_t shown = std::min(count, lines_.size());
    for (auto line = lines_.rbegin(); line != lines_.rbegin() + static_cast<ptrdiff_t>(shown);
         ++line) {
        Result<TrimReceipt> receipt = ParseReceipt(*line);
        if (receipt.ok()) receipts.push_back(std::move(*receipt));
    }
    return receipts;
}

}  // namespace storekeeper
