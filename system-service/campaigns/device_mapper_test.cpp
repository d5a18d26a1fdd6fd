// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/device_mapper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/dm-ioctl.h>
#include <sys/ioctl.h>

#include <string>
#include <vector>

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using testing::ElementsAre;
using testing::HasSubstr;

// A fake /dev/mapper/control.
class FakeMapper : public LinuxSyscalls {
  public:
    Result<unique_fd> Open(const std::string& path, int flags) override {
        return LinuxSyscalls::Open(path == "/dev/mapper/control" ? "/dev/null" : path, flags);
    }
    Result<int> Ioctl(borrowed_fd, unsigned long request, void* argument,
                      const std::string& what) override {
        const auto header = static_cast<dm_ioctl*>(argument);
        const std::string name = header->name;
        const char* extra = static_cast<const char*>(argument) + header->data_start;
        if (request == fails) return Error(EBUSY) << what;
        if (request == DM_DEV_CREATE) header->dev = 254ULL << 8 | 0x11 | 1ULL << 20;
        if (request == DM_DEV_CREATE) said.push_back("create " + name);
        if (request == DM_DEV_REMOVE) {
            said.push_back("remove " + name);
        }
        if (request == DM_DEV_SUSPEND) said.push_back("resume " + name);
        if (request == DM_TABLE_LOAD) {
            const auto target = reinterpret_cast<const dm_target_spec*>(extra);
            EXPECT_EQ(0U, target->next % 8);
            EXPECT_EQ(header->data_size, header->data_start + target->next);
            said.push_back(std::to_string(target->length) + " " + target->target_type + " " +
                           (extra + sizeof(*target)));
        }
        if (request == DM_TARGET_MSG) {
            said.emplace_back(reinterpret_cast<const dm_target_msg*>(extra)->message);
        }
        return 0;
    }

    std::vector<std::string> said;
    unsigned long fails = 0;
};

TEST(MappedDeviceTest, IsThereAsLongAsTheObject) {
    FakeMapper mapper;
    {
        Result<MappedDevice> device = MappedDevice::Create(mapper, {.name = "a",
                                                                    .bytes = 4096,
                                                                    .target = "log-writes",
                                                                    .parameters = "b c"});
        ASSERT_TRUE(device.ok()) << device.error().message();
        EXPECT_EQ("/dev/dm-273", device->node());
        EXPECT_TRUE(device->Send("mark 1,2,3").ok());
    }
    EXPECT_THAT(mapper.said,
                ElementsAre("create a", "8 log-writes b c", "resume a", "mark 1,2,3", "remove a"));
}

TEST(MappedDeviceTest, LeavesNothingWhenItFails) {
    FakeMapper mapper;
    mapper.fails = DM_TABLE_LOAD;
    const Result<MappedDevice> device = MappedDevice::Create(mapper, {.name = "a"});
    ASSERT_FALSE(device.ok());
    EXPECT_THAT(device.error().message(), HasSubstr("for a"));
    EXPECT_THAT(mapper.said, ElementsAre("create a", "remove a"));
}

TEST(MappedDeviceTest, RefusesALongName) {
    FakeMapper mapper;
    EXPECT_FALSE(
            MappedDevice::Create(mapper, {.name = "a", .target = "a target's name too long"}).ok());
}

}  // namespace
}  // namespace storekeeper
