// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "history/tables.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr WallTime kNow(1'767'225'600);
constexpr char kName[] = "/history.db";

HistoryBatch OneSample(int64_t wall) {
    HistoryBatch batch;
    batch.Add(WearSample{.wall = WallTime(wall)});
    return batch;
}

Result<size_t> SamplesIn(HistoryStore* store) {
    return TRY(store->Read(kNow)).wear.size();
}

// Creates a file of another program or of another version.
void MakeFile(const std::string& path, const std::string& sql) {
    Database database{RealCalls()};
    ASSERT_TRUE(database.Open(path).ok());
    const Result<void> made = database.Execute(sql);
    ASSERT_TRUE(made.ok()) << made.error();
}

TEST(HistoryStoreTest, KeepsWhatWasWrittenOverARestart) {
    Tree tree;
    HistoryBatch batch;
    batch.Add(WearSample{.wall = kNow,
                         .boot_id = "boot",
                         .chip = "0123456789abcdef",
                         .source = "sysfs",
                         .wear = {.ext_csd_rev = 8, .life_time_a = 3, .pre_eol_info = 1},
                         .filesystem_written_bytes = 1ULL << 40});
    LatencySample sample{.wall = kNow,
                         .span = std::chrono::hours(6),
                         .source = LatencySource::kBpf,
                         .kind = IoKind::kDiscard,
                         .count = 2,
                         .total = std::chrono::microseconds(30)};
    sample.histogram.Add(std::chrono::microseconds(10));
    sample.histogram.Add(std::chrono::microseconds(20));
    batch.Add(sample);
    batch.Add(UidRow{.day = DayOf(kNow),
                     .uid = 10'123,
                     .written_bytes = 77,
                     .fsyncs = 5,
                     .device_bytes = 99,
                     .span_s = 3600});
    const HistoryEvent event{.kind = "first_seen", .wall = kNow, .text = "a chip"};
    batch.Add(event);
    {
        HistoryStore store(RealCalls(), tree.PathOf(kName));
        const Result<void> written = store.Write(batch, kNow);
        ASSERT_TRUE(written.ok()) << written.error();
    }
    HistoryStore store(RealCalls(), tree.PathOf(kName));
    const Result<HistorySnapshot> read = store.Read(kNow);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ("", store.note());
    ASSERT_EQ(1, read->wear.size());
    EXPECT_EQ("boot", read->wear[0].boot_id);
    EXPECT_EQ("0123456789abcdef", read->wear[0].chip);
    EXPECT_EQ(3, read->wear[0].wear.life_time_a);
    EXPECT_EQ(std::nullopt, read->wear[0].wear.life_time_b);
    EXPECT_EQ(1ULL << 40, read->wear[0].filesystem_written_bytes);
    EXPECT_EQ(std::vector{LatencyPoint::FromSample(sample)}, read->latency);
    EXPECT_EQ(std::vector{LatencyPoint::FromSample(sample)}, read->newest);
    const UidRow row{.day = DayOf(kNow),
                     .uid = 10'123,
                     .written_bytes = 77,
                     .fsyncs = 5,
                     .device_bytes = 99,
                     .span_s = 3600};
    EXPECT_EQ(std::vector{row}, read->uids);
    EXPECT_EQ(std::vector{row}, read->uid_rows);
    EXPECT_EQ(std::vector{event}, read->events);
    struct stat status = {};
    ASSERT_EQ(0, stat(tree.PathOf(kName).c_str(), &status));
    EXPECT_EQ(0600, status.st_mode & 0777);
}

