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
// What SQLite keeps beside a file.
constexpr const char* kCompanions[] = {"-wal", "-journal", "-shm"};

}  // namespace

HistoryStore::HistoryStore(Syscalls& calls, std::string path, uint64_t max_bytes)
      : calls_(calls), path_(std::move(path)), max_bytes_(max_bytes) {}

bool HistoryStore::Exists(const std::string& path) const {
    return calls_.Lstat(path).ok();
}

Result<void> HistoryStore::TryOpen() {
    if (!database_.is_open()) {
        is_ready_ = false;
        const Result<struct stat> of = calls_.Lstat(path_);
        // Not where it is unknown: what is new is removed when it cannot be made ready.
        is_new_ = of.ok() ? of->st_size == 0 : of.error().code() == ENOENT;
        TRY(database_.Open(path_));
    }
    if (is_ready_) return {};
    Result<void> done = BringUpToDate(&database_, max_bytes_);
    // SQLite passes over a failure to sync the name of its log.
    if (done.ok() && is_new_) done = SyncDirectoryOf(calls_, path_);
    is_ready_ = done.ok();
    // A journal_mode=WAL that could not be committed is taken for done by the same connection.
    if (!done.ok() && is_new_) RemoveNew();
    return done;
}

void HistoryStore::RemoveNew() {
    database_.Close();
    static_cast<void>(calls_.Remove(path_));
    for (const char* companion : kCompanions) static_cast<void>(calls_.Remove(path_ + companion));
}

// A card that fails once may not fail the second time, and a history is not given up for that.
// The database stays open in between: SQLite then writes what it could not sync once more. Opened
// anew it would find it in the page cache, where Linux keeps it, marked as written, and commit on
// top of what is not on the disk.
Result<void> HistoryStore::TryTwice(const std::function<Result<void>()>& attempt) {
    for (bool is_last : {false, true}) {
        Result<void> done = TryOpen();
        if (done.ok()) done = attempt();
        if (done.ok()) return done;
        if (database_.IsStale()) database_.Close();
        if (is_last || database_.blocked()) return done;
    }
    return {};
}

Result<void> HistoryStore::Open(WallTime now) {
    if (database_.is_open() && is_ready_) return {};
    Result<void> opened = TryTwice([] { return Result<void>(); });
    if (opened.ok() || !IsFileAtFault()) return opened;
    return BeginAnew(opened.error().message(), now);
}

// A disk that is full or fails altogether says nothing against the file.
bool HistoryStore::IsFileAtFault() const {
    if (database_.blocked()) return false;
    const std::string trial = path_ + ".trial";
    const bool takes_writes = ReplaceFile(calls_, trial, "\n").ok();
    for (const char* suffix : {"", ".new"}) static_cast<void>(calls_.Remove(trial + suffix));
    return takes_writes;
}

// The file first: SQLite deletes a log that lies beside an empty file, but would take an old one
// for the log of a file that has something. The old ones must go before: directories cannot be
// renamed over, and a log must not lie beside another's file. What stays makes the renaming fail.
Result<void> HistoryStore::SetAside(const std::string& why, Database* damaged) {
    damaged->TakeOver(&database_);
    thinned_before_.reset();
    // It was not there: what is wrong is around it.
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

Result<void> HistoryStore::BeginAnew(const std::string& why, WallTime now) {
    Database damaged{calls_};
    TRY(SetAside(why, &damaged));
    if (Result<void> opened = TryOpen(); !opened.ok()) {
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
    // Another program's tables are no rows of ours.
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

Result<void> HistoryStore::WithSecondChance(WallTime now,
                                            const std::function<Result<void>()>& work) {
    TRY(Open(now));
    const Result<void> done = TryTwice(work);
    if (done.ok() || !IsFileAtFault()) return done;
    TRY(BeginAnew(done.error().message(), now));
    return work();
}

Result<void> HistoryStore::Write(const HistoryBatch& batch, WallTime now) {
    return WithSecondChance(now, [&]() -> Result<void> {
        // First: it makes room.
        TRY(ThinOutIfDue(now));
        TRY(database_.InTransaction([&]() -> Result<void> {
            HistoryTables tables(&database_);
            const int64_t number = TRY(tables.BatchNumber());
            if (number == in_doubt_) return {};
            in_doubt_ = number + 1;
            TRY(tables.PutBatchNumber(number + 1));
            for (const WearSample& sample : batch.wear()) TRY(tables.Put(sample));
            for (const auto& [key, row] : batch.latency()) TRY(tables.Put(row));
            for (const UidRow& row : batch.Uids()) TRY(tables.Put(row));
            for (const HistoryEvent& event : batch.events()) TRY(tables.Put(event));
            return {};
        }));
        in_doubt_.reset();
        return {};
    });
}

Result<HistorySnapshot> HistoryStore::Read(WallTime now) {
    HistorySnapshot snapshot;
    // Making it can wait until there is something to write.
    if (!database_.is_open() && !Exists(path_)) return snapshot;
    TRY(WithSecondChance(now, [&]() -> Result<void> {
        snapshot = TRY(ReadSnapshot(&database_));
        return {};
    }));
    return snapshot;
}

}  // namespace storekeeper
