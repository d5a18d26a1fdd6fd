// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/record_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <thread>

#include "base/atomic_file.h"
#include "testing/record_lines.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RecordFileTest : public testing::Test {
  protected:
    RecordFileTest() { tree_.MakeDirectory("/data"); }

    std::string Path(const std::string& name = "state.log") const {
        return tree_.PathOf("/data/" + name);
    }
    std::string Text() const { return std::string(WithoutPadding(tree_.Read("/data/state.log"))); }
    bool Exists(const std::string& name) const { return tree_.files().Exists("/data/" + name); }

    Tree tree_;
};

TEST_F(RecordFileTest, OutlivesARestart) {
    {
        RecordFile file(RealCalls(), Path());
        EXPECT_EQ("", file.Last(RecordKind::kState));
        file.Put(RecordKind::kState, "one");
        ASSERT_TRUE(file.Write().ok());
        file.Put(RecordKind::kState, "two");
        file.Put(RecordKind::kReceipt, "first");
        file.Put(RecordKind::kReceipt, "second\nline");
        ASSERT_TRUE(file.Write().ok());
    }
    RecordFile file(RealCalls(), Path());
    EXPECT_EQ("two", file.Last(RecordKind::kState));
    EXPECT_THAT(file.Last(RecordKind::kReceipt, 9), ElementsAre("second line", "first"));
    EXPECT_THAT(file.Last(RecordKind::kReceipt, 1), ElementsAre("second line"));
    EXPECT_THAT(file.notes(), IsEmpty());
}

TEST_F(RecordFileTest, WritesNothingUnlessSomethingWaits) {
    RecordFile file(RealCalls(), Path());
    ASSERT_TRUE(file.Write().ok());
    EXPECT_FALSE(Exists("state.log"));
    file.Put(RecordKind::kState, "one");
    EXPECT_FALSE(Exists("state.log"));
}

// An append costs one page, because the file keeps its size, its blocks and its inode.
TEST_F(RecordFileTest, AppendsInPlaceAndIsWrittenAnewWhenItIsFull) {
    RecordFile file(RealCalls(), Path());
    const auto inode = [this] {
        struct stat of = {};
        EXPECT_EQ(0, stat(Path().c_str(), &of));
        EXPECT_EQ(static_cast<off_t>(RecordFile::kFileBytes), of.st_size);
        return of.st_ino;
    };
    ino_t before = 0;
    int anew = 0;
    for (int i = 0; i < 400; ++i) {
        file.Put(RecordKind::kReceipt, std::to_string(i) + std::string(500, 'x'));
        file.Put(RecordKind::kState, std::to_string(i));
        ASSERT_TRUE(file.Write().ok());
        if (inode() != before) ++anew;
        before = inode();
        const auto parsed = RecordFile::Parse(tree_.Read("/data/state.log"));
        ASSERT_TRUE(parsed.ok()) << parsed.error();
        EXPECT_EQ(0U, parsed->damaged);
        EXPECT_EQ(std::min<size_t>(i + 2, 1 + RecordFile::kMaxReceipts), parsed->records.size());
    }
    // 400 records of about 550 bytes; each rewrite leaves room for 46 KiB.
    EXPECT_EQ(5, anew);
    EXPECT_EQ("399", RecordFile(RealCalls(), Path()).Last(RecordKind::kState));
}

TEST_F(RecordFileTest, ARecordThatIsTooLongIsLeftOut) {
    RecordFile file(RealCalls(), Path());
    file.Put(RecordKind::kState, "one");
    file.Put(RecordKind::kState, std::string(RecordFile::kMaxPayloadBytes + 1, 'x'));
    ASSERT_TRUE(file.Write().ok());
    EXPECT_EQ("one", RecordFile(RealCalls(), Path()).Last(RecordKind::kState));
}

// A power cut can hit an append at each byte.
TEST_F(RecordFileTest, ATornAppendLosesItsOwnRecordsAlone) {
    const std::string before = kRecordHeader + RecordLine("state", "one");
    const std::string added = RecordLine("state", "two") + RecordLine("receipt", "{}");
    for (size_t torn = 0; torn < added.size() - 1; ++torn) {
        std::string text = before + added.substr(0, torn);
        text.resize(RecordFile::kFileBytes, '\n');
        tree_.Write("/data/state.log", text);
        RecordFile file(RealCalls(), Path());
        EXPECT_EQ(torn + 1 < RecordLine("state", "two").size() ? "one" : "two",
                  file.Last(RecordKind::kState));
        EXPECT_THAT(file.Last(RecordKind::kReceipt, 1), IsEmpty());
        file.Put(RecordKind::kState, "three");
        ASSERT_TRUE(file.Write().ok());
        RecordFile again(RealCalls(), Path());
        EXPECT_EQ("three", again.Last(RecordKind::kState));
        EXPECT_THAT(again.notes(), IsEmpty());
    }
}

