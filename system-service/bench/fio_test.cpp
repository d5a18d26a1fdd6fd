// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/fio.h"

#include <android-base/file.h>
#include <android-base/strings.h>
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/value.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>

#include "base/json_text.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::HasSubstr;

std::string Recorded() {
    std::string text;
    EXPECT_TRUE(
            android::base::ReadFileToString(TestDataDirectory() + "/fio/rand-write-fdatasync.json",
                                            &text));
    return text;
}

std::string With(const std::string& from, const std::string& to) {
    std::string text = android::base::StringReplace(Recorded(), from, to, /*all=*/false);
    EXPECT_NE(Recorded(), text) << from;
    return text;
}

TEST(FioResultTest, ReadsARealAnswer) {
    auto job = ParseFioResult(Recorded());
    ASSERT_TRUE(job.ok()) << job.error();
    EXPECT_EQ(0, job->error);
    EXPECT_EQ(0u, job->read.bytes);
    EXPECT_EQ(131072u, job->write.bytes);
    EXPECT_EQ(32u, job->write.ios);
    EXPECT_EQ(milliseconds(44), job->write.runtime);
    EXPECT_EQ(milliseconds(44), job->runtime());
    EXPECT_EQ(31u, job->sync_latency.count());
}

TEST(FioResultTest, PercentilesFromItsBinsAreFios) {
    auto job = ParseFioResult(Recorded());
    ASSERT_TRUE(job.ok()) << job.error();
    // The percentiles of fio's own answer.
    struct Row {
        double percent;
        int64_t write;
        int64_t sync;
    };
    for (const Row& row :
         {Row{1, 50944, 73216}, Row{50, 142336, 1036288}, Row{80, 207872, 2007040},
          Row{90, 222208, 2088960}, Row{99, 1892352, 3817472}, Row{99.99, 1892352, 3817472}}) {
        EXPECT_EQ(nanoseconds(row.write), job->write.latency.Percentile(row.percent));
        EXPECT_EQ(nanoseconds(row.sync), job->sync_latency.Percentile(row.percent));
    }
}

TEST(FioResultTest, NeedsNothingThatIsNotRead) {
    for (const char* key : {"jobname", "usr_cpu", "sys_cpu", "job options"}) {
        auto job = ParseFioResult(With("\"" + std::string(key) + "\"", "\"another\""));
        EXPECT_TRUE(job.ok()) << job.error();
    }
}

TEST(FioResultTest, KeepsNotesBeforeTheAnswer) {
    auto job = ParseFioResult("fio: no shared mutexes\nfio: Try setting direct=0\n" + Recorded());
    ASSERT_TRUE(job.ok()) << job.error();
    EXPECT_EQ("fio: no shared mutexes fio: Try setting direct=0", job->said);
    EXPECT_EQ("", ParseFioResult(Recorded())->said);
}

TEST(FioResultTest, SaysWhatIsWrong) {
    struct Row {
        std::string text;
        const char* error;
    };
    const Row rows[] = {
            {"", "not JSON"},
            {"fio: unknown option", "but 'fio: unknown option'"},
            {Recorded().substr(0, 3000), "not JSON"},
            {With("\"jobs\"", "\"groups\""), "no 'jobs'"},
            {With("\"fio version\" : \"fio-3.33\"", "\"fio version\" : \"fio-4.0\""),
             "needs fio 3"},
            {With("\"io_bytes\" : 131072", "\"io_bytes\" : -1"), "'io_bytes' is not a whole"},
            {With("\"runtime\" : 44", "\"runtime\" : 9223372036855"),
             "'runtime' is too long a time"},
            {With("\"clat_ns\"", "\"clat_us\""), "no 'clat_ns'"},
            {With("\"50944\" : 1", "\"50944\" : 2"), "33 I/Os, 'N' is 32"},
            {With("\"50944\" : 1", "\"5x\" : 1"), "a bin '5x'"},
            {"{" + std::string(50, '['), "nested too deeply"},
            {"{\"x\": \"" + std::string(2 << 20, 'x') + "\"}", "longer than"},
    };
    for (const Row& row : rows) {
        auto job = ParseFioResult(row.text);
        ASSERT_FALSE(job.ok()) << row.error;
        EXPECT_THAT(job.error().message(), HasSubstr(row.error));
    }
}

