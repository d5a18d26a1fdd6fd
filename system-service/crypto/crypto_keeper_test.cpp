// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/crypto_keeper.h"

#include <android-base/stringprintf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sysexits.h>

#include <cctype>

#include "base/file_reader.h"
#include "daemon/crypto_command.h"
#include "report/report.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

constexpr char kHw[] = "qcrypto-cbc-aes";
constexpr char kCpu[] = "cbc(aes-asm)";

std::string Entry(const std::string& driver, int priority, int refcount) {
    return android::base::StringPrintf(
            "name : cbc(aes)\ndriver : %s\npriority : %d\n"
            "refcnt : %d\nselftest : passed\ntype : ablkcipher\n\n",
            driver.c_str(), priority, refcount);
}

// A phone whose /data is on dm-crypt, served by Qualcomm's engine, which is slower than the CPU.
class CryptoKeeperTest : public testing::Test {
  protected:
    CryptoKeeperTest() {
        phone_.tree.MakeDirectory("/cache/storekeeper");
        phone_.tree.Write("/sys/dev/block/179:2/dm/name", "userdata\n");
        phone_.system_properties["ro.crypto.type"] = "block";
        phone_.ciphers.Add(kHw, {.name = "cbc(aes)",
                                 .per_request = microseconds(100),
                                 .cpu_percent = 20});
        phone_.ciphers.Add(kCpu, {.name = "cbc(aes)", .per_kib = microseconds(20)});
        // The cipher by its name is served by the driver with the highest priority.
        phone_.ciphers.Add("cbc(aes)", {.name = "cbc(aes)", .per_request = microseconds(100)});
        WithEngine();
        FakeSyscalls::File speed;
        speed.during = [this](std::string_view) { phone_.ciphers.Pass(microseconds(500)); };
        phone_.syscalls.AllowToCreate(phone_.tree.PathOf("/data/misc/storekeeper/speed"), speed);
        Boot("1");
    }

    void WithEngine() {
        phone_.tree.Write("/proc/crypto", Entry(kHw, 300, 3) + Entry(kCpu, 200, 1));
        phone_.tree.Write("/sys/bus/platform/drivers/qcrypto/fd440000.qcrypto", "");
    }
    void WithoutEngine() {
        phone_.tree.Write("/proc/crypto", Entry(kCpu, 200, 3));
        phone_.tree.Remove("/sys/bus/platform/drivers/qcrypto/fd440000.qcrypto");
    }
    void Boot(const std::string& id) {
        phone_.tree.Write(kBootIdPath, id + "\n");
        phone_.Restart();
        phone_.crypto().SetPlan({.units = {512},
                                 .threads = {1},
                                 .rounds = 3,
                                 .round = std::chrono::milliseconds(1)});
    }
    CryptoAnswer Command(const std::vector<std::string>& arguments) {
        return RunCryptoCommand(phone_.crypto(), arguments);
    }
    std::string ChoiceFile() { return phone_.tree.Read("/cache/storekeeper/crypto"); }

    Phone phone_;
};

TEST_F(CryptoKeeperTest, ReportsTheEngineOfEachVolume) {
    const CryptoAnswer answer = Command({"status"});
    EXPECT_EQ(EX_OK, answer.code) << answer.problem;
    EXPECT_THAT(answer.out, HasSubstr("/data: hw-offload"));
    EXPECT_THAT(answer.out, HasSubstr("* cbc(aes)"));
    EXPECT_THAT(answer.out, HasSubstr("Choice: auto"));
    const Json::Value json = CryptoToJson(phone_.crypto().Status());
    EXPECT_EQ("auto", json["mode"].asString());
    EXPECT_EQ(512, json["volumes"][0]["unit_bytes"].asInt());
}

// The mode "ice" of vendors' kernels, which have no queue/crypto.
TEST_F(CryptoKeeperTest, TheStorageHostsModeIsJudgedByTheQueue) {
    phone_.system_properties["ro.crypto.type"] = "file";
    phone_.system_properties["ro.boot.hardware"] = "mata";
    EXPECT_THAT(Command({"status"}).out, HasSubstr("has no driver for this volume"));
    phone_.tree.Write("/vendor/etc/fstab.mata",
                      "/dev/userdata /data ext4 noatime wait,check,fileencryption=ice,quota\n");
    EXPECT_THAT(Command({"status"}).out,
                HasSubstr("does not report whether the disk's queue encrypts inline"));
}