TEST_F(RecordFileTest, DamagedLinesAreNotedOnce) {
    tree_.Write("/data/state.log",
                kRecordHeader + RecordLine("state", "one") + "garbage\n\nmore\n");
    RecordFile file(RealCalls(), Path());
    EXPECT_THAT(file.notes(), ElementsAre(HasSubstr("state.log: 2 damaged lines are skipped")));
    EXPECT_EQ("one", file.Last(RecordKind::kState));
    EXPECT_THAT(RecordFile(RealCalls(), Path()).notes(), IsEmpty());
    EXPECT_EQ(kRecordHeader + RecordLine("state", "one"), Text());
}

TEST_F(RecordFileTest, AForeignFileIsSetAsideAndNoted) {
    const std::function<void(Tree*, const std::string&)> strangers[] = {
            [](Tree* tree, const std::string& path) {
                ASSERT_EQ(0, mkfifo(tree->PathOf(path).c_str(), 0600));
            },
            [](Tree* tree, const std::string& path) {
                tree->Write(path, "");
                ASSERT_EQ(0, truncate(tree->PathOf(path).c_str(), 1 << 30));
            },
            [](Tree* tree, const std::string& path) { tree->MakeDirectory(path + "/inner"); },
            [](Tree* tree, const std::string& path) { tree->Link(path, "/dev/zero"); },
            [](Tree* tree, const std::string& path) { tree->Write(path, "storekeeper-state 2\n"); },
            [](Tree* tree, const std::string& path) { tree->Write(path, ""); },
    };
    for (const auto& make : strangers) {
        Tree tree;
        make(&tree, "/state.log");
        ASSERT_EQ(0, mkfifo(tree.PathOf("/state.log.new").c_str(), 0600));
        const std::string path = tree.PathOf("/state.log");
        RecordFile file(RealCalls(), path);
        EXPECT_THAT(file.notes(),
                    ElementsAre(
                            testing::AllOf(HasSubstr("The memory of earlier runs was lost"),
                                           HasSubstr("it was set aside as " + path + ".corrupt"))));
        file.Put(RecordKind::kState, "one");
        ASSERT_TRUE(file.Write().ok());
        RecordFile again(RealCalls(), path);
        EXPECT_THAT(again.notes(), IsEmpty());
        EXPECT_EQ("one", again.Last(RecordKind::kState));
    }
}

TEST_F(RecordFileTest, AnUnreadableFileIsNotWrittenUntilItWasRead) {
    {
        RecordFile file(RealCalls(), Path());
        file.Put(RecordKind::kState, "stored");
        file.Put(RecordKind::kReceipt, "stored");
        ASSERT_TRUE(file.Write().ok());
    }
    // The folder is missing, as if /data were not mounted.
    const std::string folder = tree_.PathOf("/data");
    const std::string away = tree_.PathOf("/away");
    ASSERT_EQ(0, rename(folder.c_str(), away.c_str()));
    RecordFile file(RealCalls(), Path());
    EXPECT_EQ(ENOENT, file.Load().error().code());
    EXPECT_EQ(ENOENT, file.CheckWritable().error().code());
    for (int i = 0; i < 100; ++i) {
        file.Put(RecordKind::kReceipt, "later");
        EXPECT_EQ(ENOENT, file.Write().error().code());
    }
    EXPECT_EQ("later", file.Last(RecordKind::kReceipt));

    ASSERT_EQ(0, rename(away.c_str(), folder.c_str()));
    ASSERT_TRUE(file.CheckWritable().ok());
    ASSERT_TRUE(file.Load().ok());
    EXPECT_EQ("stored", file.Last(RecordKind::kState));
    EXPECT_EQ(RecordFile::kMaxReceipts, file.Last(RecordKind::kReceipt, 99).size());
    ASSERT_TRUE(file.Write().ok());
    RecordFile again(RealCalls(), Path());
    EXPECT_EQ("stored", again.Last(RecordKind::kState));
    EXPECT_EQ("later", again.Last(RecordKind::kReceipt));
    EXPECT_THAT(again.notes(), IsEmpty());
}

TEST_F(RecordFileTest, AFileThatVanishesOrChangesItsSizeIsWrittenAnew) {
    RecordFile file(RealCalls(), Path());
    file.Put(RecordKind::kReceipt, "one");
    ASSERT_TRUE(file.Write().ok());
    int receipts = 1;
    for (const auto& harm : std::initializer_list<std::function<void()>>{
                 [this] { tree_.Remove("/data/state.log"); },
                 [this] { ASSERT_EQ(0, truncate(Path().c_str(), 30)); },
         }) {
        harm();
        file.Put(RecordKind::kReceipt, "another");
        ASSERT_TRUE(file.Write().ok());
        EXPECT_EQ(static_cast<size_t>(++receipts),
                  RecordFile(RealCalls(), Path()).Last(RecordKind::kReceipt, 9).size());
    }
}

