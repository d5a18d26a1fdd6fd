// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "service/receipt_store.h"

#include <android-base/strings.h>

#include <algorithm>
#include <utility>

#include "config/json_text.h"
#include "platform/atomic_file.h"
#include "platform/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

Result<Json::Value> ParseReceipt(const std::string& line) {
    Json::Value receipt = TRY(ParseJsonObject(line, {}));
    if (!receipt["mounts"].isArray()) return Error() << "it has no list of mounts";
    return receipt;
}

}  // namespace

ReceiptStore::ReceiptStore(std::string path) : path_(std::move(path)) {
    Result<std::string> text = ReadWholeLines(path_);
    MutexLock guard(lock_);
    rewrite_ = !text.ok() || text->empty();
    if (!text.ok()) return;
    bytes_in_file_ = text->size();
    for (std::string& line : android::base::Split(*text, "\n")) {
        if (ParseReceipt(line).ok()) lines_.push_back(std::move(line));
    }
    while (lines_.size() > kKept) lines_.pop_front();
}

Result<void> ReceiptStore::Append(const Json::Value& receipt) {
    std::string line = WriteJsonLine(receipt);
    line.pop_back();
    MutexLock guard(lock_);
    lines_.push_back(line);
    while (lines_.size() > kKept) lines_.pop_front();
    if (!rewrite_ && bytes_in_file_ + line.size() < kFileBytes) {
        bytes_in_file_ += line.size() + 1;
        Result<void> appended = AppendToFile(path_, line + "\n");
        rewrite_ = !appended.ok();
        return appended;
    }
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
    rewrite_ = !replaced.ok();
    bytes_in_file_ = text.size();
    return replaced;
}

Json::Value ReceiptStore::Last(size_t count) const {
    Json::Value receipts(Json::arrayValue);
    MutexLock guard(lock_);
    const size_t shown = std::min(count, lines_.size());
    for (auto line = lines_.rbegin(); line != lines_.rbegin() + static_cast<ptrdiff_t>(shown);
         ++line) {
        Result<Json::Value> receipt = ParseReceipt(*line);
        if (receipt.ok()) receipts.append(std::move(*receipt));
    }
    return receipts;
}

}  // namespace storekeeper
