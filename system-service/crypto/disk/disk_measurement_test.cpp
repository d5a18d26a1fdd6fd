// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/disk/disk_measurement.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crypto/disk_request.h"
#include "crypto/inventory.h"
#include "testing/fake_dm_crypt.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::microseconds;
using testing::HasSubstr;

constexpr char kHw[] = "qcrypto-cbc-aes";
constexpr char kCpu[] = "cbc(aes-asm)";

class DiskMeasurementTest : public testing::Test {
  protected:
    DiskMeasurementTest() {
        tree_.Write(kProcCryptoPath,
                    "name : cbc(aes)\ndriver : qcrypto-cbc-aes\npriority : 300\nrefcnt : 2\n"
                    "selftest : passed\ntype : skcipher\n\n"
                    "name : cbc(aes)\ndriver : cbc(aes-asm)\npriority : 200\nrefcnt : 1\n"
                    "selftest : passed\ntype : skcipher\n\n");
        kernel_.drivers[kHw] = {.name = "cbc(aes)", .per_unit = microseconds(100)};
        kernel_.drivers[kCpu] = {.name = "cbc(aes)", .per_unit = microseconds(10)};
        properties_[kDiskRequestProperty] = "7 cbc(aes) 16 512";
    }
    Result<void> Run() {
        return RunDiskMeasurement({.files = tree_.files(),
                                   .calls = {.syscalls = kernel_,
                                             .machine = clock_,
                                             .pause = [] {}},
                                   .property =
                                           [this](const std::string& name) {
                                               return properties_[name];
                                           },
                                   .set =
                                           [this](const std::string& name,
                                                  const std::string& value) {
                                               properties_[name] = value;
                                               return sets_;
                                           }},
                                  {.rounds = 3, .round = std::chrono::milliseconds(20)});
    }
    Result<CryptoMeasured> Answer() {
        CryptoMeasured answer{.name = "cbc(aes)", .key_bytes = 16, .hardware = kHw, .cpu = kCpu};
        const Result<void> read = ReadDiskAnswer(
                {.number = "7", .name = "cbc(aes)", .key_bytes = 16, .unit_bytes = 512},
                [this](const std::string& name) { return properties_[name]; }, &answer);
        if (!read.ok()) return android::base::unexpected(read.error());
        return answer;
    }

    Tree tree_;
    FakeCipherCalls clock_;
    FakeDmCrypt kernel_{clock_};
    std::map<std::string, std::string> properties_;
    bool sets_ = true;
};

// 512 bytes in 100 us and in 10, without what the requests cost.
TEST_F(DiskMeasurementTest, HasTheDriversOfProcCryptoAtTheUnitAskedFor) {
    ASSERT_TRUE(Run().ok());
    const Result<CryptoMeasured> answer = Answer();
    ASSERT_TRUE(answer.ok()) << answer.error().message();
    EXPECT_EQ("", answer->wrong);
    EXPECT_NEAR(5.12, PairOf(*answer, 512, true)->hardware_mbps.mean, 0.01);
    EXPECT_NEAR(51.2, PairOf(*answer, 512, false)->cpu_mbps.mean, 0.1);
    EXPECT_EQ(3U, PairOf(*answer, 512, true)->cpu_mbps.n);
}

TEST_F(DiskMeasurementTest, SaysWhatIsWrong) {
    kernel_.drivers[kCpu].wrong_writing = true;
    ASSERT_TRUE(Run().ok());
    EXPECT_THAT(Answer()->wrong, HasSubstr("cbc(aes-asm) does not encrypt as NIST"));
}

TEST_F(DiskMeasurementTest, AnswersWithTheProblem) {
    kernel_.errors = {{"open alone /dev/block/ram15", ENOENT}};
    EXPECT_TRUE(Run().ok());
    EXPECT_THAT(Answer().error().message(), HasSubstr("no RAM disk ram15"));
    kernel_.errors = {{"load", ENOENT}};
    EXPECT_TRUE(Run().ok());
    EXPECT_THAT(Answer().error().message(), HasSubstr("dm-crypt has no qcrypto-cbc-aes"));
    tree_.Write(kProcCryptoPath,
                "name : xts(aes)\ndriver : xts-aes-lib\npriority : 200\n"
                "refcnt : 1\nselftest : passed\ntype : skcipher\n\n");
    EXPECT_TRUE(Run().ok());
    EXPECT_THAT(Answer().error().message(), HasSubstr("no driver of cbc(aes) is known"));
    tree_.Remove(kProcCryptoPath);
    EXPECT_TRUE(Run().ok());
    EXPECT_THAT(Answer().error().message(), HasSubstr("/proc/crypto"));
}

TEST_F(DiskMeasurementTest, WithoutARequestOrProperties) {
    sets_ = false;
    EXPECT_THAT(Run().error().message(), HasSubstr("cannot set"));
    properties_[kDiskRequestProperty] = "7 rot13 16 512";
    EXPECT_THAT(Run().error().message(), HasSubstr("not a disk's: rot13"));
}

}  // namespace
}  // namespace storekeeper
