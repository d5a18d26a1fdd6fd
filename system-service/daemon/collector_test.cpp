// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "crypto/properties.h"
#include "mounts/mount_audit.h"
#include "report/dump.h"
#include "report/report.h"
#include "testing/fake_packages.h"
#include "testing/no_threads.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using testing::HasSubstr;

constexpr char kLevel[] = "storekeeper.status.level";
constexpr char kLifeTime[] = "/sys/block/mmcblk0/device/life_time";

TEST(CollectorTest, ReportsNothingBeforeItHasGathered) {
    Phone phone;
    const Json::Value dump = phone.Dump();
    EXPECT_EQ(0U, dump["ledger"]["samples"].asUInt());
    EXPECT_TRUE(dump["latency"]["now"].empty());
    EXPECT_EQ("Phone", dump["device"]["model"].asString());
}

TEST(CollectorTest, GathersTheWearAndPublishesIt) {
    Phone phone;
    phone.collector().Gather();
    const Json::Value dump = phone.Dump();
    EXPECT_EQ(1U, dump["ledger"]["samples"].asUInt());
    EXPECT_EQ("first_seen", dump["ledger"]["events"][0]["kind"].asString());
    EXPECT_EQ("good", phone.Property(kLevel));
    EXPECT_EQ("10", phone.Property("storekeeper.status.life_used_pct"));
    EXPECT_EQ("100", phone.Property("storekeeper.status.life_remaining_pct"));
}

TEST(CollectorTest, RemembersOverARestartWhatWasWrittenDown) {
    Phone phone;
    phone.collector().Gather();
    phone.collector().Finish();
    phone.Restart();
    phone.clock.Advance(hours(24));
    phone.tree.Write(kLifeTime, "0x02 0x01\n");
    phone.collector().Gather();
    const Json::Value ledger = phone.Dump()["ledger"];
    EXPECT_EQ(2U, ledger["samples"].asUInt());
    ASSERT_EQ(1U, ledger["steps"].size());
    EXPECT_EQ("life_time_a", ledger["steps"][0]["field"].asString());
    EXPECT_EQ(2, ledger["steps"][0]["to"].asInt());
}

TEST(CollectorTest, GathersWhenTickedAndNotAgainForADay) {
    Phone phone;
    const BootTime begin = phone.clock.SinceBoot();
    EXPECT_EQ(begin + hours(24), phone.collector().Tick());
    phone.WaitForProperty(kLevel, "good");
    phone.tree.Write(kLifeTime, "0x0b 0x01\n");
    phone.clock.Advance(hours(23));
    EXPECT_EQ(begin + hours(24), phone.collector().Tick());
    phone.collector().Finish();
    EXPECT_EQ("good", phone.Property(kLevel));
    phone.clock.Advance(hours(24));
    phone.collector().Tick();
    phone.WaitForProperty(kLevel, "urgent");
}

// A gathering without a flush, such as one after a run, does not delay the next flush.
TEST(CollectorTest, AtMostOneDayIsMissingAfterAKill) {
    Phone phone;
    phone.collector().Gather();
    phone.clock.Advance(std::chrono::minutes(20));
    phone.collector().Gather();
    EXPECT_EQ(phone.clock.SinceBoot() + hours(24) - std::chrono::minutes(20),
              phone.collector().Tick());
    // Half an hour after the last sample, a gathering flushes.
    phone.clock.Advance(std::chrono::minutes(10));
    phone.collector().Gather();
    EXPECT_EQ(phone.clock.SinceBoot() + hours(24), phone.collector().Tick());
}

TEST(CollectorTest, TheFirstSampleOutlivesAKill) {
    Phone phone;
    phone.collector().Gather();
    phone.Restart();
    phone.clock.Advance(hours(3));
    phone.tree.Write(kLifeTime, "0x02 0x01\n");
    phone.collector().Gather();
    phone.Restart();
    phone.collector().Gather();
    const Json::Value ledger = phone.Dump()["ledger"];
    EXPECT_EQ(2U, ledger["samples"].asUInt());
    EXPECT_EQ(1U, ledger["steps"].size());
}

