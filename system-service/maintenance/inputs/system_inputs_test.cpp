// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/inputs/system_inputs.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/input.h>

#include <map>
#include <set>

#include "base/smart_idle_maintenance.h"
#include "testing/fake_clock.h"
#include "testing/fake_hal.h"
#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr unsigned long kTouchScreen = 1UL << EV_KEY | 1UL << EV_ABS;
constexpr unsigned long kAccelerometer = 1UL << EV_ABS;

class SystemInputsTest : public testing::Test {
  protected:
    SystemInputsTest() {
        AddInput("event0", kTouchScreen);
        tree_.MakeDirectory("/sys/class/power_supply");
    }

    void AddInput(const std::string& name, unsigned long types) {
        tree_.Write("/dev/input/" + name, "");
        syscalls_.Add("/dev/input/" + name, FakeSyscalls::InputDevice{.event_types = types});
    }

    // The fake opens a real file for each node.
    static size_t OpenFiles() { return FileReader().List("/proc/self/fd")->size(); }

    Result<InteractionReading> Read() { return inputs_.Read(true, true).interaction; }

    Tree tree_;
    FileReader files_ = tree_.files();
    FakeClock clock_;
    FakeSyscalls syscalls_;
    std::string screen_;  // not reported
    std::string smart_;
    std::string sdk_ = "33";
    std::set<std::string> asked_;
    BootTime start_ = clock_.SinceBoot();
    SystemInputs inputs_{syscalls_, files_, clock_, [this](const std::string& name) {
                             asked_.insert(name);
                             if (name == "debug.tracing.screen_state") return screen_;
                             if (name == "ro.build.version.sdk") return sdk_;
                             return name == kSmartIdleMaintenance ? smart_ : "";
                         }};
};

TEST_F(SystemInputsTest, KnowsNothingOfTheTimeBeforeItWatched) {
    clock_.Advance(hours(2));
    EXPECT_EQ(start_ + hours(2), Read()->last_input);
    clock_.Advance(hours(2));
    EXPECT_EQ(start_ + hours(2), Read()->last_input);
}

TEST_F(SystemInputsTest, OpensInputDevicesOnlyToWatch) {
    const size_t before = OpenFiles();
    EXPECT_EQ(std::nullopt, inputs_.Read(false, true).interaction->last_input);
    EXPECT_EQ(0U, OpenFiles() - before);
    EXPECT_EQ(start_, Read()->last_input);
    EXPECT_EQ(1U, OpenFiles() - before);
    clock_.Advance(hours(1));
    EXPECT_EQ(std::nullopt, inputs_.Read(false, true).interaction->last_input);
    EXPECT_EQ(0U, OpenFiles() - before);
    // Input in the meantime is unknown, so watching begins anew.
    clock_.Advance(hours(1));
    EXPECT_EQ(start_ + hours(2), Read()->last_input);
}

TEST_F(SystemInputsTest, GarbageInOneFileLeavesTheOthersReported) {
    tree_.Write("/proc/self/mountinfo", "40 21 259:2 / /data rw - ext4 /dev/x rw\n");
    tree_.Write("/proc/diskstats", " 179 0 mmcblk0 1 2 3 4 5 6 7 8 0 5 11\n");
    tree_.Write("/sys/class/power_supply/battery/type", "Battery\n");
    tree_.Write("/sys/class/power_supply/battery/capacity", "80\n");
    tree_.Write("/sys/class/power_supply/battery/status", "Full\n");
    tree_.Write("/sys/class/power_supply/battery/temp", "250\n");
    tree_.Write("/sys/class/thermal/thermal_zone0/type", "soc\n");
    tree_.Write("/sys/class/thermal/thermal_zone0/temp", "41000\n");
    const std::string long_line = std::string(1 << 20, '7') + "\n";
    for (std::string_view garbage : {std::string_view(), std::string_view("\0\1\2\n", 4),
                                     std::string_view("tr"), std::string_view(long_line)}) {
        for (const char* path :
             {"/proc/self/mountinfo", "/proc/diskstats", "/sys/class/power_supply/battery/capacity",
              "/sys/class/power_supply/battery/temp", "/sys/class/thermal/thermal_zone0/temp"}) {
            const std::string good = tree_.Read(path);
            tree_.Write(path, garbage);
            MaintenanceReadings readings = inputs_.Read(true, true);
            const int failed = (readings.power.ok() ? 0 : 1) + (readings.interaction.ok() ? 0 : 1) +
                               (readings.battery_heat.ok() ? 0 : 1) +
                               (readings.zones.problems.empty() ? 0 : 1) +
                               (readings.storage.ok() ? 0 : 1) + (readings.checkpoint.ok() ? 0 : 1);
            // A line of mountinfo that is no f2fs is skipped, not an error.
            const bool is_read_over = path == std::string("/proc/self/mountinfo") &&
                                      garbage == std::string_view(long_line);
            EXPECT_EQ(is_read_over ? 0 : 1, failed) << path;
            tree_.Write(path, good);
        }
    }
}

