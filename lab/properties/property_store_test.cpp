// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "property_store.h"

#include <android-base/file.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace storekeeper::lab {
namespace {

using std::chrono::milliseconds;

class PropertyStoreTest : public testing::Test {
  protected:
    PropertyStoreTest() {
        EXPECT_EQ(0, mkdir(root().c_str(), 0700));
        EXPECT_EQ(0, mkdir(persist().c_str(), 0700));
    }

    std::string root() const { return std::string(directory_.path) + "/dev"; }
    std::string persist() const { return std::string(directory_.path) + "/data"; }
    PropertyStore store() const { return PropertyStore(root(), persist()); }

    std::string Value(const std::string& name) const {
        const auto value = store().Get(name);
        if (!value.ok()) return "error: " + value.error().message();
        return value->value_or("(none)");
    }

    // Every name in the directory, temporary files included.
    std::vector<std::string> Files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(root())) {
            names.push_back(entry.path().filename());
        }
        return names;
    }

  private:
    TemporaryDir directory_;
};

TEST_F(PropertyStoreTest, KeepsWhatWasSetForEveryStoreOnTheDirectory) {
    EXPECT_EQ("(none)", Value("a.b"));
    ASSERT_TRUE(store().Set("a.b", "1").ok());
    EXPECT_EQ("1", Value("a.b"));
    ASSERT_TRUE(store().Set("a.b", "two words\n").ok());
    EXPECT_EQ("two words\n", Value("a.b"));
    ASSERT_TRUE(store().Set("a.b", "").ok());
    EXPECT_EQ("", Value("a.b"));
    EXPECT_EQ(std::vector<std::string>{"a.b"}, Files());
}

TEST_F(PropertyStoreTest, EveryoneMayReadWhateverTheUmask) {
    const mode_t before = umask(0077);
    ASSERT_TRUE(store().Set("a", "1").ok());
    umask(before);
    struct stat info = {};
    ASSERT_EQ(0, stat((root() + "/a").c_str(), &info));
    EXPECT_EQ(0644u, info.st_mode & 07777);
}

TEST_F(PropertyStoreTest, RefusedSettingChangesNothing) {
    ASSERT_TRUE(store().Set("a", "old").ok());
    EXPECT_FALSE(store().Set("a", std::string(92, 'x')).ok());
    EXPECT_FALSE(store().Set("../a", "x").ok());
    EXPECT_FALSE(store().Get("../a").ok());
    EXPECT_EQ("old", Value("a"));
    EXPECT_EQ(std::vector<std::string>{"a"}, Files());
}

TEST_F(PropertyStoreTest, ReadOnlyPropertyKeepsItsFirstValue) {
    const std::string value(1000, 'x');
    ASSERT_TRUE(store().Set("ro.a", value).ok());
    const auto again = store().Set("ro.a", "other");
    ASSERT_FALSE(again.ok());
    EXPECT_EQ("property ro.a is read-only and has a value; it can only change by a reboot",
              again.error().message());
    EXPECT_FALSE(store().Set("ro.a", value).ok());
    EXPECT_EQ(value, Value("ro.a"));
    EXPECT_EQ(std::vector<std::string>{"ro.a"}, Files());
}

TEST_F(PropertyStoreTest, OneOfManyWritersGetsAReadOnlyProperty) {
    constexpr int kWriters = 4;
    constexpr int kRounds = 300;
    std::barrier<> together(kWriters);
    std::atomic<int> winners[kRounds] = {};
    std::atomic<int> last_winner[kRounds] = {};
    std::vector<std::thread> writers;
    writers.reserve(kWriters);
    for (int writer = 0; writer < kWriters; ++writer) {
        writers.emplace_back([&, writer] {
            for (int round = 0; round < kRounds; ++round) {
                const std::string name = "ro.race." + std::to_string(round);
                together.arrive_and_wait();
                if (store().Set(name, std::to_string(writer)).ok()) {
                    ++winners[round];
                    last_winner[round] = writer;
                }
            }
        });
    }
    for (std::thread& writer : writers) writer.join();
    for (int round = 0; round < kRounds; ++round) {
        ASSERT_EQ(1, winners[round]) << round;
        ASSERT_EQ(std::to_string(last_winner[round]), Value("ro.race." + std::to_string(round)));
    }
}

TEST_F(PropertyStoreTest, ReadersSeeOnlyWholeValues) {
    constexpr int kRounds = 500;
    const std::string values[] = {std::string(91, 'a'), "b", std::string(40, 'c')};
    ASSERT_TRUE(store().Set("shared", values[0]).ok());
    std::vector<std::thread> writers;
    writers.reserve(std::size(values));
    std::atomic<int> failed = 0;
    for (const std::string& value : values) {
        writers.emplace_back([&] {
            for (int i = 0; i < kRounds; ++i) failed += store().Set("shared", value).ok() ? 0 : 1;
        });
    }
    int torn = 0;
    for (int i = 0; i < kRounds; ++i) {
        const std::string seen = Value("shared");
        if (std::find(std::begin(values), std::end(values), seen) == std::end(values)) ++torn;
    }
    for (std::thread& writer : writers) writer.join();
    EXPECT_EQ(0, torn);
    EXPECT_EQ(0, failed);
    EXPECT_EQ(std::vector<std::string>{"shared"}, Files());
}