TEST(CollectorTest, AGatheringWithoutAThreadIsRepeatedAtTheNextTick) {
    Phone phone;
    {
        const NoThreads none;
        if (!none) GTEST_SKIP() << "this libc cannot refuse threads";
        phone.collector().Tick();
    }
    EXPECT_EQ("", phone.Property(kLevel));
    phone.collector().Tick();
    phone.WaitForProperty(kLevel, "good");
}

TEST(CollectorTest, ARunIsMeasuredAtOnce) {
    Phone phone;
    phone.collector().Gather();
    phone.tree.Write(kLifeTime, "0x09 0x01\n");
    phone.collector().OnEvent();
    phone.WaitForProperty(kLevel, "warning");
}

// A phone at rest that counts the I/Os of its probe.
class ProbedPhone {
  public:
    ProbedPhone() {
        phone.AllowProbe({.during = [this](std::string_view /* call */) { ++calls; }});
        phone.Restart();
        phone.clock.Advance(hours(2));
        phone.keeper().Maintain();
        phone.keeper().Tick();
    }

    Phone phone;
    int calls = 0;
};

TEST(CollectorTest, TheEndOfTheServiceStopsAProbe) {
    ProbedPhone probed;
    probed.phone.collector().Finish();
    probed.phone.collector().Gather();
    EXPECT_LT(probed.calls, 4);
}

TEST(CollectorTest, TheProbeRestsADay) {
    ProbedPhone probed;
    probed.phone.collector().Gather();
    EXPECT_LT(0, probed.calls);
    probed.phone.clock.Advance(hours(23));
    probed.calls = 0;
    probed.phone.collector().Gather();
    EXPECT_EQ(0, probed.calls);
    probed.phone.clock.Advance(hours(1));
    probed.phone.collector().Gather();
    EXPECT_LT(0, probed.calls);
}

TEST(CollectorTest, NothingIsProbedWhileSomebodyUsesThePhone) {
    ProbedPhone probed;
    MaintenanceReadings touched = FakeInputs::Untouched();
    touched.interaction = {.screen_on = true, .last_input = probed.phone.clock.SinceBoot()};
    probed.phone.inputs.Set(touched);
    probed.phone.keeper().Tick();
    probed.phone.collector().Gather();
    EXPECT_EQ(0, probed.calls);
    EXPECT_THAT(probed.phone.Dump()["latency"]["sources"][1]["why"].asString(),
                HasSubstr("waiting for the device to be idle"));
}

TEST(CollectorTest, NothingIsComputedFromCountersThatStandStill) {
    Phone phone;
    phone.tree.Write("/sys/dev/block/179:2/uevent", "DEVNAME=mmcblk0p2\n");
    phone.tree.Write("/sys/dev/block/179:0/uevent", "DEVNAME=mmcblk0\n");
    phone.tree.Write("/sys/fs/ext4/mmcblk0p2/lifetime_write_kbytes", "1048576\n");
    phone.tree.Write("/sys/dev/block/179:0/queue/iostats", "1\n");
    phone.collector().Gather();
    EXPECT_EQ(1U << 30, phone.Dump()["ledger"]["lifetime_bytes"].asUInt());
    EXPECT_THAT(DumpText(phone.Sources(), {}), HasSubstr("Written: 1 GiB since /data was made"));
    phone.tree.Write("/sys/dev/block/179:0/queue/iostats", "0\n");
    constexpr char kWhy[] = "not counted: queue/iostats is 0 on mmcblk0";
    // The dump shows it even before the next gathering.
    const Json::Value early = phone.Dump();
    EXPECT_TRUE(early["ledger"]["lifetime_bytes"].isNull());
    EXPECT_THAT(early["ledger"]["forecast"]["reason"].asString(), HasSubstr(kWhy));
    EXPECT_EQ(kWhy, early["latency"]["sources"][0]["why"].asString());
    phone.clock.Advance(hours(24));
    phone.collector().Gather();
    const Json::Value dump = phone.Dump();
    EXPECT_TRUE(dump["ledger"]["lifetime_bytes"].isNull());
    EXPECT_TRUE(dump["ledger"]["written_bytes"].isNull());
    EXPECT_THAT(dump["ledger"]["written_why"].asString(), HasSubstr(kWhy));
    EXPECT_THAT(dump["ledger"]["forecast"]["reason"].asString(), HasSubstr(kWhy));
    EXPECT_EQ(kWhy, dump["latency"]["sources"][0]["why"].asString());
    EXPECT_EQ(kWhy, dump["latency"]["write_path"]["why"].asString());
    EXPECT_TRUE(dump["latency"]["write_path"]["disk_bytes"].isNull());
    EXPECT_THAT(DumpText(phone.Sources(), {}), HasSubstr("Written: not known, bytes written are"));
}