TEST(HistoryStoreTest, BringsAFileOfVersion1UpToDate) {
    Tree tree;
    MakeFile(tree.PathOf(kName),
             std::string(HistoryMigrations()[0]) +
                     "PRAGMA application_id=1400130416; PRAGMA user_version=1;"
                     "INSERT INTO wear(wall, boot_id, chip, source, life_time_a) "
                     "VALUES(1767225600, 'b', 'c', 'sysfs', 4);"
                     "INSERT INTO uid_writes VALUES(20454 * 4294967296 + 10123, 1, 50);");
    static_assert(kHistoryApplicationId == 1'400'130'416);
    HistoryStore store(RealCalls(), tree.PathOf(kName));
    const Result<void> written = store.Write(OneSample(1), kNow);
    ASSERT_TRUE(written.ok()) << written.error();
    const Result<HistorySnapshot> read = store.Read(kNow);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ("", store.note());
    ASSERT_EQ(2, read->wear.size());
    EXPECT_EQ(4, read->wear[0].wear.life_time_a);
    // Older rows have no bytes on the device; their written bytes are used.
    EXPECT_EQ((std::vector{UidRow{.day = 20454,
                                  .uid = 10'123,
                                  .written_bytes = 50,
                                  .device_bytes = 50,
                                  .span_s = 86'400}}),
              read->uids);
}

TEST(HistoryStoreTest, AddsUpWhatAUidWroteOnADay) {
    Tree tree;
    MakeFile(tree.PathOf(kName),
             std::string(HistoryMigrations()[0]) +
                     "PRAGMA application_id=1400130416; PRAGMA user_version=1;"
                     "INSERT INTO uid_writes VALUES(20454 * 4294967296 + 10123, 1, 50);");
    HistoryStore store(RealCalls(), tree.PathOf(kName));
    for (int i = 0; i < 2; ++i) {
        HistoryBatch batch;
        batch.Add(UidRow{.day = 20454,
                         .uid = 10'123,
                         .written_bytes = 7,
                         .fsyncs = 3,
                         .device_bytes = 11,
                         .span_s = 60});
        ASSERT_TRUE(store.Write(batch, kNow).ok());
    }
    const HistorySnapshot read = *store.Read(kNow);
    EXPECT_EQ((std::vector{UidRow{.day = 20454,
                                  .uid = 10'123,
                                  .written_bytes = 64,
                                  .fsyncs = 6,
                                  .device_bytes = 72,
                                  .span_s = 86'400 + 2 * 60}}),
              read.uids);
    // The older row counts as a whole day.
    ASSERT_EQ(1, read.uid_rows.size());
    EXPECT_EQ(86'520, read.uid_rows[0].span_s);
}

struct Unusable {
    const char* name;
    void (*make)(Tree*);
    const char* why;
};

class HistoryStoreAsideTest : public testing::TestWithParam<Unusable> {};

TEST_P(HistoryStoreAsideTest, AFileThatCannotBeUsedIsSetAsideAndANewOneBegun) {
    Tree tree;
    tree.Write("/history.db.aside", "an earlier one");
    GetParam().make(&tree);
    struct stat unusable = {};
    ASSERT_EQ(0, lstat(tree.PathOf(kName).c_str(), &unusable));
    HistoryStore store(RealCalls(), tree.PathOf(kName));
    const Result<void> written = store.Write(OneSample(1), kNow);
    ASSERT_TRUE(written.ok()) << written.error();
    EXPECT_EQ(1, *SamplesIn(&store));
    EXPECT_NE(std::string::npos, store.note().find(GetParam().why)) << store.note();
    const Result<HistorySnapshot> read = store.Read(kNow);
    ASSERT_EQ(1, read->events.size());
    EXPECT_EQ("history_lost", read->events[0].kind);
    EXPECT_EQ(kNow, read->events[0].wall);
    struct stat aside = {};
    ASSERT_EQ(0, lstat(tree.PathOf("/history.db.aside").c_str(), &aside));
    // The file was renamed, not copied: a sparse one may exceed the phone's memory.
    EXPECT_EQ(unusable.st_ino, aside.st_ino);
}

INSTANTIATE_TEST_SUITE_P(
        All, HistoryStoreAsideTest,
        testing::Values(
                Unusable{"text", [](Tree* tree) { tree->Write(kName, std::string(9000, 'x')); },
                         "not a database"},
                Unusable{"foreign",
                         [](Tree* tree) { MakeFile(tree->PathOf(kName), "CREATE TABLE t(a);"); },
                         "another program's file"},
                Unusable{"later",
                         [](Tree* tree) {
                             MakeFile(tree->PathOf(kName),
                                      "PRAGMA application_id=1400130416; CREATE TABLE t(a);"
                                      "PRAGMA user_version=99;");
                         },
                         "version 99 is later"},
                Unusable{"tables of another kind",
                         [](Tree* tree) {
                             MakeFile(tree->PathOf(kName),
                                      "PRAGMA application_id=1400130416; CREATE TABLE t(a);"
                                      "PRAGMA user_version=2;");
                         },
                         "no such table"},
                Unusable{"torn",
                         [](Tree* tree) {
                             MakeFile(tree->PathOf(kName),
                                      std::string(HistoryMigrations()[0]) + HistoryMigrations()[1] +
                                              "PRAGMA application_id=1400130416;"
                                              "PRAGMA user_version=2;");
                             std::string bytes = tree->Read(kName);
                             // The damaged page is the first page of a table.
                             for (size_t i = 4096; i < 8192; ++i) bytes[i] = 'x';
                             tree->Write(kName, bytes);
                         },
                         "damaged"},
                Unusable{"directory",
                         [](Tree* tree) { tree->MakeDirectory(std::string(kName) + "/sub"); },
                         "not a regular file"},
                Unusable{"fifo",
                         [](Tree* tree) {
                             ASSERT_EQ(0, mkfifo(tree->PathOf(kName).c_str(), 0600));
                         },
                         "not a regular file"},
                Unusable{"fifo as journal",
                         [](Tree* tree) {
                             MakeFile(tree->PathOf(kName), "CREATE TABLE t(a);");
                             const std::string journal = std::string(kName) + "-journal";
                             ASSERT_EQ(0, mkfifo(tree->PathOf(journal).c_str(), 0600));
                         },
                         "-journal is not a regular file"},
                Unusable{"sparse",
                         [](Tree* tree) {
                             MakeFile(tree->PathOf(kName), "CREATE TABLE t(a);");
                             ASSERT_EQ(0, truncate(tree->PathOf(kName).c_str(), 1 << 30));
                         },
                         "longer than 8388608 bytes"},
                Unusable{"symbolic link",
                         [](Tree* tree) {
                             EXPECT_EQ(0, symlink("/dev/full", tree->PathOf(kName).c_str()));
                         },
                         "not a regular file"}),
        [](const auto& info) {
            std::string name = info.param.name;
            std::replace(name.begin(), name.end(), ' ', '_');
            return name;
        });

TEST(HistoryStoreTest, TheLogOfAFileThatIsSetAsideGoesWithIt) {
    Tree tree;
    MakeFile(tree.PathOf(kName), "CREATE TABLE t(a);");
    tree.Write("/history.db-wal", "a log that is no log");
    HistoryStore store(RealCalls(), tree.PathOf(kName));
    ASSERT_TRUE(store.Write(OneSample(2), kNow).ok());
    EXPECT_NE("", store.note());
    EXPECT_EQ("a log that is no log", tree.Read("/history.db-wal.aside"));
    EXPECT_EQ(1, *SamplesIn(&store));
}

TEST(HistoryStoreTest, WithoutADirectoryItSaysSoAndWorksOnceThereIsOne) {
    Tree tree;
    HistoryStore store(RealCalls(), tree.PathOf("/nosuch/history.db"));
    const Result<void> failed = store.Write(OneSample(1), kNow);
    ASSERT_FALSE(failed.ok());
    EXPECT_NE(std::string::npos, failed.error().message().find("No such file")) << failed.error();
    tree.MakeDirectory("/nosuch");
    ASSERT_TRUE(store.Write(OneSample(1), kNow).ok());
    EXPECT_EQ(1, *SamplesIn(&store));
    EXPECT_EQ("", store.note());
}

TEST(HistoryStoreTest, AFullDiskCostsTheBatchAndNotTheFile) {
    Tree tree;
    // The limit leaves room for the tables only.
    HistoryStore store(RealCalls(), tree.PathOf(kName), 7 * Database::kPageBytes);
    HistoryBatch large;
    for (int i = 0; i < 32; ++i) {
        large.Add(HistoryEvent{.kind = "first_seen", .wall = kNow, .text = std::string(256, 'x')});
    }
    const Result<void> full = store.Write(large, kNow);
    ASSERT_FALSE(full.ok());
    EXPECT_NE(std::string::npos, full.error().message().find("full")) << full.error();
    EXPECT_EQ("", store.note());
    ASSERT_TRUE(store.Write(OneSample(1), kNow).ok());
    EXPECT_EQ(1, *SamplesIn(&store));
    EXPECT_TRUE(store.Read(kNow)->events.empty());
}

TEST(HistoryStoreTest, AFileThatAnotherHasLockedIsLeftAlone) {
    Tree tree;
    HistoryStore first(RealCalls(), tree.PathOf(kName));
    ASSERT_TRUE(first.Write(OneSample(1), kNow).ok());
    HistoryStore second(RealCalls(), tree.PathOf(kName));
    const Result<void> refused = second.Write(OneSample(2), kNow);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(std::string::npos, refused.error().message().find("locked")) << refused.error();
    EXPECT_EQ("", second.note());
    EXPECT_EQ(1, *SamplesIn(&first));
}

// A card that fails the first lstat() and every fsync() of a directory.
class Failing : public LinuxSyscalls {
  public:
    Result<struct stat> Lstat(const std::string& path) override {
        if (std::exchange(asked_, true)) return LinuxSyscalls::Lstat(path);
        return android::base::Error(EIO) << "stat " << path;
    }
    Result<void> Fsync(android::base::borrowed_fd) override {
        return android::base::Error(EIO) << "fsync";
    }

  private:
    bool asked_ = false;
};

TEST(HistoryStoreTest, AFileThatMayBeOldIsNotRemoved) {
    Tree tree;
    ASSERT_TRUE(HistoryStore(RealCalls(), tree.PathOf(kName)).Write(OneSample(1), kNow).ok());
    Failing calls;
    static_cast<void>(HistoryStore(calls, tree.PathOf(kName)).Write(OneSample(2), kNow));
    HistoryStore later(RealCalls(), tree.PathOf(kName));
    EXPECT_LE(1, *SamplesIn(&later));
}

TEST(HistoryStoreTest, ARowThatCannotBeIsPassedOverAndCounted) {
    Tree tree;
    MakeFile(tree.PathOf(kName),
             std::string(HistoryMigrations()[0]) + HistoryMigrations()[1] +
                     "PRAGMA application_id=1400130416; PRAGMA user_version=2;"
                     "INSERT INTO latency VALUES(15, 1, 0, 0, 1, 1, ''), (1, 1, 5, 6, 1, 1, x'85'),"
                     "(17, 1, 90000, 6, 1, 1, '');");
    HistoryStore store(RealCalls(), tree.PathOf(kName));
    const Result<HistorySnapshot> read = store.Read(kNow);
    ASSERT_TRUE(read.ok()) << read.error();
    EXPECT_EQ(1, read->latency.size());
    EXPECT_EQ(2, read->notes.size());
}

TEST(HistoryStoreTest, TheLogStaysAsLongAsItsPages) {
    Tree tree;
    HistoryStore store(RealCalls(), tree.PathOf(kName));
    for (int64_t i = 0; i < 300; ++i) ASSERT_TRUE(store.Write(OneSample(i), kNow).ok());
    EXPECT_LE(tree.Read("/history.db-wal").size(), Database::kMaxLogBytes);
    EXPECT_FALSE(tree.files().Exists("/history.db-shm"));
    EXPECT_EQ(HistorySnapshot::kMaxWear, *SamplesIn(&store));
}

}  // namespace
}  // namespace storekeeper