TEST(FioResultTest, EachMemberThatIsReadMustBeThereAndOfItsType) {
    struct Row {
        std::function<void(Json::Value*)> change;  // the whole answer
        const char* error;
    };
    const auto in_job = [](const std::function<void(Json::Value*)>& change) {
        return [change](Json::Value* answer) { change(&(*answer)["jobs"][0]); };
    };
    const Row rows[] = {
            {[](auto* a) { a->removeMember("fio version"); }, "no 'fio version'"},
            {[](auto* a) { (*a)["fio version"] = 3; }, "'fio version' is not a text"},
            {[](auto* a) { (*a)["jobs"] = 1; }, "there is not one job"},
            {[](auto* a) { (*a)["jobs"].append((*a)["jobs"][0]); }, "there is not one job"},
            {in_job([](auto* j) { j->removeMember("error"); }), "no 'error'"},
            {in_job([](auto* j) { (*j)["error"] = "EIO"; }), "'error' is not a number"},
            {in_job([](auto* j) { j->removeMember("read"); }), "no 'read'"},
            {in_job([](auto* j) { (*j)["read"] = 7; }), "no 'io_bytes'"},
            {in_job([](auto* j) { (*j)["read"].removeMember("total_ios"); }), "no 'total_ios'"},
            {in_job([](auto* j) { (*j)["read"]["runtime"] = 0.5; }), "'runtime' is not a whole"},
            {in_job([](auto* j) { (*j)["write"]["clat_ns"].removeMember("N"); }), "no 'N'"},
            {in_job([](auto* j) { (*j)["write"]["clat_ns"].removeMember("bins"); }), "no 'bins'"},
            {in_job([](auto* j) { (*j)["write"]["clat_ns"]["bins"] = 7; }), "'bins' is not an"},
            {in_job([](auto* j) { (*j)["write"]["clat_ns"]["bins"]["50944"] = -1; }),
             "'50944' is not a whole number"},
            {in_job([](auto* j) { j->removeMember("sync"); }), "no 'sync'"},
            {in_job([](auto* j) { (*j)["sync"].removeMember("lat_ns"); }), "no 'lat_ns'"},
            {in_job([](auto* j) { (*j)["sync"]["lat_ns"]["N"] = "31"; }), "'N' is not a whole"},
    };
    const std::string text = Recorded();
    const auto good = ParseJsonObject(text.substr(text.find('{')), {.bytes = 1 << 20});
    ASSERT_TRUE(good.ok()) << good.error();
    for (const Row& row : rows) {
        Json::Value answer = *good;
        row.change(&answer);
        auto job = ParseFioResult(WriteJson(answer));
        ASSERT_FALSE(job.ok()) << row.error;
        EXPECT_THAT(job.error().message(), HasSubstr(row.error));
    }
}

TEST(FioVersionTest, TakesFioThreeOnly) {
    for (const char* good : {"fio-3.33\n", "fio-3.1", "fio-3.36-117-gb2403", "fio-3.28.1"}) {
        EXPECT_TRUE(CheckFioVersion(good).ok()) << good;
    }
    for (const char* bad :
         {"", "fio-2.21", "fio-4.0", "fio-3", "fio-3.", "fio-3.x", "3.33", "Flexible I/O"}) {
        EXPECT_FALSE(CheckFioVersion(bad).ok()) << bad;
    }
}

// Programs that behave like fio, or do not.
class FioRunnerTest : public testing::Test {
  protected:
    // A script that answers the question for its version first.
    std::string Script(const std::string& version, const std::string& body) {
        const std::string path = "/fio-" + std::to_string(++number_);
        tree_.Write(path, "#!/bin/sh\nif [ \"$1\" = --version ]; then\n" + version +
                                  "\nexit\nfi\n" + body + "\n");
        EXPECT_EQ(0, chmod(tree_.PathOf(path).c_str(), 0700));
        return tree_.PathOf(path);
    }
    android::base::Result<FioJob> Run(const std::string& body) {
        auto fio = FioRunner::Find(Script("echo fio-3.33", body), -1);
        EXPECT_TRUE(fio.ok()) << fio.error();
        return fio->Run({.name = "probe", .options = {{"rw", "read"}}}, tree_.root());
    }
    std::string recorded_ = TestDataDirectory() + "/fio/rand-write-fdatasync.json";

    Tree tree_;
    int number_ = 0;
};

