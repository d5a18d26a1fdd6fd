// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/bpf_latency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <cstring>
#include <memory>
#include <string>

#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr char kLatency[] = "/sys/fs/bpf/map_storekeeperLatency_latency_map";
constexpr char kDisk[] = "/sys/fs/bpf/map_storekeeperLatency_disk_map";
constexpr char kIssue[] = "/sys/fs/bpf/prog_storekeeperLatency_tracepoint_block_block_rq_issue";
constexpr char kComplete[] =
        "/sys/fs/bpf/prog_storekeeperLatency_tracepoint_block_block_rq_complete";

class BpfLatencyTest : public testing::Test {
  protected:
    BpfLatencyTest() {
        std::vector<std::string> kinds(STOREKEEPER_KINDS,
                                       std::string(sizeof(storekeeper_latency), '\0'));
        storekeeper_latency flushes = {.total_ns = 12345};
        flushes.buckets[7] = 3;
        kinds[STOREKEEPER_FLUSH].assign(reinterpret_cast<const char*>(&flushes), sizeof(flushes));
        syscalls_.Add(kLatency, FakeSyscalls::BpfObject{.values = kinds,
                                                        .value_size = sizeof(storekeeper_latency)});
        syscalls_.Add(kDisk,
                      FakeSyscalls::BpfObject{.values = {std::string(4, '\0')}, .value_size = 4});
        syscalls_.Add(kIssue, FakeSyscalls::BpfObject());
        syscalls_.Add(kComplete, FakeSyscalls::BpfObject());
        tree_.Write("/sys/kernel/tracing/events/block/block_rq_issue/id", "1001\n");
        tree_.Write("/sys/kernel/tracing/events/block/block_rq_complete/id", "1002\n");
    }

    std::string Problem() {
        BpfLatency latency(syscalls_, files_);
        auto attached = latency.Attach(makedev(179, 0));
        EXPECT_FALSE(latency.Read().ok());
        EXPECT_THAT(syscalls_.attached(), testing::SizeIs(testing::Le(1)));
        return attached.ok() ? "" : attached.error().message();
    }

    Tree tree_;
    FileReader files_ = tree_.files();
    FakeSyscalls syscalls_;
};

TEST_F(BpfLatencyTest, RunsThePinnedProgramsAndReadsTheirMap) {
    auto latency = std::make_unique<BpfLatency>(syscalls_, files_);
    auto attached = latency->Attach(makedev(179, 8));
    ASSERT_TRUE(attached.ok()) << attached.error();
    EXPECT_THAT(syscalls_.attached(), UnorderedElementsAre(std::string(kIssue) + "@1001",
                                                           std::string(kComplete) + "@1002"));
    uint32_t disk = 0;
    memcpy(&disk, syscalls_.BpfObjectAt(kDisk).values[0].data(), sizeof(disk));
    EXPECT_EQ(179U << 20 | 8, disk);
    auto kinds = latency->Read();
    ASSERT_TRUE(kinds.ok()) << kinds.error();
    EXPECT_EQ(12345U, kinds->at(STOREKEEPER_FLUSH).total_ns);
    EXPECT_EQ(3U, kinds->at(STOREKEEPER_FLUSH).buckets[7]);
    EXPECT_EQ(0U, kinds->at(STOREKEEPER_READ).total_ns);
    latency.reset();
    EXPECT_THAT(syscalls_.attached(), IsEmpty());
}

TEST_F(BpfLatencyTest, FindsTracepointsBelowDebugfs) {
    tree_.Remove("/sys/kernel/tracing");
    tree_.Write("/sys/kernel/debug/tracing/events/block/block_rq_issue/id", "7\n");
    tree_.Write("/sys/kernel/debug/tracing/events/block/block_rq_complete/id", "8\n");
    BpfLatency latency(syscalls_, files_);
    ASSERT_TRUE(latency.Attach(makedev(8, 0)).ok());
    EXPECT_THAT(syscalls_.attached(),
                UnorderedElementsAre(std::string(kIssue) + "@7", std::string(kComplete) + "@8"));
}

TEST_F(BpfLatencyTest, SaysThatNothingIsLoaded) {
    FakeSyscalls none;
    BpfLatency latency(none, files_);
    EXPECT_THAT(latency.Attach(makedev(179, 0)).error().message(),
                HasSubstr("the build has no storekeeperLatency.o"));
}

TEST_F(BpfLatencyTest, TakesNoMapOfAnotherVersion) {
    syscalls_.Add(kLatency,
                  FakeSyscalls::BpfObject{.values = {"", "", "", ""}, .value_size = 65536});
    EXPECT_THAT(Problem(), HasSubstr("values of 65536 bytes"));
}

TEST_F(BpfLatencyTest, SaysWhatIsForbiddenOrMissing) {
    syscalls_.Add(kIssue, FakeSyscalls::BpfObject{.error = EACCES});
    EXPECT_THAT(Problem(), HasSubstr("block_rq_issue: Permission denied"));
    syscalls_.Add(kIssue, FakeSyscalls::BpfObject());
    tree_.Write("/sys/kernel/tracing/events/block/block_rq_complete/id", "soon\n");
    EXPECT_THAT(Problem(), HasSubstr("'soon' is not a number"));
    tree_.Remove("/sys/kernel/tracing");
    EXPECT_THAT(Problem(), HasSubstr("block_rq_complete/id"));
}

}  // namespace
}  // namespace storekeeper
