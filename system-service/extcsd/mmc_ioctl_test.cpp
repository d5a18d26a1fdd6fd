// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "extcsd/mmc_ioctl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fake_syscalls.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

constexpr char kDevice[] = "/dev/block/mmcblk0";

TEST(MmcIoctlTest, ReadsTheRegister) {
    FakeSyscalls syscalls;
    std::vector<uint8_t> register_bytes(512);
    for (size_t i = 0; i < register_bytes.size(); ++i) register_bytes[i] = static_cast<uint8_t>(i);
    syscalls.Add(kDevice, FakeSyscalls::Card{.ext_csd = register_bytes});
    EXPECT_EQ(register_bytes, *ReadExtCsdFromCard(syscalls, kDevice));
}

TEST(MmcIoctlTest, SaysWhatToDoAboutErrors) {
    struct Row {
        int error;
        const char* advice;
    };
    for (const Row& row : {Row{EPERM, "it needs root"}, Row{ENOTTY, "is /dev/block/mmcblk0 an"},
                           Row{ETIMEDOUT, "SEND_EXT_CSD on /dev/block/mmcblk0"}}) {
        FakeSyscalls syscalls;
        syscalls.Add(kDevice, FakeSyscalls::Card{.error = row.error});
        auto answer = ReadExtCsdFromCard(syscalls, kDevice);
        ASSERT_FALSE(answer.ok());
        EXPECT_THAT(answer.error().message(), HasSubstr(row.advice));
        EXPECT_EQ(row.error, answer.error().code());
    }
    FakeSyscalls nothing;
    EXPECT_EQ(ENOENT, ReadExtCsdFromCard(nothing, kDevice).error().code());
}

}  // namespace
}  // namespace storekeeper