// A dump of 5,000 file systems must end before dumpsys gives up after 10 seconds.
TEST(CollectorTest, ADumpOfManyMountsListsThoseThatMatter) {
    Phone phone;
    phone.rules.configured = {"/data", "/cache", "/mnt/expand/*"};
    phone.Restart();
    const std::string own = phone.tree.Read("/proc/self/mountinfo");
    constexpr uint64_t kMany = 5000;
    std::string mountinfo;
    for (uint64_t i = 0; i < kMany; ++i) {
        const std::string n = std::to_string(i);
        // The last twenty are trimmed.
        mountinfo += std::to_string(100 + i) + " 21 253:" + n + " / /mnt/" +
                     (i < kMany - 20 ? "volume" : "expand/") + n +
                     " rw,noatime - ext4 /dev/block/dm-" + n + " rw\n";
    }
    phone.tree.Write("/proc/self/mountinfo", mountinfo + own);
    phone.collector().Gather();
    const Json::Value dump = phone.Dump();
    std::set<std::string> listed;
    for (const Json::Value& mount : dump["mount_audit"]["mounts"]) {
        listed.insert(mount["mount"].asString());
    }
    EXPECT_EQ(kMaxListedMounts, listed.size());
    for (const char* kept : {"/data", "/cache", "/mnt/expand/4980", "/mnt/expand/4999"}) {
        EXPECT_EQ(1U, listed.count(kept)) << kept;
    }
    // The additional two are /data and /cache.
    constexpr uint64_t kLeftOut = kMany + 2 - kMaxListedMounts;
    EXPECT_EQ(kLeftOut, dump["mount_audit"]["mounts_left_out"].asUInt64());
    EXPECT_EQ(kLeftOut, dump["crypto"]["mounts_left_out"].asUInt64());
    EXPECT_EQ(kMaxListedMounts, dump["crypto"]["volumes"].size());
    for (const Json::Value& finding : dump["mount_audit"]["findings"]) {
        EXPECT_EQ(1U, listed.count(finding["mount"].asString()));
    }
    for (const char* section : {"mounts", "crypto"}) {
        EXPECT_THAT(DumpText(phone.Sources(), {section}),
                    HasSubstr("  4954 more mounts are left out\n"));
    }
}

TEST(CollectorTest, APlanOfManyMountsListsThoseThatMatter) {
    Phone phone;
    phone.rules.configured = {"/mnt/expand/*", "/data", "/cache"};
    phone.Restart();
    constexpr uint64_t kMany = 5000;
    std::string mountinfo = phone.tree.Read("/proc/self/mountinfo");
    for (uint64_t i = 0; i < kMany; ++i) {
        const std::string n = std::to_string(i);
        mountinfo += std::to_string(100 + i) + " 21 253:" + n + " / /mnt/expand/" + n +
                     " ro,noatime - ext4 /dev/block/dm-" + n + " ro\n";
    }
    phone.tree.Write("/proc/self/mountinfo", mountinfo);
    const RunPlan plan = phone.keeper().Plan();
    EXPECT_EQ(kMany + 2 - kMaxListedMounts, plan.mounts_left_out);
    ASSERT_EQ(kMaxListedMounts, plan.mounts.size());
    EXPECT_EQ("/data", plan.mounts[kMaxListedMounts - 2].selection.path);
    EXPECT_EQ("/cache", plan.mounts[kMaxListedMounts - 1].selection.path);
    EXPECT_EQ(4954U, PlanToJson(plan, {})["mounts_left_out"].asUInt64());
    EXPECT_THAT(PlanText(plan, {}), HasSubstr("  4954 more mounts are left out\n"));
    // The receipt of a run has the same limit.
    const auto receipt = phone.keeper().Trim({});
    ASSERT_TRUE(receipt.ok()) << receipt.error();
    const TrimReceipt kept = phone.keeper().Receipts(1).at(0);
    EXPECT_EQ(kMany + 2, kept.mounts.size() + kept.mounts_left_out);
    EXPECT_GE(kMaxListedMounts, kept.mounts.size());
}

