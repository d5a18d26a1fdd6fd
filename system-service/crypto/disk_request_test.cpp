// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/disk_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "crypto/properties.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::AllOf;
using testing::HasSubstr;

constexpr char kHw[] = "qcrypto-cbc-aes";
constexpr char kCpu[] = "cbc-aes-lib";
const DiskRequest kRequest{.number = "7", .name = "cbc(aes)", .key_bytes = 16, .unit_bytes = 512};

class DiskAnswerTest : public testing::Test {
  protected:
    static CryptoMeasured Drivers() {
        return {.name = "cbc(aes)", .key_bytes = 16, .hardware = kHw, .cpu = kCpu};
    }
    static CipherFigure Figure(const std::string& driver, bool encrypt, double mbps) {
        return {.driver = driver,
                .unit_bytes = 512,
                .encrypt = encrypt,
                .gross_mbps = {.mean = mbps, .lower = mbps - 1, .upper = mbps + 1, .n = 8}};
    }
    static CryptoMeasured Measured() {
        CryptoMeasured measured = Drivers();
        for (const bool encrypt : {true, false}) {
            measured.figures.push_back(Figure(kHw, encrypt, 2.5));
            measured.figures.push_back(Figure(kCpu, encrypt, 25));
        }
        measured.figures[1].net_mbps = Estimate{.mean = 30, .lower = 29, .upper = 31, .n = 8};
        return measured;
    }
    Result<void> Publish(const CryptoMeasured& measured) {
        return PublishDiskAnswer(kRequest, measured,
                                 [this](const std::string& name, const std::string& value) {
                                     EXPECT_TRUE(FitsPropertyName(name));
                                     if (name == refused_ || value.size() > kMaxPropertyValue) {
                                         return false;
                                     }
                                     properties_[name] = value;
                                     return true;
                                 });
    }
    Result<void> Read(CryptoMeasured* to) {
        return ReadDiskAnswer(
                kRequest, [this](const std::string& name) { return properties_[name]; }, to);
    }

    std::map<std::string, std::string> properties_;
    std::string refused_;
};

TEST(DiskRequestTest, IsReadAsItWasWritten) {
    for (const DiskRequest& request :
         {kRequest, DiskRequest{"1", "cbc(aes)", 32, 4096}, DiskRequest{"2", "xts(aes)", 32, 512},
          DiskRequest{"18446744073709551615", "xts(aes)", 64, 4096}}) {
        const Result<std::string> text = FormatDiskRequest(request);
        ASSERT_TRUE(text.ok()) << text.error().message();
        EXPECT_LE(text->size(), kMaxPropertyValue);
        const Result<DiskRequest> read = ParseDiskRequest(*text);
        ASSERT_TRUE(read.ok()) << read.error().message();
        EXPECT_EQ(*text, FormatDiskRequest(*read).value_or(""));
    }
    EXPECT_EQ("7 cbc(aes) 16 512", *FormatDiskRequest(kRequest));
}

TEST(DiskRequestTest, AsksForNothingElse) {
    for (const auto& [text, said] :
         std::map<std::string, std::string>{{"", "'' as storekeeper.measure.cipher"},
                                            {"7 cbc(aes) 16", "as storekeeper.measure.cipher"},
                                            {"7 cbc(aes) 16 512 x",
                                             "as storekeeper.measure.cipher"},
                                            {"x cbc(aes) 16 512", "as storekeeper.measure.cipher"},
                                            {"7 cbc(aes) x 512", "as storekeeper.measure.cipher"},
                                            {"7 cbc(aes) 16 x", "as storekeeper.measure.cipher"},
                                            {"7 qcrypto-cbc-aes 16 512",
                                             "not a disk's: qcrypto-cbc-aes"},
                                            {"7 cbc(aes) 24 512", "no key of 24 bytes"},
                                            {"7 xts(aes) 16 512", "no key of 16 bytes"},
                                            {"7 xts(aes) 33 512", "no key of 33 bytes"},
                                            {"7 cbc(aes) 16 65536", "no units of 65536 bytes"}}) {
        const Result<DiskRequest> read = ParseDiskRequest(text);
        ASSERT_FALSE(read.ok()) << text;
        EXPECT_THAT(read.error().message(), HasSubstr(said)) << text;
    }
    EXPECT_FALSE(FormatDiskRequest({"7", "rot13", 16, 512}).ok());
}

