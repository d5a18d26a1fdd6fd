// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/job_file.h"

#include <android-base/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kGlobal[] =
        "; a comment\n"
        "[global]\n"
        "filename=storekeeper_bench.data\n"
        "ioengine=psync\n"
        "bs = 4k\n"
        "size=8m\n"
        "# another\n"
        "thread\n\n";

TEST(JobFileTest, JobsHaveWhatGlobalSays) {
    auto jobs = ParseJobFile(std::string(kGlobal) + "[one]\nrw=read\n[two]\nrw=randwrite\nbs=8k\n");
    ASSERT_TRUE(jobs.ok()) << jobs.error();
    ASSERT_EQ(2u, jobs->size());
    EXPECT_EQ("4k", (*jobs)[0].Get("bs"));
    EXPECT_EQ(8u << 20, (*jobs)[0].size_bytes);
    EXPECT_EQ("8k", (*jobs)[1].Get("bs"));
    EXPECT_TRUE((*jobs)[1].IsOn("thread"));
    EXPECT_FALSE((*jobs)[1].IsOn("direct"));
    EXPECT_THAT(FioArguments((*jobs)[1]),
                ElementsAre("--output-format=json+", "--eta=never", "--name=two", "--bs=8k",
                            "--filename=storekeeper_bench.data", "--ioengine=psync",
                            "--rw=randwrite", "--size=8m", "--thread=1"));
}

TEST(JobFileTest, RefusesWhatCouldDoMoreThanMeasure) {
    struct Row {
        std::string job;
        const char* error;
    };
    const Row rows[] = {
            {"exec_prerun=reboot", "line 12: 'exec_prerun' is not an option"},
            {"filename=/dev/block/mmcblk0", "'/dev/block/mmcblk0' is not a value"},
            {"filename=other", "filename must be storekeeper_bench.data"},
            {"directory=/data", "'directory' is not an option"},
            {"include other.fio", "'include other.fio' is not an option"},
            {"size=${HOME}", "is not a value for size"},
            {"size=`reboot`", "is not a value for size"},
            {"size=", "'' is not a value for size"},
            {"size=-1", "'-1' is not a value for size"},
            {"ioengine=libhdfs", "ioengine 'libhdfs'"},
            {"size=" + std::string(100, '8'), "is not a value for size"},
            {"size=8\xb5", "is not a value for size"},
            {"rw=trim", "rw 'trim'"},
            {"numjobs=4", "'numjobs' is not an option"},
            {"[--name]", "'--name' is not a name"},
            {"[../x]", "'../x' is not a name"},
            {"[a", "does not end in ]"},
            {"[job]", "a second job 'job'"},
            {"[copy-files]", "line 12: 'copy-files' is what the copy is called"},
            {"clocksource=cpu", "'clocksource' is not an option"},
            {"thread=0", "job 'job' needs thread=1"},
            {"size=8mb", "job 'job': size: '8mb' is not a size"},
            {"size=9223372036854775808k", "job 'job': size: '9223372036854775808k' is not"},
            {"[global]", "must be the first"},
    };
    for (const Row& row : rows) {
        auto jobs = ParseJobFile(std::string(kGlobal) + "[job]\nrw=read\n" + row.job + "\n");
        ASSERT_FALSE(jobs.ok()) << row.job;
        EXPECT_THAT(jobs.error().message(), HasSubstr(row.error));
    }
}

TEST(JobFileTest, RefusesMoreJobsThanAnyoneWrites) {
    std::string many = kGlobal;
    for (int i = 0; i < 1000; ++i) many += "[job" + std::to_string(i) + "]\nrw=read\n";
    EXPECT_THAT(ParseJobFile(many).error().message(), HasSubstr("more than "));
}

TEST(JobFileTest, RefusesFilesThatAreNone) {
    struct Row {
        std::string text;
        const char* error;
    };
    const Row rows[] = {
            {"", "no job"},
            {kGlobal, "no job"},
            {"bs=4k\n", "before the first section"},
            {std::string(kGlobal) + "[job]\nbs=4k\n", "job 'job' has no rw"},
            {"[job]\nfilename=storekeeper_bench.data\nrw=read\nbs=4k\nsize=8m\nioengine=psync\n",
             "job 'job' needs thread=1"},
            {std::string(1 << 17, '\n'), "longer than"},
            {std::string("\x7f"
                         "ELF\0\1\2",
                         7),
             "before the first section"},
    };
    for (const Row& row : rows) {
        auto jobs = ParseJobFile(row.text);
        ASSERT_FALSE(jobs.ok()) << row.error;
        EXPECT_THAT(jobs.error().message(), HasSubstr(row.error));
    }
}

// The matrices that the product ships.
TEST(JobFileTest, TakesTheShippedMatrices) {
    for (const char* name : {"seed", "quick", "full"}) {
        std::string text;
        ASSERT_TRUE(android::base::ReadFileToString(android::base::GetExecutableDirectory() +
                                                            "/etc/fio/" + name + ".fio",
                                                    &text));
        auto jobs = ParseJobFile(text);
        ASSERT_TRUE(jobs.ok()) << name << ": " << jobs.error();
        // A file must be written before it is read.
        EXPECT_EQ("write", jobs->front().Get("rw")) << name;
        EXPECT_EQ(jobs->front().Get("size"), jobs->back().Get("size")) << name;
    }
}

}  // namespace
}  // namespace storekeeper