TEST(CollectorTest, CountersOfTheLastHoursAreWrittenDownAtTheEnd) {
    Phone phone;
    const char* const before = "179 0 mmcblk0 10 0 80 5 20 0 160 9 0 14 14\n";
    phone.tree.Write("/proc/diskstats", before);
    phone.collector().Gather();
    phone.clock.Advance(hours(3));
    phone.tree.Write("/proc/diskstats", "179 0 mmcblk0 17 0 80 5 20 0 160 9 0 14 14\n");
    phone.collector().Finish();
    phone.Restart();
    phone.collector().Gather();
    const Json::Value now = phone.Dump()["latency"]["now"];
    ASSERT_EQ(1U, now.size());
    EXPECT_EQ(7U, now[0]["count"].asUInt());
}

TEST(CollectorTest, ReportedAlertsAreInTheDumpAndOutliveARestart) {
    Phone phone;
    phone.tree.Write(kLifeTime, "0x0b 0x01\n");
    for (int i = 0; i < 2; ++i) {
        phone.collector().Gather();
        phone.collector().Finish();
        const Json::Value dump = phone.Dump();
        ASSERT_EQ(1U, dump["ledger"]["alerts"].size()) << i;
        EXPECT_EQ("life_a", dump["ledger"]["alerts"][0]["code"].asString());
        EXPECT_THAT(DumpText(phone.Sources(), {}), HasSubstr("Alert: "));
        phone.Restart();
    }
}

TEST(DumpTest, ADamagedChoiceIsOnTheFirstScreenUntilTheNextOne) {
    Phone phone;
    phone.tree.Write("/cache/storekeeper/crypto", "mode ker");
    for (int start = 0; start < 2; ++start) {
        phone.Restart();
        EXPECT_THAT(DumpText(phone.Sources(), {}),
                    HasSubstr("Encryption: the choice of an engine is lost"));
        EXPECT_THAT(DumpText(phone.Sources(), {"crypto"}),
                    HasSubstr("Choice: auto (the choice file was damaged)"));
    }
    ASSERT_TRUE(phone.crypto().Choose(CryptoMode::kAuto).ok());
    phone.Restart();
    EXPECT_THAT(DumpText(phone.Sources(), {}), testing::Not(HasSubstr("Encryption: ")));
}

// A phone on which an app has written 1 MiB on its first day.
class WrittenPhone {
  public:
    WrittenPhone() {
        phone.packages = packages;
        phone.Restart();
        phone.tree.Write("/proc/uid_io/stats", "10123 0 0 0 0 0 0 0 0 0 0\n");
        phone.collector().Gather();
        phone.tree.Write("/proc/uid_io/stats", "10123 0 0 0 1048576 0 0 0 0 16 0\n");
        phone.clock.Advance(hours(24));
        phone.collector().Gather();
    }

    Phone phone;
    std::shared_ptr<FakePackages> packages = std::make_shared<FakePackages>();
};