TEST_F(DiskAnswerTest, IsReadAsItWasWritten) {
    CryptoMeasured measured = Measured();
    measured.wrong = std::string(100, 'w');
    measured.note = "a note";
    ASSERT_TRUE(Publish(measured).ok());
    EXPECT_EQ("qcrypto-cbc-aes 8 2.5 1.5 3.5 - - -", properties_["storekeeper.disk.engine.write"]);
    EXPECT_EQ("cbc-aes-lib 8 25 24 26 30 29 31", properties_["storekeeper.disk.cpu.write"]);
    CryptoMeasured read = Drivers();
    ASSERT_TRUE(Read(&read).ok());
    EXPECT_EQ(std::string(kMaxPropertyValue, 'w'), read.wrong);
    EXPECT_EQ("a note", read.note);
    ASSERT_EQ(4U, read.figures.size());
    const CipherFigure* figure = FindFigure(read, kCpu, 512, true);
    ASSERT_NE(nullptr, figure);
    EXPECT_EQ(30, SpeedOf(*figure).mean);
    EXPECT_EQ(8U, SpeedOf(*figure).n);
    EXPECT_EQ(2.5, SpeedOf(*FindFigure(read, kHw, 512, false)).mean);
}

TEST_F(DiskAnswerTest, WithoutAnEngineIsOfTheCpu) {
    CryptoMeasured measured = Measured();
    measured.hardware = "";
    ASSERT_TRUE(Publish(measured).ok());
    CryptoMeasured read{.cpu = kCpu};
    ASSERT_TRUE(Read(&read).ok());
    EXPECT_EQ(2U, read.figures.size());
}

TEST_F(DiskAnswerTest, IsOfThisRequestAndTheseDrivers) {
    CryptoMeasured read = Drivers();
    EXPECT_THAT(Read(&read).error().message(), HasSubstr("no answer from"));
    ASSERT_TRUE(Publish(Measured()).ok());
    read.cpu = "cbc(aes-generic)";
    EXPECT_THAT(Read(&read).error().message(),
                HasSubstr("is of cbc-aes-lib, not of 'cbc(aes-generic)'"));
    read.cpu = "";
    EXPECT_THAT(Read(&read).error().message(), HasSubstr("is of cbc-aes-lib, not of ''"));
    CryptoMeasured none;
    properties_ = {{"storekeeper.disk.done", "7"}};
    EXPECT_THAT(Read(&none).error().message(), HasSubstr("no driver of cbc(aes)"));
    read = Drivers();
    EXPECT_THAT(Read(&read).error().message(), HasSubstr("'' as storekeeper.disk.engine.write"));
    properties_["storekeeper.disk.problem"] = "no RAM disk";
    EXPECT_EQ("no RAM disk", Read(&read).error().message());
    EXPECT_TRUE(read.figures.empty());
}

TEST_F(DiskAnswerTest, AFigureIsWholeOrNone) {
    ASSERT_TRUE(Publish(Measured()).ok());
    for (const char* text : {"qcrypto-cbc-aes 8 1 1 1 - -", "qcrypto-cbc-aes x 1 1 1 - - -",
                             "qcrypto-cbc-aes 8 nan 1 1 - - -", "qcrypto-cbc-aes 8 1 -1 1 - - -",
                             // Too long to be within the string: see TRY().
                             "qcrypto-cbc-aes-of-engine-0 8 nan 1 1 - - -",
                             "qcrypto-cbc-aes 8 1 1 2e6 - - -", "qcrypto-cbc-aes 8 1 1 1 1 - 1"}) {
        properties_["storekeeper.disk.engine.read"] = text;
        CryptoMeasured read = Drivers();
        EXPECT_FALSE(Read(&read).ok()) << text;
        EXPECT_TRUE(read.figures.empty()) << text;
    }
}

TEST_F(DiskAnswerTest, ThatCannotBeSetIsNone) {
    refused_ = "storekeeper.disk.cpu.read";
    EXPECT_THAT(Publish(Measured()).error().message(),
                AllOf(HasSubstr("cannot set storekeeper.disk.cpu.read"), HasSubstr(kCpu)));
    CryptoMeasured read = Drivers();
    EXPECT_FALSE(Read(&read).ok());
}

}  // namespace
}  // namespace storekeeper
