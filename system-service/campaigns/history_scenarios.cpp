// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/parseint.h>

#include "campaigns/scenario.h"
#include "campaigns/sqlite_on.h"
#include "history/database.h"
#include "history/history.h"
#include "history/tables.h"
#include "testing/fake_clock.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kName[] = "history.db";
// A Thursday, on which weeks and months of the history begin.
constexpr int64_t kFirstDay = 28 * 740;
constexpr uint64_t kRequests = 10;
constexpr uint64_t kFilesystemBytes = 1000;
constexpr size_t kVersionWithEvents = 2;

struct Shape {
    std::string name;
    int64_t before = 0;  // batches that exist already
    int64_t steps = 0;
    int64_t days = 1;           // days between two batches
    size_t version = SIZE_MAX;  // version of the existing file; SIZE_MAX: the newest
    bool garbage = false;
    uint64_t max_bytes = HistoryStore::kMaxFileBytes;
};

WallTime TimeOf(int64_t batch, const Shape& shape) {
    return std::chrono::days(kFirstDay + batch * shape.days) + std::chrono::hours(3);
}

// Stores batch after batch: wear, latencies, writers and an event with the batch's number.
class HistoryScenario : public Scenario {
  public:
    HistoryScenario(Shape shape, bool trust_log)
          : shape_(std::move(shape)), trust_log_(trust_log) {}

    std::string name() const override { return shape_.name; }

    DiskImage Begin() override {
        DiskImage image;
        if (shape_.garbage) image.Put(kName, std::string(5000, 'x'));
        if (shape_.before == 0) return image;
        CrashDisk disk;
        std::vector<std::string> errors;
        CrashMarks marks;
        if (shape_.version == SIZE_MAX) {
            Steps(&disk, 1, shape_.before, &marks, &errors);
        } else {
            MakeVersion(&disk);
        }
        return disk.image();
    }

    std::vector<std::string> Work(ScenarioDisk* disk) override {
        std::vector<std::string> errors;
        CrashMarks marks{.begun = shape_.before, .kept = shape_.before};
        disk->Mark(marks);
        Steps(disk, shape_.before + 1, shape_.before + shape_.steps, &marks, &errors);
        return errors;
    }

    std::string Check(ScenarioDisk* disk, const CrashMarks& marks) override {
        const SqliteOn sqlite(*disk, trust_log_);
        FakeClock clock;
        clock.SetWall(TimeOf(marks.begun, shape_));
        History history(*disk, disk->Path(kName), clock, shape_.max_bytes);
        if (const Result<void> loaded = history.Load(); !loaded.ok()) {
            return loaded.error().message();
        }
        const std::shared_ptr<const HistorySnapshot> snapshot = history.Snapshot();
        if (!snapshot->notes.empty() && !shape_.garbage) return snapshot->notes[0];
        return CheckRows(*snapshot, marks);
    }

    std::string GoOn(ScenarioDisk* disk, const CrashMarks& marks) override {
        const SqliteOn sqlite(*disk, trust_log_);
        const int64_t next = marks.begun + 1;
        {
            FakeClock clock;
            History history(*disk, disk->Path(kName), clock, shape_.max_bytes);
            const Result<void> written = Flush(&history, &clock, next);
            if (!written.ok()) return written.error().message();
        }
        Database database(*disk);
        if (const Result<void> opened = database.Open(disk->Path(kName)); !opened.ok()) {
            return opened.error().message();
        }
        const Result<std::string> said = IntegrityOf(&database);
        if (!said.ok()) return said.error().message();
        if (*said != "ok") return "integrity_check: " + *said;
        HistoryTables tables(&database);
        const Result<std::vector<HistoryEvent>> events = tables.Events(1);
        if (!events.ok()) return events.error().message();
        return NumberOf(*events) == next ? "" : "a new batch is lost";
    }

  private:
    // Makes a file of an earlier version, with the rows that its tables accept.
    void MakeVersion(ScenarioDisk* disk) const {
        const SqliteOn sqlite(*disk);
        Database database(*disk);
        static_cast<void>(database.Open(disk->Path(kName)));
        static_cast<void>(database.Prepare(shape_.max_bytes));
        for (size_t i = 0; i < shape_.version; ++i) {
            static_cast<void>(database.Execute(HistoryMigrations()[i]));
        }
        for (const std::string& pragma : {"application_id=" + std::to_string(kHistoryApplicationId),
                                          "user_version=" + std::to_string(shape_.version)}) {
            static_cast<void>(database.Execute("PRAGMA " + pragma));
        }
        HistoryTables tables(&database);
        for (int64_t batch = 1; batch <= shape_.before; ++batch) {
            HistoryBatch rows;
            AddBatch(&rows, batch);
            for (const WearSample& sample : rows.wear()) static_cast<void>(tables.Put(sample));
            for (const auto& [key, row] : rows.latency()) static_cast<void>(tables.Put(row));
            for (const UidRow& row : rows.Uids()) static_cast<void>(tables.Put(row));
            if (shape_.version < kVersionWithEvents) continue;
            for (const HistoryEvent& event : rows.events()) static_cast<void>(tables.Put(event));
        }
    }

    static Result<std::string> IntegrityOf(Database* database) {
        Result<Statement> check = database->Compile("PRAGMA integrity_check");
        if (!check.ok()) return android::base::unexpected(check.error());
        const Result<bool> row = check->Step();
        if (!row.ok()) return android::base::unexpected(row.error());
        return check->Bytes(0);
    }