TEST_F(FioRunnerTest, FindsWhichFioItIs) {
    auto fio = FioRunner::Find(Script("echo fio-3.36", ""), -1);
    ASSERT_TRUE(fio.ok()) << fio.error();
    EXPECT_EQ("fio-3.36", fio->version());
    struct Row {
        std::string program;
        int code;
        const char* error;
    };
    const std::string plain = Script("", "");
    ASSERT_EQ(0, chmod(plain.c_str(), 0600));
    for (const Row& row :
         {Row{"/nowhere/fio", ENOENT, "/nowhere/fio: No such file or directory; install fio, or"},
          Row{plain, ENOENT, "Permission denied; install fio, or name it"},
          Row{Script("echo fio-2.21", ""), ENOTSUP, "needs fio 3"},
          Row{Script("exit 3", ""), ENOTSUP, "exit code 3"},
          Row{Script("kill -9 $$", ""), ENOTSUP, "killed by signal 9"}}) {
        auto bad = FioRunner::Find(row.program, -1);
        ASSERT_FALSE(bad.ok());
        EXPECT_EQ(row.code, bad.error().code()) << row.error;
        EXPECT_THAT(bad.error().message(), HasSubstr(row.error));
    }
}

TEST_F(FioRunnerTest, RunsAJobInItsFolder) {
    auto job = Run("pwd > where; echo \"$@\" > said; cat " + recorded_);
    ASSERT_TRUE(job.ok()) << job.error();
    EXPECT_EQ(32u, job->write.ios);
    EXPECT_THAT(tree_.Read("/where"), HasSubstr(tree_.root()));
    EXPECT_EQ("--output-format=json+ --eta=never --name=probe --rw=read\n", tree_.Read("/said"));
}

TEST_F(FioRunnerTest, SaysWhatFioSaid) {
    struct Row {
        std::string body;
        int code;
        const char* error;
    };
    const std::string failed = "sed 's/\"error\" : 0/\"error\" : 28/' " + recorded_ + "; exit 1";
    for (const Row& row :
         {Row{"kill -9 $$", ECHILD, "fio was killed by signal 9"},
          Row{"echo no such engine >&2; exit 1", EIO, "exit code 1: no such engine"},
          Row{"echo bad; exit 0", EPROTO, "not JSON but 'bad'"},
          Row{"head -c 500 " + recorded_, EPROTO, "not JSON"}}) {
        auto job = Run(row.body);
        ASSERT_FALSE(job.ok());
        EXPECT_EQ(row.code, job.error().code()) << row.error;
        EXPECT_THAT(job.error().message(), HasSubstr(row.error));
    }
    // The program's output contains no error message.
    EXPECT_EQ(std::string("fio: exit code 1: ") + strerror(EIO),
              Run("cat " + recorded_ + "; exit 1").error().message());
    // A job that failed has its errno.
    auto job = Run(failed);
    ASSERT_TRUE(job.ok()) << job.error();
    EXPECT_EQ(ENOSPC, job->error);
}

TEST_F(FioRunnerTest, TheOverheadIsWhatFioDoesNotCount) {
    auto good = FioRunner::Find(Script("echo fio-3.33", "cat " + recorded_), -1);
    ASSERT_TRUE(good.ok()) << good.error();
    const auto overhead = good->Overhead(tree_.root());
    ASSERT_TRUE(overhead.ok()) << overhead.error();
    EXPECT_LE(nanoseconds(0), *overhead);

    const std::string failed = "sed 's/\"error\" : 0/\"error\" : 28/' " + recorded_ + "; exit 1";
    auto full = FioRunner::Find(Script("echo fio-3.33", failed), -1);
    ASSERT_TRUE(full.ok()) << full.error();
    EXPECT_EQ(ENOSPC, full->Overhead(tree_.root()).error().code());

    const std::string gone = Script("echo fio-3.33", "");
    auto lost = FioRunner::Find(gone, -1);
    ASSERT_TRUE(lost.ok()) << lost.error();
    ASSERT_EQ(0, unlink(gone.c_str()));
    EXPECT_EQ(ENOENT, lost->Overhead(tree_.root()).error().code());
}

TEST_F(FioRunnerTest, AStopIsNoMissingFio) {
    android::base::unique_fd stop;
    android::base::unique_fd other;
    ASSERT_TRUE(android::base::Pipe(&stop, &other));
    ASSERT_EQ(1, write(other.get(), "x", 1));
    EXPECT_EQ(EINTR, FioRunner::Find(Script("exec sleep 100", ""), stop.get()).error().code());
}

}  // namespace

}  // namespace storekeeper