TEST(CollectorTest, AttributesWhatTheFileSystemWasWritten) {
    Phone phone;
    const auto gather = [&](const std::string& uids, int sectors) {
        phone.tree.Write("/proc/uid_io/stats", uids);
        phone.tree.Write("/proc/diskstats",
                         "179 0 mmcblk0 0 0 0 0 0 0 9" + std::to_string(sectors) +
                                 " 0 0 0 0 5 0 8 1 0 0\n"
                                 "179 2 mmcblk0p2 0 0 0 0 0 0 " +
                                 std::to_string(sectors) + " 0 0 0 0 5 0 8 1 0 0\n");
        phone.clock.Advance(hours(24));
        phone.collector().Gather();
        return phone.Dump()["latency"];
    };
    EXPECT_TRUE(gather("1000 0 0 0 0 0 0 0 0 0 0\n", 100)["write_path"]["uid_bytes"].isNull());
    const Json::Value latency =
            gather("1000 0 0 0 8192 0 0 0 0 0 0\n10123 0 0 0 4096 0 0 0 0 2 0\n", 204);
    // 53248 bytes reached the device, 40960 of them for two fsyncs.
    const Json::Value& writers = latency["uid_writes"];
    ASSERT_EQ(2U, writers.size());
    EXPECT_EQ(10123U, writers[0]["uid"].asUInt());
    EXPECT_EQ(4096U, writers[0]["bytes_per_day"].asUInt());
    EXPECT_EQ(45056U, writers[0]["device_bytes_per_day"].asUInt());
    EXPECT_EQ(2U, writers[0]["fsyncs_per_day"].asUInt());
    EXPECT_FALSE(writers[0]["fsync_storm"].asBool());
    EXPECT_EQ(8192U, writers[1]["device_bytes_per_day"].asUInt());
    const Json::Value& path = latency["write_path"];
    EXPECT_EQ("ext4", path["filesystem"].asString());
    EXPECT_EQ(24 * 3600, path["span_s"].asInt());
    EXPECT_EQ(12288U, path["uid_bytes"].asUInt());
    EXPECT_EQ(53248U, path["filesystem_bytes"].asUInt());
    EXPECT_EQ(53248U, path["disk_bytes"].asUInt());
}

// Before and after FITRIM of 10 GiB, which a kernel before Linux 4.18 counts as writes. The
// counters are a Huawei phone's: gsurrel.github.io/PortingAndroid, clone-storage.md.
TEST(CollectorTest, TrimmedBytesAreNobodysWrites) {
    Phone phone;
    phone.tree.Write("/sys/dev/block/179:2/uevent", "DEVNAME=mmcblk0p2\n");
    phone.tree.Write("/sys/fs/ext4/mmcblk0p2/lifetime_write_kbytes", "1048576\n");
    const auto gather = [&](const std::string& uids, const std::string& writes) {
        phone.tree.Write("/proc/uid_io/stats", uids);
        const std::string counters =
                " 56051 10089900 13722294 410080 " + writes + " 0 218660 433560\n";
        phone.tree.Write("/proc/diskstats",
                         "179 0 mmcblk0" + counters + "179 2 mmcblk0p2" + counters);
        phone.clock.Advance(hours(24));
        phone.collector().Gather();
    };
    gather("10123 0 0 0 0 0 0 0 0 0 0\n", "1177 1875 24721 23720");
    gather("10123 0 0 0 4096 0 0 0 0 0 0\n", "1257 1875 20996241 43720");
    const Json::Value dump = phone.Dump();
    const Json::Value& latency = dump["latency"];
    ASSERT_EQ(1U, latency["uid_writes"].size());
    EXPECT_EQ(4096U, latency["uid_writes"][0]["device_bytes_per_day"].asUInt64());
    constexpr char kWhy[] = "not counted: the kernel counts discards as writes (before Linux 4.18)";
    EXPECT_TRUE(latency["write_path"]["filesystem_bytes"].isNull());
    EXPECT_TRUE(latency["write_path"]["disk_bytes"].isNull());
    EXPECT_EQ(kWhy, latency["write_path"]["why"].asString());
    EXPECT_TRUE(latency["sources"][0]["on"].asBool());
    // The forecast compares the file system's bytes with themselves, discards or not.
    EXPECT_EQ(1048576ULL * 1024, dump["ledger"]["lifetime_bytes"].asUInt64());
}

constexpr char kOverBudget[] = "storekeeper.status.over_budget";

