// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/record_file.h"

#include <android-base/file.h>
#include <android-base/logging.h>
#include <android-base/strings.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/atomic_file.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::Split;
using android::base::unique_fd;
using Record = RecordFile::Record;

constexpr char kHeader[] = "storekeeper-records 1";
// Names of the kinds, indexed by RecordKind.
constexpr const char* kKinds[] = {"state",    "cursors", "alerts", "receipt",
                                  "discards", "chips",   "actions"};
constexpr size_t kChecksumDigits = 16;

std::string Line(const std::string& kind, const std::string& payload) {
    return kind + " " + Fnv1aHex(kind + " " + payload) + " " + payload;
}

std::string Lines(const std::vector<Record>& records) {
    std::string lines;
    for (const Record& record : records) {
        lines += Line(kKinds[static_cast<size_t>(record.kind)], record.payload) + "\n";
    }
    return lines;
}

// Adds a record and removes records that are no longer in force. False if the record is too long.
bool AddRecord(const Record& record, std::vector<Record>* records) {
    if (record.payload.size() > RecordFile::kMaxPayloadBytes) return false;
    records->push_back(record);
    const size_t most = record.kind == RecordKind::kReceipt ? RecordFile::kMaxReceipts : 1;
    size_t count = 0;
    size_t bytes = 0;
    for (size_t i = records->size(); i-- > 0;) {
        const Record& other = (*records)[i];
        if (other.kind != record.kind) continue;
        bytes += other.payload.size();
        if (++count > most || bytes > RecordFile::kMaxReceiptBytes) {
            records->erase(records->begin() + static_cast<ptrdiff_t>(i));
        }
    }
    return true;
}

// Overwrites padding of the file, so that only data changes, not its size or its blocks.
Result<void> WriteOverPadding(Syscalls& calls, const std::string& path, size_t at,
                              const std::string& lines) {
    const unique_fd fd = TRY(OpenStateFile(calls, path, O_WRONLY));
    if (TRY(WithPath(path, calls.Fstat(fd))).st_size < static_cast<off_t>(at + lines.size())) {
        return Error() << "no room in " << path;
    }
    TRY(WriteFullyAt(calls, fd, lines, static_cast<off_t>(at), path));
    return WithPath(path, calls.Fdatasync(fd));
}

}  // namespace

Result<RecordFile::Parsed> RecordFile::Parse(std::string_view text) {
    const std::vector<std::string> lines = Split(std::string(WithoutPadding(text)), "\n");
    if (lines.front() != kHeader) return Error() << "it does not begin with '" << kHeader << "'";
    Parsed parsed;
    for (size_t i = 1; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        if (line.empty()) continue;
        const size_t kind_end = std::min(line.find(' '), line.size());
        const size_t payload = std::min(kind_end + kChecksumDigits + 2, line.size());
        const std::string name = line.substr(0, kind_end);
        Record record = {.kind = {}, .payload = line.substr(payload)};
        if (Line(name, record.payload) != line) {
            ++parsed.damaged;
            continue;
        }
        const auto kind = std::find(std::begin(kKinds), std::end(kKinds), name);
        if (kind == std::end(kKinds)) continue;
        record.kind = static_cast<RecordKind>(kind - std::begin(kKinds));
        if (!AddRecord(record, &parsed.records)) ++parsed.damaged;
    }
    return parsed;
}

std::string RecordFile::Format(const std::vector<Record>& records) {
    return std::string(kHeader) + "\n" + Lines(records);
}

RecordFile::RecordFile(Syscalls& calls, std::string path)
      : calls_(calls), path_(std::move(path)), folder_(android::base::Dirname(path_)) {
    static_cast<void>(Load());
}

Result<void> RecordFile::Load() {
    MutexLock writing(write_lock_);
    return LoadOnce();
}

Result<void> RecordFile::LoadOnce() {
    if (loaded_) return {};
    std::vector<Record> stored = TRY(ReadRecords());
    loaded_ = true;
    {
        MutexLock guard(lock_);
        // Records added before the file could be read are newer than those in it.
        for (const Record& record : pending_) AddRecord(record, &stored);
        records_ = std::move(stored);
    }
    if (!rewrite_) return {};
    if (Result<void> written = WritePending(); !written.ok()) {
        LOG(ERROR) << written.error().message();
    }
    return {};
}

