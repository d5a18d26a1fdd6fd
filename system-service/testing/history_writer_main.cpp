// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// storekeeper_history_writer writes a history on the virtual phone and checks the result:
//   write PATH BATCH
//       Adds a batch for each day, from this number on, and prints the number of each one that is
//       stored. Ends at the first error.
//   check PATH
//       Prints the number of the last whole batch, 0 if there is none.
//   days PATH DAYS [AFTER]
//       Simulates this many days of daily use and prints the number of flushes. The first day is
//       AFTER days after the clock's beginning.

#include <android-base/parseint.h>
#include <stdio.h>
#include <sysexits.h>
#include <unistd.h>

#include <string>

#include "base/try.h"
#include "history/database.h"
#include "history/history.h"
#include "history/tables.h"
#include "testing/fake_clock.h"
#include "testing/history_use.h"

namespace {

using android::base::Error;
using android::base::Result;
using storekeeper::Database;
using storekeeper::FakeClock;
using storekeeper::History;
using storekeeper::HistoryEvent;
using storekeeper::HistoryTables;
using storekeeper::HistoryUse;
using storekeeper::LinuxSyscalls;

constexpr char kBatch[] = "batch ";

Result<void> Load(History* history) {
    TRY(history->Load());
    if (const auto notes = history->Snapshot()->notes; !notes.empty()) return Error() << notes[0];
    return {};
}

Result<void> WriteFrom(const std::string& path, int64_t batch) {
    FakeClock clock;
    clock.Advance(std::chrono::days(batch));
    LinuxSyscalls calls;
    History history(calls, path, clock);
    HistoryUse use(&history, &clock);
    TRY(Load(&history));
    for (;; ++batch) {
        use.AddDay();
        history.Add(HistoryEvent{.kind = "first_seen",
                                 .wall = clock.Wall(),
                                 .text = kBatch + std::to_string(batch)});
        TRY(history.Flush());
        printf("%lld\n", static_cast<long long>(batch));
        fflush(stdout);
    }
}

Result<void> Check(const std::string& path) {
    LinuxSyscalls calls;
    Database database(calls);
    TRY(database.Open(path));
    auto integrity = TRY(database.Compile("PRAGMA integrity_check"));
    if (!TRY(integrity.Step()) || integrity.Bytes(0) != "ok") {
        return Error() << path << ": integrity_check: " << integrity.Bytes(0);
    }
    if (TRY(database.Number("SELECT count(*) FROM sqlite_master")) == 0) {
        printf("0\n");
        return {};
    }
    HistoryTables tables(&database);
    const auto events = TRY(tables.Events(1));
    const auto wear = TRY(tables.Wear());
    if (events.empty() && wear.empty()) {
        printf("0\n");
        return {};
    }
    if (events.empty() || wear.empty() || events[0].wall != wear.back().sample.wall ||
        !events[0].text.starts_with(kBatch)) {
        return Error() << path << ": half a batch";
    }
    printf("%s\n", events[0].text.substr(std::string(kBatch).size()).c_str());
    return {};
}

Result<void> Live(const std::string& path, int64_t days, int64_t after) {
    FakeClock clock;
    clock.Advance(std::chrono::days(after));
    LinuxSyscalls calls;
    History history(calls, path, clock);
    HistoryUse use(&history, &clock);
    TRY(Load(&history));
    uint64_t flushes = 0;
    for (int64_t day = 0; day < days; ++day) {
        use.Day();
        if (use.flushes() == flushes) continue;
        flushes = use.flushes();
        // Days pass between two flushes, so the file system has written its pending data by then.
        sync();
    }
    if (!use.flushed().ok()) return use.flushed();
    TRY(history.Flush());
    sync();
    printf("flushes %llu\n", static_cast<unsigned long long>(flushes));
    return {};
}

Result<void> Run(const std::string& what, const std::string& path, int64_t number, int64_t after) {
    if (what == "write") return WriteFrom(path, number);
    if (what == "days") return Live(path, number, after);
    if (what == "check") return Check(path);
    return Error() << what << ": write, days or check, please";
}

}  // namespace

int main(int argc, char** argv) {
    int64_t number = 0;
    int64_t after = 0;
    if (argc < 3 || (argc > 3 && !android::base::ParseInt(argv[3], &number, int64_t{0})) ||
        (argc > 4 && !android::base::ParseInt(argv[4], &after, int64_t{0}))) {
        fprintf(stderr, "usage: %s write|check|days PATH [NUMBER [AFTER]]\n", argv[0]);
        return EX_USAGE;
    }
    const Result<void> ran = Run(argv[1], argv[2], number, after);
    if (ran.ok()) return EX_OK;
    fprintf(stderr, "%s\n", ran.error().message().c_str());
    return EX_SOFTWARE;
}
