// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/store.h"

#include <errno.h>

#include <utility>

#include "base/atomic_file.h"
#include "base/try.h"
#include "history/rescue.h"
#include "history/retention.h"
#include "history/tables.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kAside[] = ".aside";
// Suffixes of files that SQLite keeps beside a database.
constexpr const char* kCompanions[] = {"-wal", "-journal", "-shm"};

}  // namespace

HistoryStore::HistoryStore(Syscalls& calls, std::string path, uint64_t max_bytes)
      : calls_(calls), path_(std::move(path)), max_bytes_(max_bytes) {}

bool HistoryStore::Exists(const std::string& path) const {
    return calls_.Lstat(path).ok();
}

Result<void> HistoryStore::OpenAndMigrate() {
    if (!database_.is_open()) {
        is_ready_ = false;
        const Result<struct stat> of = calls_.Lstat(path_);
        // An unknown file counts as old, because a new one is removed if it cannot be prepared.
        is_new_ = of.ok() ? of->st_size == 0 : of.error().code() == ENOENT;
        TRY(database_.Open(path_));
    }
    if (is_ready_) return {};
    Result<void> done = MigrateTables(&database_, max_bytes_);
    // SQLite ignores a failure to sync the directory entry of its log.
    if (done.ok() && is_new_) done = SyncDirectoryOf(calls_, path_);
    is_ready_ = done.ok();
    // After a failed commit of journal_mode=WAL the same connection would take the mode as set.
    if (!done.ok() && is_new_) RemoveNewFile();
    return done;
}

void HistoryStore::RemoveNewFile() {
    database_.Close();
    static_cast<void>(calls_.Remove(path_));
    for (const char* companion : kCompanions) static_cast<void>(calls_.Remove(path_ + companion));
}

// A card that fails once may succeed the second time, and the history is worth a retry. The
// database stays open in between, so that SQLite writes again the pages that it could not sync. A
// new connection would find them in the page cache, where Linux keeps them marked as clean, and
// commit on top of pages that are not on the disk.
Result<void> HistoryStore::RetryOnce(const std::function<Result<void>()>& attempt) {
    for (bool is_last : {false, true}) {
        Result<void> done = OpenAndMigrate();
        if (done.ok()) done = attempt();
        if (done.ok()) return done;
        if (database_.IsStale()) database_.Close();
        if (is_last || database_.blocked()) return done;
    }
    return {};
}

Result<void> HistoryStore::OpenOrReplace(WallTime now) {
    if (database_.is_open() && is_ready_) return {};
    Result<void> opened = RetryOnce([] { return Result<void>(); });
    if (opened.ok() || !IsFileAtFault()) return opened;
    return ReplaceDatabase(opened.error().message(), now);
}

// A trial file distinguishes a damaged history from a disk that is full or fails entirely.
bool HistoryStore::IsFileAtFault() const {
    if (database_.blocked()) return false;
    const std::string trial = path_ + ".trial";
    const bool takes_writes = ReplaceFile(calls_, trial, "\n").ok();
    for (const char* suffix : {"", ".new"}) static_cast<void>(calls_.Remove(trial + suffix));
    return takes_writes;
}

// The database is renamed before its log. In this order a crash leaves a log beside an empty file,
// which SQLite deletes. In the other order SQLite would apply an old log to a file with content.
// Older files with the new names are removed first: a directory cannot be renamed over, and a log
// must not lie beside another file. If one cannot be removed, the rename fails.
Result<void> HistoryStore::SetAside(const std::string& why, Database* damaged) {
    damaged->TakeOver(&database_);
    thinned_before_.reset();
    // If the file is absent, the cause of the error is elsewhere.
    if (!Exists(path_)) return {};
    static_cast<void>(RemoveTree(calls_, path_ + kAside));
    const std::string aside = TRY(SetFileAside(calls_, path_, kAside));
    for (const char* companion : kCompanions) {
        static_cast<void>(RemoveTree(calls_, path_ + companion + kAside));
        if (Exists(path_ + companion)) TRY(SetFileAside(calls_, path_ + companion, kAside));
    }
    note_ = "history was set aside as " + aside + ": " + why;
    return {};
}

Result<void> HistoryStore::ReplaceDatabase(const std::string& why, WallTime now) {
    Database damaged{calls_};
    TRY(SetAside(why, &damaged));
    if (Result<void> opened = OpenAndMigrate(); !opened.ok()) {
        database_.Close();
        return opened;
    }
    if (note_.empty()) return {};
    const std::string begun = note_;
    const auto begin_with = [&](Database* rows) {
        return database_.InTransaction([&]() -> Result<void> {
            note_ = begun + "; " +
                    (rows == nullptr ? "no row of it is kept" : TRY(RescueRows(rows, &database_)));
            return HistoryTables(&database_)
                    .Put(HistoryEvent{.kind = "history_lost", .wall = now, .text = note_});
        });
    };
    // Tables of another program are not copied.
    if (IsHistory(&damaged) && begin_with(&damaged).ok()) return {};
    return begin_with(nullptr);
}

Result<void> HistoryStore::ThinOutIfDue(WallTime now) {
    const int64_t today = DayOf(now);
    const int64_t before = FoldedBefore(today);
    if (thinned_before_ == before && !TRY(IsNearlyFull(&database_, max_bytes_))) return {};
    TRY(database_.InTransaction([&]() -> Result<void> {
        TRY(ThinOut(&database_, today, max_bytes_));
        return {};
    }));
    thinned_before_ = before;
    return {};
}

Result<void> HistoryStore::RunOrReplace(WallTime now, const std::function<Result<void>()>& work) {
    TRY(OpenOrReplace(now));
    const Result<void> done = RetryOnce(work);
    if (done.ok() || !IsFileAtFault()) return done;
    TRY(ReplaceDatabase(done.error().message(), now));
    return work();
}

Result<void> HistoryStore::Write(const HistoryBatch& batch, WallTime now) {
    return RunOrReplace(now, [&]() -> Result<void> {
        // Thinning out comes first, because it makes room.
        TRY(ThinOutIfDue(now));
        TRY(database_.InTransaction([&]() -> Result<void> {
            HistoryTables tables(&database_);
            const int64_t number = TRY(tables.BatchNumber());
            if (number == unconfirmed_batch_) return {};
            unconfirmed_batch_ = number + 1;
            TRY(tables.PutBatchNumber(number + 1));
            for (const WearSample& sample : batch.wear()) TRY(tables.Put(sample));
            for (const auto& [key, row] : batch.latency()) TRY(tables.Put(row));
            for (const UidRow& row : batch.Uids()) TRY(tables.Put(row));
            for (const HistoryEvent& event : batch.events()) TRY(tables.Put(event));
            return {};
        }));
        unconfirmed_batch_.reset();
        return {};
    });
}

Result<HistorySnapshot> HistoryStore::Read(WallTime now) {
    HistorySnapshot snapshot;
    // The file is created when there is something to write.
    if (!database_.is_open() && !Exists(path_)) return snapshot;
    TRY(RunOrReplace(now, [&]() -> Result<void> {
        snapshot = TRY(ReadSnapshot(&database_));
        return {};
    }));
    return snapshot;
}

}  // namespace storekeeper