// A phone on which an app writes `mib` MiB each day.
class BudgetPhone {
  public:
    explicit BudgetPhone(const WritersConfig& limits) {
        phone.packages = std::make_shared<FakePackages>();
        phone.config.config.writers = limits;
        phone.Restart();
        Write(0);
    }

    void Write(uint64_t mib) {
        total_ += mib << 20;
        phone.tree.Write("/proc/uid_io/stats",
                         "10123 0 0 0 " + std::to_string(total_) + " 0 0 0 0 0 0\n");
        phone.clock.Advance(hours(24));
        phone.collector().Gather();
    }

    Phone phone;

  private:
    uint64_t total_ = 0;
};

TEST(CollectorTest, AnAppOverItsBudgetIsNamedByAlertPropertyAndDump) {
    BudgetPhone budget({.app_budget_mib = 100});
    Phone& phone = budget.phone;
    budget.Write(100);
    EXPECT_EQ("", phone.Property(kOverBudget));
    EXPECT_TRUE(phone.Dump()["latency"]["budgets"]["offenders"].empty());
    budget.Write(101);
    EXPECT_EQ("10123", phone.Property(kOverBudget));
    EXPECT_EQ("write_budget:warning", phone.Property("storekeeper.status.alerts"));
    EXPECT_THAT(DumpText(phone.Sources(), {}),
                HasSubstr("Alert: mmcblk0: uid 10123 wrote 101 MiB "));
    EXPECT_THAT(DumpText(phone.Sources(), {"ledger"}),
                HasSubstr("over budget on 1 of the last 30 days"));
    budget.Write(300);
    budget.Write(200);
    phone.collector().Finish();
    phone.Restart();
    budget.Write(0);
    // The app is not over its budget today, but the history keeps earlier days.
    EXPECT_EQ("", phone.Property(kOverBudget));
    EXPECT_EQ("write_budget:warning", phone.Property("storekeeper.status.alerts"));
    const Json::Value json = DumpToJson(phone.daemon().Sources(true));
    const Json::Value& offender = json["latency"]["budgets"]["offenders"][0];
    EXPECT_EQ("com.example.app10123", offender["name"].asString());
    EXPECT_EQ(3, offender["days_over"].asInt());
    EXPECT_FALSE(offender["today"].asBool());
    EXPECT_TRUE(offender["repeats"].asBool());
    EXPECT_EQ(300 << 20, offender["most"]["bytes"].asInt());
    EXPECT_EQ(200 << 20, offender["last"]["bytes"].asInt());
    EXPECT_TRUE(phone.Dump()["latency"]["budgets"]["offenders"][0]["name"].isNull());
}

TEST(CollectorTest, WithoutBudgetsNothingIsLeftOfThem) {
    BudgetPhone budget({.app_budget_mib = 100});
    Phone& phone = budget.phone;
    budget.Write(101);
    phone.collector().Finish();
    phone.config.config.writers = {};
    phone.Restart();
    budget.Write(900);
    budget.Write(900);
    EXPECT_EQ("", phone.Property(kOverBudget));
    EXPECT_EQ("", phone.Property("storekeeper.status.alerts"));
    EXPECT_TRUE(phone.Dump()["latency"]["budgets"].isNull());
    EXPECT_THAT(DumpText(phone.Sources(), DumpSections()), testing::Not(HasSubstr("udget")));
}

TEST(CollectorTest, AGatheringOfTwoDaysCountsAsTheirMean) {
    BudgetPhone budget({.app_budget_mib = 100});
    budget.phone.clock.Advance(hours(24));
    budget.Write(150);
    EXPECT_EQ("", budget.phone.Property(kOverBudget));
}