TEST_F(CryptoKeeperTest, RecommendsTheKernelByMeasuring) {
    const CryptoAnswer answer = Command({"recommend"});
    EXPECT_EQ(EX_OK, answer.code);
    // The times without the cost of the calls are 99 us and 9 us.
    EXPECT_THAT(answer.out, HasSubstr("kernel AES is 11.0x faster writing and 11.0x reading"));
    EXPECT_THAT(answer.out, HasSubstr("measured by AF_ALG, n=3"));
    EXPECT_THAT(answer.out, HasSubstr("depends on the key"));
}

TEST_F(CryptoKeeperTest, RecommendsNothingThatEncryptsDifferently) {
    phone_.ciphers.Add(kCpu, {.name = "cbc(aes)", .per_kib = microseconds(20), .right_up_to = 512});
    EXPECT_THAT(Command({"recommend"}).out, HasSubstr("no switch possible"));
    Command({"bench"});
    const CryptoAnswer answer = Command({"choose", "kernel"});
    EXPECT_EQ(kCryptoNotHere.code, answer.code);
    EXPECT_THAT(answer.problem, HasSubstr("encrypt differently"));
}

TEST_F(CryptoKeeperTest, ChooseRebootConfirm) {
    const CryptoAnswer chosen = Command({"choose", "kernel"});
    EXPECT_EQ(EX_OK, chosen.code) << chosen.problem;
    EXPECT_THAT(chosen.out, HasSubstr("kernel, trial"));
    EXPECT_THAT(ChoiceFile(), HasSubstr("mode kernel\nstage trial\nboots 0\n"));
    EXPECT_THAT(Command({"confirm"}).problem, HasSubstr("next boot"));
    EXPECT_EQ(kCryptoNotConfirmed.code, Command({"confirm"}).code);
    WithoutEngine();
    Boot("2");
    const CryptoAnswer confirmed = Command({"confirm"});
    EXPECT_EQ(EX_OK, confirmed.code) << confirmed.problem;
    EXPECT_THAT(confirmed.out, HasSubstr("kernel, confirmed"));
    EXPECT_THAT(ChoiceFile(), HasSubstr("stage confirmed"));
    EXPECT_EQ(CryptoMode::kKernel, phone_.crypto().Status().mode);
    EXPECT_EQ(EX_OK, Command({"rollback"}).code);
    EXPECT_THAT(ChoiceFile(), HasSubstr("mode auto"));
}

TEST_F(CryptoKeeperTest, AChoiceComparesWithTheCipherOfTheVolumeWhateverWasMeasuredBefore) {
    ASSERT_EQ(EX_OK, Command({"bench", "cbc(aes)", "256"}).code);
    const CryptoAnswer chosen = Command({"choose", "kernel"});
    ASSERT_EQ(EX_OK, chosen.code) << chosen.problem;
    EXPECT_THAT(ChoiceFile(), HasSubstr("cipher cbc(aes)\nkey_bytes 16\n"));
    EXPECT_EQ(128,
              CryptoToJson(phone_.crypto().Status())["choice"]["baseline"]["key_bits"].asInt());
}

// Behind the CPU's priority, the engine keeps its driver and device.
TEST_F(CryptoKeeperTest, AnEngineThatNobodyUsesIsASign) {
    ASSERT_EQ(EX_OK, Command({"choose", "kernel"}).code);
    phone_.tree.Write("/proc/crypto", Entry(kCpu, 200, 3) + Entry(kHw, 0, 1));
    phone_.system_properties["storekeeper.crypto.early"] = "priority";
    Boot("2");
    EXPECT_THAT(Command({"status"}).out, HasSubstr("storekeeper_crypto_early reports priority"));
    const CryptoAnswer confirmed = Command({"confirm"});
    EXPECT_EQ(EX_OK, confirmed.code) << confirmed.problem;
}

TEST_F(CryptoKeeperTest, VoldsReportIsEvidence) {
    ASSERT_EQ(EX_OK, Command({"choose", "kernel"}).code);
    WithoutEngine();
    phone_.tree.Remove("/sys/bus/platform/drivers/qcrypto");
    Boot("2");
    EXPECT_THAT(Command({"confirm"}).problem, HasSubstr("1 of 2 required"));
    phone_.system_properties["vold.storekeeper.aes.userdata"] = "refused:no_cpu_aes";
    EXPECT_THAT(Command({"confirm"}).problem, HasSubstr("1 of 2 required"));
    phone_.system_properties["vold.storekeeper.aes.userdata"] = "unbound";
    EXPECT_EQ(EX_OK, Command({"confirm"}).code);
}

