// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/properties.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "property_paths.h"
#include "property_store.h"

namespace {

using android::base::GetBoolProperty;
using android::base::GetIntProperty;
using android::base::GetProperty;
using android::base::GetUintProperty;
using android::base::SetProperty;
using android::base::WaitForProperty;
using android::base::WaitForPropertyCreation;
using std::chrono::milliseconds;
using storekeeper::lab::kPersistRoot;
using storekeeper::lab::kPropertyRoot;

class AndroidBasePropertiesTest : public testing::Test {
  protected:
    AndroidBasePropertiesTest() {
        for (const char* root : {kPropertyRoot, kPersistRoot}) {
            std::filesystem::remove_all(root);
            std::filesystem::create_directories(root);
        }
    }
};

TEST_F(AndroidBasePropertiesTest, SharesTheStoreWithTheTools) {
    ASSERT_TRUE(SetProperty("persist.a", "1"));
    const storekeeper::lab::PropertyStore store(kPropertyRoot, kPersistRoot);
    EXPECT_EQ("1", store.Get("persist.a")->value());
    EXPECT_TRUE(std::filesystem::exists(std::string(kPersistRoot) + "/persist.a"));
    ASSERT_TRUE(store.Set("persist.a", "2").ok());
    EXPECT_EQ("2", GetProperty("persist.a", ""));
}

TEST_F(AndroidBasePropertiesTest, EmptyCountsAsMissing) {
    EXPECT_EQ("default", GetProperty("a", "default"));
    ASSERT_TRUE(SetProperty("a", ""));
    EXPECT_EQ("default", GetProperty("a", "default"));
    EXPECT_TRUE(WaitForPropertyCreation("a", milliseconds::zero()));
    EXPECT_EQ("default", GetProperty("not a name", "default"));
}

TEST_F(AndroidBasePropertiesTest, RefusesWhatTheStoreRefuses) {
    EXPECT_TRUE(SetProperty("ro.a", "1"));
    EXPECT_FALSE(SetProperty("ro.a", "2"));
    EXPECT_FALSE(SetProperty("a", std::string(92, 'x')));
    EXPECT_EQ("1", GetProperty("ro.a", ""));
}

TEST_F(AndroidBasePropertiesTest, ReadsBooleans) {
    const struct {
        const char* value;
        bool if_default_true;
        bool if_default_false;
    } cases[] = {{"1", true, true},       {"y", true, true},    {"yes", true, true},
                 {"on", true, true},      {"true", true, true}, {"0", false, false},
                 {"n", false, false},     {"no", false, false}, {"off", false, false},
                 {"false", false, false}, {"", true, false},    {"maybe", true, false}};
    for (const auto& c : cases) {
        ASSERT_TRUE(SetProperty("b", c.value));
        EXPECT_EQ(c.if_default_true, GetBoolProperty("b", true)) << c.value;
        EXPECT_EQ(c.if_default_false, GetBoolProperty("b", false)) << c.value;
    }
}

TEST_F(AndroidBasePropertiesTest, ReadsNumbersWithinTheirBounds) {
    ASSERT_TRUE(SetProperty("n", "-12"));
    EXPECT_EQ(-12, GetIntProperty<int>("n", 5));
    EXPECT_EQ(5, GetIntProperty<int>("n", 5, -10, 10));
    EXPECT_EQ(5u, GetUintProperty<uint32_t>("n", 5));
    ASSERT_TRUE(SetProperty("n", "300"));
    EXPECT_EQ(5, GetIntProperty<int8_t>("n", 5));
    EXPECT_EQ(300, GetIntProperty<int16_t>("n", 5));
    EXPECT_EQ(5, GetUintProperty<uint8_t>("n", 5));
    EXPECT_EQ(300u, GetUintProperty<uint64_t>("n", 5));
    EXPECT_EQ(5u, GetUintProperty<uint64_t>("n", 5, 299));
    ASSERT_TRUE(SetProperty("n", "12 monkeys"));
    EXPECT_EQ(5, GetIntProperty<int64_t>("n", 5));
}

TEST_F(AndroidBasePropertiesTest, Waits) {
    ASSERT_TRUE(SetProperty("w", "1"));
    EXPECT_TRUE(WaitForProperty("w", "1"));
    EXPECT_FALSE(WaitForProperty("w", "2", milliseconds::zero()));
    EXPECT_FALSE(WaitForPropertyCreation("x", milliseconds::zero()));
    EXPECT_FALSE(WaitForPropertyCreation("no name", milliseconds::zero()));
}

TEST_F(AndroidBasePropertiesTest, CFunctionsCutLongValuesAtTheCallersBuffer) {
    ASSERT_EQ(0, __system_property_set("ro.long", std::string(200, 'x').c_str()));
    ASSERT_NE(0, __system_property_set("ro.long", "again"));
    ASSERT_NE(0, __system_property_set(nullptr, "x"));
    char value[92];
    EXPECT_EQ(91, __system_property_get("ro.long", value));
    EXPECT_EQ(std::string(91, 'x'), value);
    EXPECT_EQ(0, __system_property_get("missing", value));
    EXPECT_STREQ("", value);
}

}  // namespace
