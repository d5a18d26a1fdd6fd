// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/fio_runner.h"

#include <android-base/file.h>
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

// Programs that behave as fio does, or does not.
class FioRunnerTest : public testing::Test {
  protected:
    // A script that is asked for its version first.
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
    // A job that failed has its errno.
    auto job = Run(failed);
    ASSERT_TRUE(job.ok()) << job.error();
    EXPECT_EQ(ENOSPC, job->error);
}

}  // namespace
}  // namespace storekeeper
