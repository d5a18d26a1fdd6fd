// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/write_log.h"

#include <android-base/file.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::unique_fd;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr size_t kSector = 512;
constexpr uint64_t kMagic = 0x6a736677736872;
constexpr uint64_t kWrite = 0;
constexpr uint64_t kFlush = 1;
constexpr uint64_t kFua = 2;
constexpr uint64_t kDiscard = 4;
constexpr uint64_t kMark = 8;

std::string Words(std::initializer_list<uint64_t> words) {
    std::string bytes;
    for (const uint64_t word : words) {
        for (int i = 0; i < 8; ++i) bytes += static_cast<char>(word >> (8 * i) & 0xff);
    }
    return bytes;
}

// A log in the kernel's format.
struct Log {
    uint64_t magic = kMagic;
    uint64_t version = 1;
    uint64_t sector_bytes = kSector;
    uint64_t more_entries = 0;  // beyond those that exist
    uint64_t entries = 0;
    std::string bytes;

    // Adds an entry whose sectors are full of one letter each.
    Log& Add(uint64_t flags, uint64_t sector, const std::string& letters) {
        std::string data;
        for (const char letter : letters) data += std::string(kSector, letter);
        return AddEntry({sector, letters.size(), flags, 0}, (flags & kDiscard) == 0 ? data : "");
    }
    Log& Mark(const std::string& text) { return AddEntry({0, 0, kMark, text.size()}, "", text); }
    Log& AddEntry(std::initializer_list<uint64_t> words, const std::string& data = "",
                  const std::string& text = "") {
        std::string head = Words(words) + text;
        head.resize(kSector);
        bytes += head + data;
        ++entries;
        return *this;
    }
    std::string Content() const {
        std::string super = Words({magic, version, entries + more_entries, sector_bytes});
        super.resize(kSector);
        return super + bytes;
    }
};

class WriteLogTest : public testing::Test {
  protected:
    Result<std::vector<WriteLogEntry>> Read(const Log& log) {
        tree_.Write("/log", log.Content());
        log_.reset(open(tree_.PathOf("/log").c_str(), O_RDONLY | O_CLOEXEC));
        return ReadWriteLog(RealCalls(), log_, log.Content().size());
    }
    std::string WhyNot(const Log& log) {
        const auto entries = Read(log);
        return entries.ok() ? "it is read" : entries.error().message();
    }
    // Each state with its marks, "abcd one two": a letter for each sector of a device of four.
    std::vector<std::string> StatesOf(const Log& log) {
        tree_.Write("/disk", std::string(4 * kSector, '.'));
        const unique_fd disk(open(tree_.PathOf("/disk").c_str(), O_RDWR | O_CLOEXEC));
        Replayer replayer(RealCalls(), *Read(log), {.log = log_, .target = disk});
        std::vector<std::string> states;
        for (;;) {
            const Result<bool> more = replayer.Next();
            EXPECT_TRUE(more.ok()) << more.error().message();
            if (!more.ok() || !*more) return states;
            const std::string content = tree_.Read("/disk");
            std::string state;
            for (size_t at = 0; at < content.size(); at += kSector) {
                state += content[at] == '\0' ? '0' : content[at];
            }
            for (const std::string& mark : replayer.marks()) state += " " + mark;
            states.push_back(state);
        }
    }

    Tree tree_;
    unique_fd log_;
};

TEST_F(WriteLogTest, ReadsEachKindOfEntry) {
    const auto entries = Read(Log().Add(kWrite, 3, "ab")
                                      .Add(kFlush, 0, "")
                                      .Add(kFua, 1, "c")
                                      .Add(kDiscard, 2, "xx")
                                      .Mark("here"));
    ASSERT_TRUE(entries.ok()) << entries.error().message();
    ASSERT_EQ(5U, entries->size());
    EXPECT_EQ(3 * kSector, (*entries)[0].offset);
    EXPECT_EQ(2 * kSector, (*entries)[0].bytes);
    EXPECT_EQ(2 * kSector, (*entries)[0].data_at);
    EXPECT_TRUE((*entries)[1].flush);
    EXPECT_TRUE((*entries)[2].fua);
    EXPECT_TRUE((*entries)[3].discard);
    // A discard has no data in the log.
    EXPECT_EQ((*entries)[3].data_at + kSector, (*entries)[4].data_at);
    EXPECT_TRUE((*entries)[4].mark);
    EXPECT_EQ("here", (*entries)[4].text);
}

