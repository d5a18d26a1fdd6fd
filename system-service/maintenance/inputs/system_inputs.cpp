// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/inputs/system_inputs.h"

#include <android-base/strings.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "base/device_hal.h"
#include "base/power_and_heat.h"
#include "base/smart_idle_maintenance.h"
#include "base/try.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// Written by the framework's power manager: android.view.Display.STATE_*.
constexpr char kScreenState[] = "debug.tracing.screen_state";
// Set by vold once a checkpoint has been committed.
constexpr char kCheckpointCommitted[] = "vold.checkpoint_committed";

// Whether the user can see the screen in this state. Dozing screens show a clock to nobody.
std::optional<bool> IsScreenOn(const std::string& state) {
    constexpr std::string_view kOff[] = {"1", "3", "4"};  // OFF, DOZE, DOZE_SUSPEND
    constexpr std::string_view kOn[] = {"2", "5", "6"};   // ON, VR, ON_SUSPEND
    if (std::find(std::begin(kOff), std::end(kOff), state) != std::end(kOff)) return false;
    if (std::find(std::begin(kOn), std::end(kOn), state) != std::end(kOn)) return true;
    return std::nullopt;
}

constexpr char kBlock[] = "/sys/block";
// dm-bow: 0 trim, 1 checkpoint, 2 committed.
constexpr char kCommitted[] = "2";

bool IsWithoutCheckpoints(const Mount& mount) {
    if (mount.type != "f2fs") return false;
    const std::vector<std::string> options = android::base::Split(mount.options, ",");
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        // The kernel prints it with the number of blocks that cannot be used meanwhile.
        return option == "checkpoint=disable" ||
               android::base::StartsWith(option, "checkpoint=disable:");
    });
}

}  // namespace

SystemInputs::SystemInputs(Syscalls& syscalls, const FileReader& files, const Clock& clock,
                           PropertyReader properties, DeviceHal* hal)
      : files_(files),
        clock_(clock),
        properties_(std::move(properties)),
        hal_(hal),
        watcher_(syscalls, files, clock),
        storage_(files, clock),
        battery_(Error() << "not queried yet") {}

Result<InteractionReading> SystemInputs::ReadInteraction(bool watch_input) {
    InteractionReading reading;
    reading.screen_on = IsScreenOn(properties_(kScreenState));

    MutexLock guard(lock_);
    if (reading.screen_on.value_or(false)) {
        may_be_on_ = true;
    } else if (std::exchange(may_be_on_, false)) {
        first_seen_off_ = clock_.SinceBoot();
    }
    if (!watch_input) {
        watcher_.Disarm();
        newest_input_.reset();
        return reading;
    }
    reading.last_input = TRY(watcher_.LastInput());
    // Where the screen is reported, an input since the last look means that it was on after it.
    if (reading.screen_on == false && newest_input_.has_value() &&
        *newest_input_ != *reading.last_input) {
        first_seen_off_ = clock_.SinceBoot();
    }
    newest_input_ = reading.last_input;
    if (first_seen_off_.has_value()) {
        reading.last_input = std::max(*reading.last_input, *first_seen_off_);
    }
    return reading;
}

Result<StorageReading> SystemInputs::ReadStorage(bool observe) {
    MutexLock guard(lock_);
    return observe ? storage_.Peek() : storage_.Read();
}

int SystemInputs::InputEvents() const {
    MutexLock guard(lock_);
    return watcher_.events();
}

MaintenanceReadings SystemInputs::Read(bool watch_input, bool wait) {
    const std::string smart = properties_(kSmartIdleMaintenance);
    MaintenanceReadings readings = {.power = ReadPowerSupply(files_),
                                    .interaction = ReadInteraction(watch_input),
                                    .battery_heat = ReadBatteryHeat(files_),
                                    .zones = ReadZones(files_),
                                    .storage = ReadStorage(!wait),
                                    .checkpoint = ReadCheckpoint(files_,
                                                                 properties_(kCheckpointCommitted)),
                                    .framework_maintains = IsSmartIdleMaintenance(smart)};
    AskBattery(wait, &readings);
    return readings;
}

void SystemInputs::AskBattery(bool wait, MaintenanceReadings* readings) {
    if (hal_ == nullptr || (readings->power.ok() && readings->battery_heat.ok())) return;
    Result<HalBattery> battery = HalBattery();
    if (wait) {
        // Not with the lock: a dump would wait for it.
        const Result<HalBattery> answer = hal_->Battery();
        battery = answer.ok() ? CheckedBattery(*answer) : answer;
        MutexLock guard(lock_);
        battery_ = battery;
    } else {
        MutexLock guard(lock_);
        battery = battery_;
    }
    if (!battery.ok()) {
        const std::string why = "; health HAL: " + battery.error().message();
        if (!readings->power.ok()) readings->power = Error() << readings->power.error() << why;
        if (!readings->battery_heat.ok()) {
            readings->battery_heat = Error() << readings->battery_heat.error() << why;
        }
        return;
    }
    // A device without a battery lives on mains power.
    if (!readings->power.ok()) {
        readings->power = PowerReading{.has_battery = battery->present,
                                       .percent = battery->level,
                                       .on_charger = battery->charger_online || !battery->present};
    }
    if (!readings->battery_heat.ok()) {
        readings->battery_heat =
                battery->present ? std::optional<int>(battery->temperature) : std::nullopt;
    }
}

Result<CheckpointReading> ReadCheckpoint(const FileReader& files, const std::string& committed) {
    const MountTable table = ParseMountinfo(TRY(files.ReadTable(kMountinfoPath)));
    for (const Mount& mount : table.mounts) {
        if (!IsWithoutCheckpoints(mount)) continue;
        return CheckpointReading{.pending = true,
                                 .evidence =
                                         mount.mount_point + " is mounted with checkpoint=disable"};
    }
    Result<std::vector<std::string>> devices = files.List(kBlock);
    for (const std::string& device : devices.value_or(std::vector<std::string>())) {
        const std::string path = std::string(kBlock) + "/" + device + "/bow/state";
        if (!files.Exists(path)) continue;
        std::string state = TRY(files.ReadAttribute(path));
        if (state == kCommitted) continue;
        return CheckpointReading{.pending = true,
                                 .evidence = android::base::Join(std::vector{path, state}, " is ")};
    }
    return CheckpointReading{.evidence = committed == "1" ? "committed" : ""};
}

}  // namespace storekeeper