Result<std::vector<Record>> RecordFile::ReadRecords() {
    const Result<std::string> text = ReadStateFile(calls_, path_);
    if (!text.ok() && text.error().code() == ENOENT) {
        // If the folder is missing, its file system may not be mounted yet.
        TRY(calls_.Access(folder_, F_OK));
        return std::vector<Record>();
    }
    if (!text.ok() && !IsUnusable(text.error())) return android::base::unexpected(text.error());
    Result<Parsed> parsed =
            text.ok() ? Parse(*text) : Result<Parsed>(android::base::unexpected(text.error()));
    if (!parsed.ok()) {
        AddNote("The memory of earlier runs was lost: " + path_ + " could not be used (" +
                parsed.error().message() + ")" + MakeRoom(calls_, path_));
        return std::vector<Record>();
    }
    end_ = WithoutPadding(*text).size();
    if (parsed->damaged != 0) {
        rewrite_ = true;
        AddNote(path_ + ": " + std::to_string(parsed->damaged) +
                (parsed->damaged == 1 ? " damaged line is skipped" : " damaged lines are skipped"));
    }
    return std::move(parsed->records);
}

void RecordFile::Put(RecordKind kind, std::string payload) {
    std::replace(payload.begin(), payload.end(), '\n', ' ');
    if (kind != RecordKind::kReceipt && payload == Last(kind)) return;
    const Record record = {.kind = kind, .payload = std::move(payload)};
    MutexLock guard(lock_);
    if (!AddRecord(record, &records_) || !AddRecord(record, &pending_)) {
        LOG(ERROR) << "a record of " << record.payload.size() << " bytes is not kept";
    }
}

Result<void> RecordFile::Write() {
    MutexLock writing(write_lock_);
    TRY(LoadOnce());
    return WritePending();
}

Result<void> RecordFile::WritePending() {
    std::string added;
    {
        MutexLock guard(lock_);
        added = Lines(std::exchange(pending_, {}));
    }
    if (added.empty() && !rewrite_) return {};
    // end_ is 0 if no usable file existed.
    if (!rewrite_ && end_ != 0 && WriteOverPadding(calls_, path_, end_, added).ok()) {
        end_ += added.size();
        return {};
    }
    rewrite_ = true;
    std::string all;
    {
        MutexLock guard(lock_);
        // records_ includes the records added since pending_ was emptied above.
        pending_.clear();
        all = Format(records_);
    }
    TRY(ReplaceFile(calls_, path_, all, kFileBytes));
    rewrite_ = false;
    end_ = all.size();
    return {};
}

Result<void> RecordFile::CheckWritable() const {
    // O_NONBLOCK: a fifo in place of the file must not block the caller.
    const Result<unique_fd> fd = calls_.Open(path_, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
    int error = 0;
    if (!fd.ok()) error = fd.error().code();
    // Write() replaces a file that is absent or not regular, so these errors are no obstacle.
    if (error != 0 && error != ENOENT && error != ELOOP && error != ENXIO && error != EISDIR) {
        return android::base::unexpected(fd.error());
    }
    return calls_.Access(folder_, W_OK);
}

std::string RecordFile::Last(RecordKind kind) const {
    const std::vector<std::string> last = Last(kind, 1);
    return last.empty() ? "" : last.front();
}

std::vector<std::string> RecordFile::Last(RecordKind kind, size_t count) const {
    std::vector<std::string> payloads;
    MutexLock guard(lock_);
    for (size_t i = records_.size(); i > 0 && payloads.size() < count; --i) {
        const Record& record = records_[i - 1];
        if (record.kind == kind) payloads.push_back(record.payload);
    }
    return payloads;
}

std::vector<std::string> RecordFile::notes() const {
    MutexLock guard(lock_);
    return notes_;
}

void RecordFile::AddNote(const std::string& note) {
    LOG(WARNING) << note;
    MutexLock guard(lock_);
    notes_.push_back(note);
}

}  // namespace storekeeper