TEST_F(CryptoKeeperTest, RollsBackAChoiceWithoutGain) {
    ASSERT_EQ(EX_OK, Command({"choose", "kernel"}).code);
    WithoutEngine();
    Boot("2");
    phone_.ciphers.Add(kCpu, {.name = "cbc(aes)", .per_request = microseconds(95)});
    const CryptoAnswer answer = Command({"confirm"});
    EXPECT_EQ(kCryptoRolledBack.code, answer.code);
    EXPECT_THAT(answer.problem, HasSubstr("rolled back: gain below 10 %"));
    EXPECT_THAT(ChoiceFile(), HasSubstr("mode auto"));
}

TEST_F(CryptoKeeperTest, RollsBackAChoiceWithoutEffect) {
    ASSERT_EQ(EX_OK, Command({"choose", "kernel"}).code);
    Boot("2");
    const CryptoAnswer answer = Command({"confirm"});
    EXPECT_EQ(kCryptoRolledBack.code, answer.code);
    EXPECT_THAT(answer.problem, HasSubstr("rolled back: the other engine is in use"));
}

TEST_F(CryptoKeeperTest, RollsBackAfterAnIoError) {
    ASSERT_EQ(EX_OK, Command({"choose", "kernel"}).code);
    WithoutEngine();
    Boot("2");
    FakeSyscalls::File broken;
    broken.write_error = EIO;
    phone_.syscalls.AllowToCreate(phone_.tree.PathOf("/data/misc/storekeeper/speed"), broken);
    EXPECT_THAT(Command({"confirm"}).problem, HasSubstr("rolled back: 1 I/O error"));
    EXPECT_THAT(ChoiceFile(), HasSubstr("mode auto"));
}

TEST_F(CryptoKeeperTest, WithoutAChoiceNothingIsRolledBack) {
    const CryptoAnswer answer = Command({"rollback"});
    EXPECT_EQ(EX_OK, answer.code) << answer.problem;
    EXPECT_EQ("Choice: auto (nothing was chosen, nothing to roll back)\n", answer.out);
    EXPECT_FALSE(phone_.tree.files().Exists("/cache/storekeeper/crypto"));
}

TEST_F(CryptoKeeperTest, WrongUsage) {
    EXPECT_EQ(EX_USAGE, Command({"choose"}).code);
    EXPECT_EQ(EX_USAGE, Command({"choose", "aes"}).code);
    EXPECT_EQ(EX_USAGE, Command({"bench", "rot13", "128"}).code);
    EXPECT_EQ(EX_USAGE, Command({"sing"}).code);
}

TEST_F(CryptoKeeperTest, ReportsTheKeysOfInlineEncryption) {
    phone_.system_properties["vold.storekeeper.dm.userdata"] =
            "dm-0,default-key,4096,discard,AES-256-XTS";
    const auto keys = [&] { return CryptoToJson(phone_.crypto().Status())["volumes"][0]["keys"]; };
    EXPECT_TRUE(keys().isNull());
    const std::string queue = "/sys/dev/block/179:0/queue/crypto/";
    // A kernel before 6.15 has neither attribute.
    phone_.tree.Write(queue + "num_keyslots", "32\n");
    EXPECT_TRUE(keys().isNull());
    phone_.tree.Write(queue + "hw_wrapped_keys", "supported\n");
    EXPECT_EQ("wrapped", keys().asString());
    phone_.tree.Write(queue + "raw_keys", "supported\n");
    EXPECT_TRUE(keys().isNull());
    phone_.tree.Remove(queue + "hw_wrapped_keys");
    EXPECT_EQ("raw", keys().asString());
    EXPECT_EQ("inline", CryptoToJson(phone_.crypto().Status())["volumes"][0]["state"].asString());
}

// A volume is never switched if only the engine has its key, or if it is not encrypted.
TEST_F(CryptoKeeperTest, ReportsOnly) {
    phone_.system_properties["vold.storekeeper.dm.userdata"] = "dm-0,req-crypt,0,unknown,aes-xts";
    EXPECT_THAT(Command({"recommend"}).out, HasSubstr("report only"));
    EXPECT_THAT(Command({"choose", "kernel"}).problem, HasSubstr("only the engine has the key"));
    phone_.system_properties.clear();
    phone_.tree.Remove("/sys/dev/block/179:2/dm/name");
    EXPECT_THAT(Command({"recommend"}).out, HasSubstr("not encrypted"));
    EXPECT_THAT(Command({"choose", "kernel"}).problem, HasSubstr("no volume"));
}