TEST_F(PropertyStoreTest, KilledWriterLeavesOldOrNewValue) {
    const std::string old_value(91, 'o');
    const std::string new_value(91, 'n');
    for (int round = 0; round < 50; ++round) {
        ASSERT_TRUE(store().Set("victim", old_value).ok());
        int started[2];
        ASSERT_EQ(0, pipe2(started, O_CLOEXEC));
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            const PropertyStore mine = store();
            while (true) {
                (void)mine.Set("victim", new_value);
                (void)mine.Set("victim", old_value);
                (void)!write(started[1], "x", 1);
            }
        }
        close(started[1]);
        char byte;
        EXPECT_EQ(1, read(started[0], &byte, 1));
        kill(child, SIGKILL);
        close(started[0]);
        EXPECT_EQ(child, waitpid(child, nullptr, 0));
        const std::string seen = Value("victim");
        EXPECT_TRUE(seen == old_value || seen == new_value) << seen;
    }
    const auto all = store().List();
    ASSERT_TRUE(all.ok()) << all.error();
    EXPECT_EQ(1u, all->size());
}

TEST_F(PropertyStoreTest, LeftoverOfAnEqualNumberedWriterIsNoObstacle) {
    const std::string leftover =
            root() + "/." + std::to_string(getpid()) + "." + std::to_string(gettid());
    ASSERT_TRUE(android::base::WriteStringToFile("half a val", leftover));
    ASSERT_TRUE(store().Set("a", "1").ok());
    EXPECT_EQ("1", Value("a"));
    EXPECT_EQ(std::vector<std::string>{"a"}, Files());
}

TEST_F(PropertyStoreTest, ListsSortedWithoutStrangeFiles) {
    ASSERT_TRUE(store().Set("b", "2").ok());
    ASSERT_TRUE(store().Set("a.z", "1").ok());
    ASSERT_TRUE(store().Set("a-z", "0").ok());
    ASSERT_TRUE(android::base::WriteStringToFile("x", root() + "/.123.456"));
    ASSERT_TRUE(android::base::WriteStringToFile("x", root() + "/not a name"));
    const auto all = store().List();
    ASSERT_TRUE(all.ok()) << all.error();
    const std::map<std::string, std::string> expected = {{"a-z", "0"}, {"a.z", "1"}, {"b", "2"}};
    EXPECT_EQ(expected, *all);
}

TEST_F(PropertyStoreTest, PersistentPropertySurvivesReboot) {
    ASSERT_TRUE(store().Set("persist.a", "kept").ok());
    ASSERT_TRUE(store().Set("volatile", "lost").ok());
    TemporaryDir after_reboot;
    const PropertyStore next(after_reboot.path, persist());
    const auto loaded = next.LoadPersistent();
    ASSERT_TRUE(loaded.ok()) << loaded.error();
    EXPECT_EQ(1u, *loaded);
    EXPECT_EQ("kept", next.Get("persist.a")->value());
    EXPECT_EQ(std::nullopt, *next.Get("volatile"));
}

TEST_F(PropertyStoreTest, LoadsTheGoodOnesBesideGarbage) {
    ASSERT_TRUE(android::base::WriteStringToFile("1", persist() + "/persist.good"));
    ASSERT_TRUE(android::base::WriteStringToFile("\xff\xfe", persist() + "/persist.binary"));
    ASSERT_TRUE(android::base::WriteStringToFile(std::string(1 << 20, 'x'),
                                                 persist() + "/persist.long"));
    ASSERT_TRUE(android::base::WriteStringToFile("x", persist() + "/other"));
    ASSERT_EQ(0, mkdir((persist() + "/persist.folder").c_str(), 0700));
    ASSERT_EQ(0, symlink("/proc/self/environ", (persist() + "/persist.link").c_str()));
    const auto loaded = store().LoadPersistent();
    ASSERT_TRUE(loaded.ok()) << loaded.error();
    EXPECT_EQ(1u, *loaded);
    EXPECT_EQ("1", Value("persist.good"));
    EXPECT_EQ(std::vector<std::string>{"persist.good"}, Files());
}

TEST_F(PropertyStoreTest, PersistentPropertyWorksBeforeDataIsMounted) {
    std::filesystem::remove_all(persist());
    ASSERT_TRUE(store().Set("persist.a", "1").ok());
    EXPECT_EQ("1", Value("persist.a"));
    EXPECT_FALSE(std::filesystem::exists(persist()));
}

TEST_F(PropertyStoreTest, PersistentPropertyThatCannotBeKeptIsNotSet) {
    ASSERT_TRUE(store().Set("persist.a", "old").ok());
    std::filesystem::remove_all(persist());
    ASSERT_TRUE(android::base::WriteStringToFile("in the way", persist()));
    const auto set = store().Set("persist.a", "new");
    ASSERT_FALSE(set.ok());
    EXPECT_NE(std::string::npos, set.error().message().find(persist())) << set.error();
    EXPECT_EQ("old", Value("persist.a"));
}

TEST_F(PropertyStoreTest, DamagedFileIsAnErrorOfItsOwn) {
    ASSERT_TRUE(android::base::WriteStringToFile("\xff", root() + "/bad"));
    const auto value = store().Get("bad");
    ASSERT_FALSE(value.ok());
    EXPECT_NE(std::string::npos, value.error().message().find("/bad: property bad: value is not"))
            << value.error();
    ASSERT_TRUE(store().Set("bad", "good").ok());
    EXPECT_EQ("good", Value("bad"));
}

TEST_F(PropertyStoreTest, MissingDirectoryIsNamed) {
    const PropertyStore nowhere(root() + "/gone", persist());
    const auto set = nowhere.Set("a", "1");
    ASSERT_FALSE(set.ok());
    EXPECT_EQ("cannot set a: property directory " + root() + "/gone: No such file or directory",
              set.error().message());
    EXPECT_FALSE(nowhere.List().ok());
    EXPECT_FALSE(nowhere.WaitFor("a", "1", milliseconds::zero()).ok());
}

}  // namespace
}  // namespace storekeeper::lab