TEST_F(SystemInputsTest, ReadsTheFrameworksFlag) {
    for (const auto& [value, on] : std::map<std::string, bool>{{"true", true},
                                                               {"1", true},
                                                               {"false", false},
                                                               {"", false},
                                                               {"garbage", false}}) {
        smart_ = value;
        EXPECT_EQ(on, inputs_.Read(false, true).framework_maintains) << value;
    }
}

TEST_F(SystemInputsTest, BeforeAndroid13TheFlagIsNotAskedFor) {
    smart_ = "true";
    for (const char* sdk : {"32", "", "garbage"}) {
        sdk_ = sdk;
        EXPECT_FALSE(inputs_.Read(false, true).framework_maintains) << sdk;
    }
    EXPECT_EQ(0U, asked_.count(kSmartIdleMaintenance));
    sdk_ = "33";
    EXPECT_TRUE(inputs_.Read(false, true).framework_maintains);
}

TEST_F(SystemInputsTest, TakesTheTimeOfTheNewestTouch) {
    ASSERT_TRUE(Read().ok());
    syscalls_.Touch("/dev/input/event0", start_ + seconds(10));
    syscalls_.Touch("/dev/input/event0", start_ + seconds(20));
    clock_.Advance(hours(1));
    EXPECT_EQ(start_ + seconds(20), Read()->last_input);
    // The events are gone from the queue, but not from memory.
    EXPECT_EQ(start_ + seconds(20), Read()->last_input);
}

TEST_F(SystemInputsTest, AfterATouchTheScreenMayHaveBeenOnUntilItIsSeenOff) {
    screen_ = "1";
    EXPECT_EQ(start_, Read()->last_input);
    // The phone was in use for ten minutes and was not read meanwhile.
    syscalls_.Touch("/dev/input/event0", start_ + seconds(10));
    clock_.Advance(minutes(50));
    const BootTime seen_off = clock_.SinceBoot();
    EXPECT_EQ(seen_off, Read()->last_input);
    clock_.Advance(minutes(50));
    EXPECT_EQ(seen_off, Read()->last_input);
    // If nothing reports the screen, only the touch is known.
    screen_ = "";
    syscalls_.Touch("/dev/input/event0", seen_off + seconds(10));
    EXPECT_EQ(seen_off + seconds(10), Read()->last_input);
}

// evdev of a Galaxy S7 (Linux 3.18) refuses CLOCK_BOOTTIME.
TEST_F(SystemInputsTest, WatchesInputByTheMonotonicClockBeforeLinux40) {
    syscalls_.Add("/dev/input/event0",
                  FakeSyscalls::InputDevice{.event_types = kTouchScreen, .clock = CLOCK_MONOTONIC});
    clock_.Suspend(hours(5));
    const Result<InteractionReading> armed = Read();
    ASSERT_TRUE(armed.ok()) << armed.error();
    syscalls_.Touch("/dev/input/event0", start_ + seconds(10));
    clock_.Advance(hours(1));
    EXPECT_EQ(start_ + hours(5) + seconds(10), Read()->last_input);
    syscalls_.Touch("/dev/input/event0", clock_.Wall());
    EXPECT_EQ(clock_.SinceBoot(), Read()->last_input);
}

TEST_F(SystemInputsTest, AnAccelerometerIsNoTouch) {
    AddInput("event1", kAccelerometer);
    ASSERT_TRUE(Read().ok());
    syscalls_.Touch("/dev/input/event1", start_ + seconds(10), EV_ABS);
    EXPECT_EQ(start_, Read()->last_input);
}

TEST_F(SystemInputsTest, FindsDevicesThatAppearLaterAndForgetsThoseThatGo) {
    ASSERT_TRUE(Read().ok());
    clock_.Advance(minutes(1));
    AddInput("event7", kTouchScreen);
    ASSERT_TRUE(Read().ok());
    syscalls_.Touch("/dev/input/event7", start_ + seconds(30));
    EXPECT_EQ(start_ + seconds(30), Read()->last_input);
    syscalls_.Unplug("/dev/input/event7");
    tree_.Remove("/dev/input/event7");
    EXPECT_TRUE(Read().ok());
    // The number returns as another device.
    AddInput("event7", kTouchScreen);
    ASSERT_TRUE(Read().ok());
    syscalls_.Touch("/dev/input/event7", start_ + seconds(40));
    EXPECT_EQ(start_ + seconds(40), Read()->last_input);
}

