// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "StorekeeperReport.h"

#include <gtest/gtest.h>

#include <string>

#include "fake_properties.h"
#include "testing/tree.h"

namespace {

// The limit of Android 7.1 and older.
static_assert(sizeof(STOREKEEPER_DM_PREFIX) - 1 + STOREKEEPER_DM_LABEL_MAX <= 31);

constexpr char kAes[] = "aes-cbc-essiv:sha256";
constexpr char kQueue[] = "/sys/block/dm-0/queue/discard_max_bytes";

class StorekeeperReportTest : public testing::Test {
  protected:
    StorekeeperReportTest() { properties_.Put("ro.storekeeper.enabled", "true"); }

    void Report(const std::string& label, const std::string& cipher = kAes) {
        storekeeper_report_dm_in(tree_.root().c_str(), label.c_str(), "/dev/block/dm-0", "crypt",
                                 512, cipher.c_str());
    }

    storekeeper::Tree tree_;
    FakeProperties properties_;
};

TEST_F(StorekeeperReportTest, ReportsWhetherTrimsReachTheChip) {
    const struct {
        std::string discard_max_bytes;
        std::string reported;
    } cases[] = {
            {"2199023255040\n", "discard"},
            {"0\n", "nodiscard"},
            {"", "unknown"},
            {"none\n", "unknown"},
    };
    for (const auto& c : cases) {
        tree_.Write(kQueue, c.discard_max_bytes);
        Report("userdata");
        EXPECT_EQ("dm-0,crypt,512," + c.reported + ",aes-cbc-essiv:sha256",
                  properties_.Get("vold.storekeeper.dm.userdata"));
    }
    tree_.Remove(kQueue);
    Report("userdata");
    EXPECT_EQ("dm-0,crypt,512,unknown,aes-cbc-essiv:sha256",
              properties_.Get("vold.storekeeper.dm.userdata"));
}

TEST_F(StorekeeperReportTest, DistinguishesAHardwareWrappedKey) {
    EXPECT_STREQ("default-key", storekeeper_default_key(false));
    EXPECT_STREQ("default-key-wrapped", storekeeper_default_key(true));
}

TEST_F(StorekeeperReportTest, MakesNamesThatOldAndroidsAccept) {
    const struct {
        std::string label;
        std::string name;
    } cases[] = {
            {"userdata", "userdata"},
            {"private:179,3", "179_3"},
            {"private:1048575,1048575", "575_1048575"},
            {"userdata_exp.ice", "ata_exp_ice"},
            {"a/b c", "a_b_c"},
            {"\xc3\xa4", "__"},
    };
    for (const auto& c : cases) {
        Report(c.label);
        EXPECT_NE("", properties_.Get("vold.storekeeper.dm." + c.name)) << c.label;
    }
    EXPECT_EQ(0, properties_.refused());
}

TEST_F(StorekeeperReportTest, CutsOffAnEndlessCipher) {
    Report("userdata", std::string(500, 'x'));
    EXPECT_EQ(91u, properties_.Get("vold.storekeeper.dm.userdata").size());
    EXPECT_EQ(0, properties_.refused());
}

TEST_F(StorekeeperReportTest, IsSilentWhereStorekeeperIsOff) {
    for (const char* value : {"", "false", "1"}) {
        properties_.Put("ro.storekeeper.enabled", value);
        Report("userdata");
    }
    EXPECT_EQ(1u, properties_.all().size());
}

}  // namespace
