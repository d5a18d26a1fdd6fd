// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/daemon.h"

#include <android-base/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/phone.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

TEST(DaemonHealthTest, TakesAnExtCsdOfThisCardOnly) {
    Phone phone;
    std::string hex;
    ASSERT_TRUE(
            android::base::ReadFileToString(TestDataDirectory() + "/linux-6.12-emmc51/ext_csd.hex",
                                            &hex));
    ExtCsd ext_csd = *ExtCsd::FromHex(hex);
    auto refused = phone.daemon().card().SetExtCsd(ext_csd.bytes());
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message(), HasSubstr("SEC_COUNT is 61071360"));
    EXPECT_FALSE(phone.daemon().card().SetExtCsd(ext_csd.bytes().subspan(1)).ok());
    EXPECT_EQ("sysfs", phone.daemon().Health().wear_source);

    phone.tree.Write("/sys/block/mmcblk0/size", "61071360\n");
    phone.daemon().Health();
    ASSERT_TRUE(phone.daemon().card().SetExtCsd(ext_csd.bytes()).ok());
    EXPECT_EQ("ext_csd", phone.daemon().Health().wear_source);
}

class CountingHal : public DeviceHal {
  public:
    android::base::Result<std::vector<HalStorageInfo>> Storage() override {
        ++asked;
        return std::vector<HalStorageInfo>{{.eol = 1, .lifetime_a = 3, .lifetime_b = 3}};
    }
    android::base::Result<std::vector<HalDiskStats>> Disks() override {
        return android::base::Error() << "not asked";
    }
    android::base::Result<HalBattery> Battery() override {
        return android::base::Error() << "not asked";
    }
    int asked = 0;
};

TEST(DaemonHealthTest, ADumpNeverAsksTheHal) {
    Phone phone;
    CountingHal hal;
    phone.hal = &hal;
    phone.Restart();
    EXPECT_EQ("sysfs", phone.daemon().card().Last().wear_source);
    EXPECT_EQ(0, hal.asked);
    // The first turn reads the HAL once, so that dumps include its figures.
    phone.daemon().Turn();
    phone.daemon().Turn();
    EXPECT_EQ(1, hal.asked);
    EXPECT_EQ("health_hal", phone.daemon().card().Last().wear_source);
    EXPECT_EQ(1, hal.asked);
    phone.daemon().Health();
    EXPECT_EQ(2, hal.asked);
}

}  // namespace
}  // namespace storekeeper