TEST_F(SystemInputsTest, SilenceOfNodesItMayNotReadMeansNothing) {
    syscalls_.FailOpen("/dev/input/event0", EACCES);
    Result<InteractionReading> reading = Read();
    ASSERT_FALSE(reading.ok());
    EXPECT_THAT(reading.error().message(), HasSubstr("/dev/input/event0"));
}

TEST_F(SystemInputsTest, ReadsTheScreen) {
    struct Row {
        const char* property = "";
        std::optional<bool> on;
    };
    for (const Row& row : {Row{"1", false}, Row{"2", true}, Row{"3", false}, Row{"4", false},
                           Row{"5", true}, Row{"6", true}, Row{"", std::nullopt},
                           Row{"0", std::nullopt}, Row{"garbage", std::nullopt}}) {
        screen_ = row.property;
        EXPECT_EQ(row.on, Read()->screen_on) << row.property;
    }
}

TEST_F(SystemInputsTest, AScreenSeenOffAfterOnMayHaveBeenOnUntilNow) {
    screen_ = "2";
    ASSERT_TRUE(Read().ok());
    clock_.Advance(hours(1));
    screen_ = "1";
    BootTime seen_off = clock_.SinceBoot();
    EXPECT_EQ(seen_off, Read()->last_input);
    clock_.Advance(hours(1));
    EXPECT_EQ(seen_off, Read()->last_input);
}

TEST_F(SystemInputsTest, AsksTheHalForABatteryThatTheKernelHides) {
    tree_.Remove("/sys/class/power_supply");
    FakeHal hal;
    SystemInputs inputs(
            syscalls_, files_, clock_, [](const std::string&) { return ""; }, &hal);
    EXPECT_THAT(inputs.Read(false, false).power.error().message(), HasSubstr("not queried yet"));
    const MaintenanceReadings none = inputs.Read(false, true);
    for (const std::string& message :
         {none.power.error().message(), none.battery_heat.error().message()}) {
        EXPECT_THAT(message, HasSubstr("/sys/class/power_supply"));
        EXPECT_THAT(message, HasSubstr("health HAL: no HAL"));
    }
    hal.battery = HalBattery{.present = true, .level = 61, .temperature = 312};
    for (const bool wait : {true, false}) {
        const MaintenanceReadings readings = inputs.Read(false, wait);
        ASSERT_TRUE(readings.power.ok() && readings.battery_heat.ok());
        EXPECT_EQ(61, readings.power->percent);
        EXPECT_FALSE(readings.power->on_charger);
        EXPECT_EQ(312, **readings.battery_heat);
        hal.battery = HalBattery{.present = true, .level = 10};  // not queried without `wait`
    }
    // A broken sensor is ignored, but the level counts.
    hal.battery = HalBattery{.present = true, .level = 61, .temperature = 25000};
    EXPECT_EQ(61, inputs.Read(false, true).power->percent);
    const Result<std::optional<int>> broken = inputs.Read(false, true).battery_heat;
    ASSERT_FALSE(broken.ok());
    EXPECT_EQ(ERANGE, broken.error().code());
    EXPECT_THAT(broken.error().message(), HasSubstr("health HAL's battery temperature is '25000'"));
    hal.battery = HalBattery{.present = true, .level = 300};
    EXPECT_THAT(inputs.Read(false, true).power.error().message(), HasSubstr("invalid value"));
    hal.battery = HalBattery{};
    EXPECT_TRUE(inputs.Read(false, true).power->on_charger);
    EXPECT_EQ(std::nullopt, *inputs.Read(false, true).battery_heat);
}

TEST_F(SystemInputsTest, TwoLooksAtOnceStandOnOneMeasure) {
    const auto busy = [&](int64_t ms) {
        tree_.Write("/proc/diskstats",
                    " 179 0 mmcblk0 1 2 3 4 5 6 7 8 0 " + std::to_string(ms) + " 11\n");
    };
    busy(1000);
    EXPECT_EQ(std::nullopt, inputs_.Read(false, true).storage->busy_percent);
    clock_.Advance(seconds(100));
    busy(51000);
    EXPECT_EQ(50, inputs_.Read(false, false).storage->busy_percent);
    clock_.Advance(std::chrono::milliseconds(500));
    EXPECT_EQ(50, inputs_.Read(false, true).storage->busy_percent);
    clock_.Advance(std::chrono::milliseconds(500));
    EXPECT_EQ(0, inputs_.Read(false, true).storage->busy_percent);
}

}  // namespace
}  // namespace storekeeper