// No key appears in any output or file.
TEST_F(CryptoKeeperTest, NoKeyAnywhere) {
    std::string all = Command({"bench"}).out + Command({"bench", "--json"}).out +
                      Command({"choose", "kernel"}).out + Command({"status", "--json"}).out +
                      Command({"recommend"}).out + WriteJson(phone_.Dump()) + ChoiceFile();
    size_t digits = 0;
    for (char c : all) {
        digits = isxdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
        ASSERT_LT(digits, 32);
    }
    ASSERT_FALSE(phone_.ciphers.keys().empty());
    for (const std::vector<uint8_t>& key : phone_.ciphers.keys()) {
        EXPECT_EQ(std::string::npos, all.find(std::string(key.begin(), key.end())));
    }
}

TEST_F(CryptoKeeperTest, FileIoWithoutAfAlg) {
    phone_.ciphers.FailSockets(EAFNOSUPPORT);
    const CryptoAnswer answer = Command({"bench"});
    EXPECT_EQ(EX_OK, answer.code) << answer.problem;
    // Without AF_ALG no cipher was measured, so none is named.
    EXPECT_THAT(answer.out, StartsWith("A file on /data, measured by file_io: its file system, "));
    EXPECT_THAT(answer.out, HasSubstr("problem: no AF_ALG"));
    // Writing 1 MiB takes 4 requests and a sync of 500 us each; reading has no sync.
    EXPECT_THAT(answer.out, HasSubstr("file: write 419.4 +- 0.0, read 524.3 +- 0.0 MB/s"));
    EXPECT_THAT(Command({"recommend"}).out, HasSubstr("undecided"));
    EXPECT_EQ(EX_OK, Command({"choose", "kernel"}).code);
    EXPECT_THAT(ChoiceFile(), HasSubstr("method file_io"));
}

// 1 MiB is written in 12.5 s and read in 10 s, as on a slow card.
TEST_F(CryptoKeeperTest, ASlowBaselineHasDigitsAndUnits) {
    phone_.ciphers.FailSockets(EAFNOSUPPORT);
    FakeSyscalls::File speed;
    speed.during = [this](std::string_view) {
        phone_.ciphers.Pass(std::chrono::milliseconds(2500));
    };
    phone_.syscalls.AllowToCreate(phone_.tree.PathOf("/data/misc/storekeeper/speed"), speed);
    EXPECT_THAT(Command({"choose", "kernel"}).out,
                HasSubstr("; baseline: write 0.084 MB/s, read 0.10 MB/s by file_io\n"));
    EXPECT_THAT(Command({"bench"}).out,
                HasSubstr("file: write 0.084 +- 0.0, read 0.10 +- 0.0 MB/s"));
}

// AF_ALG offers no driver of an engine from Linux 7.2 on, and none by its name from 7.3 on.
TEST_F(CryptoKeeperTest, AKernelWhoseAfAlgGivesNoDriverIsLeftAsItIs) {
    phone_.ciphers.Remove(kHw);
    const CryptoAnswer bench = Command({"bench"});
    EXPECT_EQ(EX_OK, bench.code) << bench.problem;
    EXPECT_THAT(bench.out, HasSubstr("problem: AF_ALG has no qcrypto-cbc-aes"));
    EXPECT_THAT(bench.out, HasSubstr("by file_io"));
    EXPECT_THAT(Command({"recommend"}).out, HasSubstr("AF_ALG has no qcrypto-cbc-aes"));
    EXPECT_THAT(Command({"choose", "kernel"}).problem,
                HasSubstr("no switch possible: AF_ALG has no qcrypto-cbc-aes"));
    EXPECT_FALSE(phone_.tree.files().Exists("/cache/storekeeper/crypto"));
}

TEST_F(CryptoKeeperTest, WithoutAPlaceNothingIsChosen) {
    phone_.tree.Remove("/cache/storekeeper");
    phone_.Restart();
    EXPECT_THAT(Command({"choose", "auto"}).problem, HasSubstr("no place to save a choice"));
    EXPECT_THAT(phone_.crypto().Status().notes, Contains(HasSubstr("no place to save a choice")));
}

}  // namespace
}  // namespace storekeeper