    // Adds the rows of a batch to a History or a HistoryBatch.
    template <typename Rows>
    void AddBatch(Rows* rows, int64_t batch) const {
        const WallTime wall = TimeOf(batch, shape_);
        rows->Add(WearSample{.wall = wall,
                             .boot_id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
                             .chip = "0123456789abcdef",
                             .source = "sysfs",
                             .wear = {.ext_csd_rev = 8,
                                      .life_time_a = 1,
                                      .life_time_b = 1,
                                      .pre_eol_info = 1},
                             .filesystem_written_bytes =
                                     static_cast<uint64_t>(batch) * kFilesystemBytes});
        for (const LatencySource source : kLatencySources) {
            for (const IoKind kind : kIoKinds) {
                LatencySample sample{.wall = wall,
                                     .span = std::chrono::hours(6),
                                     .source = source,
                                     .kind = kind,
                                     .count = kRequests};
                for (uint64_t i = 0; i < kRequests; ++i) {
                    sample.histogram.Add(std::chrono::nanoseconds(
                            1000 * (i + 1) * (static_cast<uint64_t>(batch) % 7 + 1)));
                }
                sample.total = std::chrono::nanoseconds(kRequests * 1000);
                rows->Add(sample);
            }
        }
        for (uint32_t uid = 0; uid < 12; ++uid) {
            rows->Add(UidRow{.day = DayOf(wall), .uid = 10'000 + uid, .written_bytes = 4096});
        }
        rows->Add(HistoryEvent{.kind = "first_seen",
                               .wall = wall,
                               .text = "batch " + std::to_string(batch)});
    }

    Result<void> Flush(History* history, FakeClock* clock, int64_t batch) const {
        clock->SetWall(TimeOf(batch, shape_));
        AddBatch(history, batch);
        return history->Flush();
    }

    void Steps(ScenarioDisk* disk, int64_t first, int64_t last, CrashMarks* marks,
               std::vector<std::string>* errors) const {
        const SqliteOn sqlite(*disk);
        FakeClock clock;
        clock.SetWall(TimeOf(first, shape_));
        History history(*disk, disk->Path(kName), clock, shape_.max_bytes);
        const Result<void> loaded = history.Load();
        if (!loaded.ok()) errors->push_back(loaded.error().message());
        for (int64_t batch = first; batch <= last; ++batch) {
            marks->begun = batch;
            disk->Mark(*marks);
            const Result<void> written = Flush(&history, &clock, batch);
            if (written.ok()) marks->kept = batch;
            if (!written.ok()) errors->push_back(written.error().message());
            disk->Mark(*marks);
        }
    }

    static int64_t NumberOf(const std::vector<HistoryEvent>& events) {
        int64_t number = 0;
        for (const HistoryEvent& event : events) {
            if (event.text.starts_with("batch ")) {
                android::base::ParseInt(event.text.substr(6), &number);
            }
        }
        return number;
    }

    // Checks that each batch is there with all its rows, or with none.
    std::string CheckRows(const HistorySnapshot& snapshot, const CrashMarks& marks) const {
        int64_t last = 0;
        if (!snapshot.wear.empty()) {
            last = static_cast<int64_t>(snapshot.wear.back().filesystem_written_bytes.value_or(0) /
                                        kFilesystemBytes);
        }
        const std::string is = "the last batch is " + std::to_string(last) + "; kept is " +
                               std::to_string(marks.kept) + ", begun " +
                               std::to_string(marks.begun);
        if (last < marks.kept || last > marks.begun) return is;
        const int64_t event = NumberOf(snapshot.events);
        const bool has_events = shape_.version >= kVersionWithEvents || last > shape_.before;
        if (has_events && event != last) return is + ", of events " + std::to_string(event);
        uint64_t requests = 0;
        for (const LatencyPoint& point : snapshot.latency) {
            if (point.source == LatencySource::kProbe && point.kind == IoKind::kRead) {
                requests += point.count;
            }
        }
        // Rows of a file that was set aside do not count.
        const uint64_t expected = static_cast<uint64_t>(last) * kRequests;
        if (requests == expected || (shape_.garbage && requests < expected)) return "";
        return is + ", which is " + std::to_string(requests) + " requests";
    }

    const Shape shape_;
    const bool trust_log_;
};

}  // namespace

std::vector<MakeScenario> HistoryScenarios(Flaw flaw) {
    const bool trust = flaw == Flaw::kTrustedLog;
    std::vector<MakeScenario> made;
    for (const Shape& shape :
         std::vector<Shape>{{.name = "history-first", .before = 0, .steps = 3},
                            // The steps are enough that the log is copied into the file in between.
                            {.name = "history-flush", .before = 9, .steps = 24},
                            // Days are folded into weeks within the steps.
                            {.name = "history-fold", .before = 86, .steps = 6, .days = 1},
                            {.name = "history-migrate-1", .before = 6, .steps = 2, .version = 1},
                            {.name = "history-migrate-2", .before = 6, .steps = 2, .version = 2},
                            {.name = "history-migrate-3", .before = 6, .steps = 2, .version = 3},
                            {.name = "history-garbage",
                            .before = 0,
                            .steps = 3,
                            .garbage = true}}) {
        made.push_back([shape, trust] { return std::make_unique<HistoryScenario>(shape, trust); });
    }
    return made;
}

}  // namespace storekeeper