TEST_F(RecordFileTest, AFileThatAppearsLaterIsReplacedAsAWhole) {
    RecordFile file(RealCalls(), Path());
    tree_.Write("/data/state.log", std::string(RecordFile::kFileBytes, 'x'));
    file.Put(RecordKind::kState, "one");
    ASSERT_TRUE(file.Write().ok());
    EXPECT_EQ(kRecordHeader + RecordLine("state", "one"), Text());
}

// Simulates a full disk: during its lifetime no file can grow beyond `bytes`.
class WriteLimit {
  public:
    explicit WriteLimit(rlim_t bytes) {
        before_signal_ = signal(SIGXFSZ, SIG_IGN);
        EXPECT_EQ(0, getrlimit(RLIMIT_FSIZE, &before_));
        rlimit limit = before_;
        limit.rlim_cur = bytes;
        EXPECT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
    }
    ~WriteLimit() {
        EXPECT_EQ(0, setrlimit(RLIMIT_FSIZE, &before_));
        signal(SIGXFSZ, before_signal_);
    }

  private:
    rlimit before_{};
    void (*before_signal_)(int);
};

TEST_F(RecordFileTest, AFailedWriteIsRepeatedWithTheNext) {
    RecordFile file(RealCalls(), Path());
    file.Put(RecordKind::kReceipt, "one");
    {
        const WriteLimit full(100);
        EXPECT_EQ(EFBIG, file.Write().error().code());
        EXPECT_FALSE(Exists("state.log"));
    }
    ASSERT_TRUE(file.Write().ok());
    EXPECT_THAT(RecordFile(RealCalls(), Path()).Last(RecordKind::kReceipt, 9), ElementsAre("one"));
    {
        // The limit cuts the append short.
        const WriteLimit full(Text().size() + 10);
        file.Put(RecordKind::kReceipt, "two");
        EXPECT_EQ(EFBIG, file.Write().error().code());
        EXPECT_THAT(file.Last(RecordKind::kReceipt, 9), ElementsAre("two", "one"));
    }
    {
        const RecordFile torn(RealCalls(), Path());
        EXPECT_THAT(torn.Last(RecordKind::kReceipt, 9), ElementsAre("one"));
    }
    file.Put(RecordKind::kReceipt, "three");
    ASSERT_TRUE(file.Write().ok());
    EXPECT_THAT(RecordFile(RealCalls(), Path()).Last(RecordKind::kReceipt, 9),
                ElementsAre("three", "two", "one"));
}

TEST_F(RecordFileTest, WhetherItCanBeWrittenIsSaidWithoutWriting) {
    RecordFile file(RealCalls(), Path());
    EXPECT_TRUE(file.CheckWritable().ok());
    EXPECT_FALSE(Exists("state.log"));
    ASSERT_EQ(0, mkfifo(Path().c_str(), 0600));
    EXPECT_TRUE(file.CheckWritable().ok());
    RecordFile nowhere(RealCalls(), "/proc/self/state.log");
    nowhere.Put(RecordKind::kState, "one");
    const auto written = nowhere.Write();
    ASSERT_FALSE(written.ok());
    EXPECT_THAT(written.error().message(), HasSubstr("/proc/self/state.log.new"));
}

TEST_F(RecordFileTest, ServesThreadsAtTheSameTime) {
    RecordFile file(RealCalls(), Path());
    std::vector<std::thread> threads;
    for (RecordKind kind : {RecordKind::kState, RecordKind::kCursors, RecordKind::kAlerts,
                            RecordKind::kReceipt, RecordKind::kChips}) {
        threads.emplace_back([&file, kind] {
            for (int i = 0; i < 200; ++i) {
                file.Put(kind, std::string(400, 'x') + std::to_string(i));
                EXPECT_TRUE(file.Write().ok());
                EXPECT_NE("", file.Last(kind));
                EXPECT_THAT(file.notes(), IsEmpty());
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    RecordFile again(RealCalls(), Path());
    EXPECT_THAT(again.notes(), IsEmpty());
    for (RecordKind kind : {RecordKind::kState, RecordKind::kCursors, RecordKind::kAlerts,
                            RecordKind::kReceipt, RecordKind::kChips}) {
        EXPECT_EQ(std::string(400, 'x') + "199", again.Last(kind));
    }
    EXPECT_EQ(RecordFile::kMaxReceipts, again.Last(RecordKind::kReceipt, 99).size());
}

}  // namespace
}  // namespace storekeeper