TEST(DumpTest, NamesAppsOnlyWhereThatIsAskedFor) {
    WrittenPhone written;
    Phone& phone = written.phone;
    const Json::Value shown = DumpToJson(phone.daemon().Sources(true))["latency"];
    ASSERT_EQ(1U, shown["uid_writes"].size());
    EXPECT_EQ("com.example.app10123", shown["uid_writes"][0]["name"].asString());
    EXPECT_EQ("app", shown["uid_writes"][0]["kind"].asString());
    EXPECT_TRUE(shown["uid_names"]["on"].asBool());
    EXPECT_THAT(DumpText(phone.daemon().Sources(true), {"latency"}), HasSubstr("com.example.app"));

    const Json::Value hidden = phone.Dump()["latency"];
    EXPECT_TRUE(hidden["uid_writes"][0]["name"].isNull());
    EXPECT_EQ("for --apps", hidden["uid_names"]["why"].asString());
    EXPECT_FALSE(hidden["uid_names"]["on"].asBool());
    for (const std::vector<std::string>& sections : {std::vector<std::string>(), DumpSections()}) {
        EXPECT_THAT(DumpText(phone.Sources(), sections), testing::Not(HasSubstr("com.example")));
    }
}

TEST(DumpTest, AProductMayNameAppsInEveryDump) {
    Phone phone;
    phone.config.config.writers.names_in_dumps = true;
    phone.Restart();
    EXPECT_TRUE(phone.Sources().names);
}

TEST(DumpTest, SaysWhyAppsHaveNoNames) {
    Phone phone;
    phone.collector().Gather();
    EXPECT_THAT(DumpText(phone.daemon().Sources(true), {"latency"}),
                HasSubstr("No names: no package service\n"));
}

TEST(DumpTest, PrintsTheSectionsThatAreNamed) {
    Phone phone;
    phone.collector().Gather();
    const DumpSources dump = phone.Sources();
    const std::string one = DumpText(dump, {"latency"});
    EXPECT_EQ(0U, one.find("Latency:"));
    EXPECT_THAT(one, testing::Not(HasSubstr("Maintenance:")));
    std::string all;
    for (const std::string& section : DumpSections()) all += DumpText(dump, {section});
    EXPECT_EQ(all, DumpText(dump, ParseDumpRequest({"-a"}).sections));
}

TEST(DumpTest, JsonOfTheSectionsThatAreNamed) {
    Phone phone;
    phone.collector().Gather();
    const Json::Value all = phone.Dump();
    const Json::Value one = DumpToJson(phone.Sources(), {"health"});
    EXPECT_THAT(one.getMemberNames(), testing::UnorderedElementsAre("schema", "version", "device",
                                                                    "made_wall_s", "health"));
    EXPECT_EQ(all["health"], one["health"]);
    EXPECT_EQ(all["made_wall_s"], one["made_wall_s"]);
}

TEST(DumpTest, DistinguishesSectionsOptionsAndUnknownWords) {
    EXPECT_THAT(ParseDumpRequest({}).sections, testing::IsEmpty());
    EXPECT_EQ(DumpSections(), ParseDumpRequest({"-a"}).sections);
    for (const char* word : {"-h", "--help", "help"}) EXPECT_TRUE(ParseDumpRequest({word}).help);
    const DumpRequest request = ParseDumpRequest({"health", "--json", "bogus", "worse"});
    EXPECT_TRUE(request.json);
    EXPECT_THAT(request.sections, testing::ElementsAre("health"));
    EXPECT_EQ("bogus", request.unknown);
    EXPECT_FALSE(request.apps);
    EXPECT_TRUE(ParseDumpRequest({"--apps"}).apps);
    // dumpstate passes these options.
    EXPECT_EQ("", ParseDumpRequest({"--proto", "--dump-priority", "NORMAL", "-a"}).unknown);
}

TEST(DumpTest, ReadsNoMoreThanATextShows) {
    Phone phone;
    phone.collector().Gather();
    // The crypto section reads /proc/crypto and properties.
    DumpText(phone.Sources(), {});
    DumpText(phone.Sources(), {"mounts", "receipts"});
    EXPECT_EQ(0, phone.PropertyReads(kEarlyProperty));
    DumpText(phone.Sources(), {"crypto"});
    EXPECT_EQ(1, phone.PropertyReads(kEarlyProperty));
    EXPECT_EQ(phone.Dump()["latency"], SectionToJson(phone.Sources(), "latency"));
}

}  // namespace
}  // namespace storekeeper