TEST_F(WriteLogTest, RefusesWhatIsNoLog) {
    EXPECT_THAT(WhyNot({.magic = 1}), HasSubstr("not a log of writes"));
    EXPECT_THAT(WhyNot({.version = 2}), HasSubstr("version is 2"));
    EXPECT_THAT(WhyNot({.sector_bytes = 100}), HasSubstr("sectors of 100 bytes"));
    EXPECT_THAT(WhyNot({.sector_bytes = 8192}), HasSubstr("sectors of 8192 bytes"));
    EXPECT_THAT(WhyNot({.more_entries = 1}), HasSubstr("entry 0: the log ends before it"));
    EXPECT_THAT(WhyNot(Log().AddEntry({0, 0, 64, 0})), HasSubstr("entry 0: unknown flags 64"));
    EXPECT_THAT(WhyNot(Log().AddEntry({0, 1, kWrite, 0})), HasSubstr("beyond the log's end"));
    EXPECT_THAT(WhyNot(Log().AddEntry({0, UINT64_MAX, kWrite, 0})), HasSubstr("no such sector"));
    EXPECT_THAT(WhyNot(Log().AddEntry({0, 0, kMark, 481})), HasSubstr("a mark of 481 bytes"));
    EXPECT_THAT(WhyNot(Log().AddEntry({0, 0, kWrite, 9})), HasSubstr("data without a kind"));
}

TEST_F(WriteLogTest, AStateIsWhatIsThereAfterAFlushOrAFuaWrite) {
    EXPECT_THAT(StatesOf(Log().Add(kWrite, 0, "a")
                                 .Add(kWrite, 1, "b")
                                 .Add(kFlush, 0, "")
                                 .Add(kFua, 2, "c")
                                 .Add(kWrite, 0, "d")
                                 .Add(kFlush | kFua, 3, "e")),
                ElementsAre("ab.. ", "abc. ", "dbce "));
}

TEST_F(WriteLogTest, AStateHasTheMarksThatCameWhileItLasted) {
    EXPECT_THAT(StatesOf(Log().Mark("1")
                                 .Add(kWrite, 0, "a")
                                 .Add(kFlush, 0, "")
                                 .Mark("2")
                                 .Add(kFlush, 0, "")
                                 .Mark("3")
                                 .Add(kFua, 0, "b")),
                ElementsAre("....  1", "a... 1 2 3", "b... 3"));
}

TEST_F(WriteLogTest, EqualStatesAreOne) {
    EXPECT_THAT(StatesOf(Log().Mark("1")
                                 .Add(kFua, 0, "a")
                                 .Add(kFua, 0, "a")
                                 .Add(kFua, 1, "b")
                                 .Add(kFua, 1, ".")
                                 .Mark("2")
                                 .Add(kFua, 0, "c")),
                ElementsAre("....  1", "a... 1", "ab.. 1", "a... 1 2", "c... 2"));
}

TEST_F(WriteLogTest, DiscardedBlocksReadAsZeros) {
    EXPECT_THAT(StatesOf(Log().Add(kWrite, 0, "ab").Add(kDiscard, 1, "xx").Add(kFlush, 0, "")),
                ElementsAre("a00. "));
}

TEST_F(WriteLogTest, TheRecordedDeviceHasWhatTheLogWroteLast) {
    const Log log = Log().Add(kWrite, 0, "ab").Add(kDiscard, 1, "xx").Add(kFua, 0, "c");
    const auto compare = [&](const std::string& letters) {
        StatesOf(log);
        std::string content;
        for (const char letter : letters) content += std::string(kSector, letter);
        tree_.Write("/recorded", content);
        const unique_fd recorded(open(tree_.PathOf("/recorded").c_str(), O_RDONLY | O_CLOEXEC));
        const unique_fd disk(open(tree_.PathOf("/disk").c_str(), O_RDWR | O_CLOEXEC));
        const Replayer replayer(RealCalls(), *Read(log), {.log = log_, .target = disk});
        const Result<void> same = replayer.CompareWith(recorded);
        return same.ok() ? "" : same.error().message();
    };
    EXPECT_EQ("", compare("c..."));
    EXPECT_EQ("", compare("c?z!"));
    EXPECT_THAT(compare("d..."), HasSubstr("at byte 0"));
}

// At its end, the target records writes without a flush.
TEST_F(WriteLogTest, TheEndIsAState) {
    EXPECT_THAT(StatesOf(Log().Mark("1")
                                 .Add(kFua, 0, "a")
                                 .Add(kWrite, 1, "b")
                                 .Mark("dm-log-writes-end")),
                ElementsAre("....  1", "a... 1", "ab.. 1"));
}

}  // namespace
}  // namespace storekeeper
