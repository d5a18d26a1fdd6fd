// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The kernel interface is the same for 32- and 64-bit programs, unless noted: one kernel may serve
// both. strace prints these numbers, which follow include/uapi/asm-generic/ioctl.h: direction << 30
// | size << 16 | type << 8 | number.

#include <gtest/gtest.h>
#include <linux/cryptouser.h>
#include <linux/dm-ioctl.h>
#include <linux/fs.h>
#include <linux/fsmap.h>
#include <linux/if_alg.h>
#include <linux/input.h>
#include <linux/major.h>
#include <linux/mmc/ioctl.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>

#include <chrono>

#include "base/clock.h"

namespace storekeeper {
namespace {

TEST(KernelAbiTest, RequestsHaveTheKernelsNumbers) {
    struct Row {
        const char* name;
        unsigned long number;
        unsigned long expected;
    };
    for (const Row& row : {
                 Row{"FITRIM", FITRIM, 0xc0185879},
                 Row{"FS_IOC_GETFSMAP", FS_IOC_GETFSMAP, 0xc0c0583b},
                 Row{"MMC_IOC_CMD", MMC_IOC_CMD, 0xc048b300},
                 Row{"DM_LIST_VERSIONS", DM_LIST_VERSIONS, 0xc138fd0d},
                 Row{"EVIOCGBIT(0, 4)", EVIOCGBIT(0, 4), 0x80044520},
                 Row{"EVIOCSCLOCKID", EVIOCSCLOCKID, 0x400445a0},
         }) {
        // Sign extension of an int would change the request number.
        EXPECT_EQ(row.expected, row.number) << row.name;
    }
}

TEST(KernelAbiTest, StructuresLieAsTheKernelReadsThem) {
    struct Row {
        const char* name;
        size_t size;
        size_t expected;
    };
    for (const Row& row : {
                 Row{"fstrim_range", sizeof(fstrim_range), 24},
                 Row{"fstrim_range.len", offsetof(fstrim_range, len), 8},
                 Row{"fstrim_range.minlen", offsetof(fstrim_range, minlen), 16},
                 Row{"mmc_ioc_cmd", sizeof(mmc_ioc_cmd), 72},
                 Row{"mmc_ioc_cmd.flags", offsetof(mmc_ioc_cmd, flags), 32},
                 Row{"mmc_ioc_cmd.data_ptr", offsetof(mmc_ioc_cmd, data_ptr), 64},
                 Row{"dm_ioctl", sizeof(dm_ioctl), 312},
                 Row{"dm_ioctl.dev", offsetof(dm_ioctl, dev), 40},
                 Row{"dm_ioctl.name", offsetof(dm_ioctl, name), 48},
                 Row{"dm_target_versions", sizeof(dm_target_versions), 16},
                 Row{"sockaddr_alg", sizeof(sockaddr_alg), 88},
                 Row{"sockaddr_alg.salg_name", offsetof(sockaddr_alg, salg_name), 24},
                 Row{"crypto_user_alg", sizeof(crypto_user_alg), 208},
                 // Two __kernel_ulong_t hold the time; type, code and value follow.
                 Row{"input_event", sizeof(input_event), 2 * sizeof(long) + 8},
         }) {
        EXPECT_EQ(row.expected, row.size) << row.name;
    }
}

// One bit per event type fits an unsigned long of any width: maintenance/inputs/system_inputs.cpp.
static_assert(EV_MAX < 32);

// Offsets beyond 4 GiB of a file, and file systems with blocks of 512 bytes, are representable.
TEST(KernelAbiTest, FilesMayBeLong) {
    EXPECT_EQ(8u, sizeof(off_t));
    EXPECT_EQ(8u, sizeof(decltype(stat::st_size)));
    EXPECT_GE(sizeof(decltype(statvfs::f_blocks)), 4u);
}

// time_t of 32-bit bionic ends in 2038; stored and computed times do not.
TEST(KernelAbiTest, ClocksOutliveTimeT) {
    EXPECT_EQ(8u, sizeof(WallTime::rep));
    EXPECT_EQ(8u, sizeof(BootTime::rep));
    EXPECT_GT(WallTime::max(), std::chrono::seconds(int64_t{INT32_MAX} * 4));
}

}  // namespace
}  // namespace storekeeper
