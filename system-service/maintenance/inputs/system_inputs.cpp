// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/inputs/system_inputs.h"

#include <android-base/logging.h>
#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <fcntl.h>
#include <linux/input.h>
#include <sys/epoll.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/device_hal.h"
#include "base/diskstats.h"
#include "base/power_and_heat.h"
#include "base/smart_idle_maintenance.h"
#include "base/try.h"
#include "mounts/block_device.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kInputDirectory[] = "/dev/input";

// A look longer ago says nothing about now; a shorter window is within the counter's resolution.
constexpr BootTime kMaxWindow = std::chrono::minutes(30);
constexpr BootTime kMinWindow = seconds(1);

// A larger number is a negative one, which the kernel prints as an unsigned int.
constexpr uint64_t kMaxInFlight = std::numeric_limits<int32_t>::max();
// Timeout of a request by the driver of eMMC (mmc_alloc_disk() of drivers/mmc/core/queue.c); others
// have a shorter one. A longer time in flight is a stuck counter.
constexpr BootTime kLongestRequest = seconds(60);

// Devices in memory, or whose requests another device serves.
bool IsVirtual(const std::string& name) {
    constexpr std::array<std::string_view, 6> kPrefixes = {"loop", "ram", "zram",
                                                           "dm-",  "md",  "sr"};
    return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
        return android::base::StartsWith(name, prefix);
    });
}

// True if `name` is a partition of `disk` (disk_name() of block/partitions/core.c).
bool IsPartitionOf(std::string_view name, const std::string& disk) {
    if (disk.empty() || !android::base::ConsumePrefix(&name, disk)) return false;
    if (std::isdigit(static_cast<unsigned char>(disk.back())) != 0 &&
        !android::base::ConsumePrefix(&name, "p")) {
        return false;
    }
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

// The whole disks. The kernel lists a disk right before its partitions, whose counters go wrong
// more often.
Result<std::vector<DiskStats>> WholeDisks(std::string_view diskstats) {
    std::vector<DiskStats> disks;
    std::string disk;
    for (DiskStats& stats : TRY(ParseDiskstats(diskstats))) {
        if (IsPartitionOf(stats.name, disk)) continue;
        disk = stats.name;
        if (!IsVirtual(disk)) disks.push_back(std::move(stats));
    }
    if (disks.empty()) return Error() << kDiskstatsPath << ": no disk is listed";
    return disks;
}

// Share of the last 10 s in which a task waited for storage, in percent, rounded up:
// "some avg10=2.41 ..." (Documentation/accounting/psi.rst). Absent before Linux 4.20, without
// CONFIG_PSI, and with psi=0 on the kernel's command line.
std::optional<int> ReadIoPressure(const FileReader& files) {
    const std::string text = files.ReadTable("/proc/pressure/io").value_or("");
    std::string_view some = text;
    if (!android::base::ConsumePrefix(&some, "some avg10=")) return std::nullopt;
    const std::string avg10(some.substr(0, some.find(' ')));
    const size_t point = avg10.find('.');
    int whole = 0;
    if (!android::base::ParseInt(avg10.substr(0, point), &whole, 0, 100)) return std::nullopt;
    const bool exact = avg10.find_first_of("123456789", point) == std::string::npos;
    return std::min(100, exact ? whole : whole + 1);
}

// Property that the framework's power manager sets: android.view.Display.STATE_*.
constexpr char kScreenState[] = "debug.tracing.screen_state";

// True if the user sees the screen in this state. A dozing screen only shows a clock.
std::optional<bool> IsScreenOn(const std::string& state) {
    if (state == "1" || state == "3" || state == "4") return false;  // OFF, DOZE, DOZE_SUSPEND
    if (state == "2" || state == "5" || state == "6") return true;   // ON, VR, ON_SUSPEND
    return std::nullopt;
}

// Tenths of a degree Celsius, the health HAL's unit.
Result<std::optional<int>> HeatOf(const HalBattery& battery) {
    if (!battery.present) return std::nullopt;
    return TRY(CheckBatteryHeat("the health HAL's battery temperature", battery.temperature));
}

constexpr char kBlock[] = "/sys/block";
// dm-bow's states: 0 trim, 1 checkpoint, 2 committed.
constexpr char kCommitted[] = "2";

// The kernel may append ":" and the number of blocks that cannot be used meanwhile.
bool IsWithoutCheckpoints(const Mount& mount) {
    return mount.type == "f2fs" &&
           ("," + mount.options).find(",checkpoint=disable") != std::string::npos;
}

}  // namespace

InteractionWatcher::InteractionWatcher(Syscalls& syscalls, const FileReader& files,
                                       const Clock& clock)
      : events_(epoll_create1(EPOLL_CLOEXEC)), syscalls_(syscalls), files_(files), clock_(clock) {}

Result<InteractionWatcher::Node> InteractionWatcher::OpenNode(const std::string& path) {
    Node node;
    node.fd = TRY(syscalls_.Open(path, O_RDONLY | O_NONBLOCK));
    unsigned long types = 0;  // one bit per event type of linux/input-event-codes.h
    TRY(syscalls_.Ioctl(node.fd, EVIOCGBIT(0, sizeof(types)), &types, "EVIOCGBIT " + path));
    // Accelerometers and lid switches report without a touch. Devices that people touch have keys,
    // the touch screen included (BTN_TOUCH).
    node.has_keys = (types & (1UL << EV_KEY)) != 0;
    int clock = CLOCK_BOOTTIME;
    if (!syscalls_.Ioctl(node.fd, EVIOCSCLOCKID, &clock, "EVIOCSCLOCKID " + path).ok()) {
        // Before Linux 4.0 evdev has no CLOCK_BOOTTIME (drivers/input/evdev.c).
        clock = CLOCK_MONOTONIC;
        TRY(syscalls_.Ioctl(node.fd, EVIOCSCLOCKID, &clock, "EVIOCSCLOCKID " + path));
        node.leaves_out_suspends = true;
    }
    epoll_event interest = {.events = EPOLLIN, .data = {}};
    if (node.has_keys && events_.ok() &&
        epoll_ctl(events_.get(), EPOLL_CTL_ADD, node.fd.get(), &interest) != 0) {
        // LastInput() still reads this node.
        PLOG(WARNING) << "cannot wait for input on " << path;
    }
    return node;
}

Result<void> InteractionWatcher::OpenNodes() {
    std::string problem = "no node with keys";
    for (const std::string& name : TRY(files_.List(kInputDirectory))) {
        std::string path = std::string(kInputDirectory) + "/" + name;
        if (!android::base::StartsWith(name, "event") || nodes_.count(path) != 0) continue;
        Result<Node> node = OpenNode(path);
        if (node.ok()) {
            nodes_.emplace(path, std::move(*node));
        } else {
            problem = node.error().message();
        }
    }
    bool watching = std::any_of(nodes_.begin(), nodes_.end(),
                                [](const auto& entry) { return entry.second.has_keys; });
    if (!watching) return Error() << "no input device can be watched: " << problem;
    return {};
}

bool InteractionWatcher::Drain(const Node& node) {
    std::array<input_event, 64> events = {};
    for (;;) {
        Result<size_t> size = syscalls_.Read(node.fd, events.data(), sizeof(events));
        // EAGAIN: nothing left. ENODEV: unplugged; its number may return as another device.
        if (!size.ok()) return size.error().code() == EAGAIN;
        size_t count = *size / sizeof(input_event);
        if (count == 0) return true;
        if (!node.has_keys) continue;
        const input_event& newest = events[count - 1];
        BootTime time = seconds(newest.input_event_sec) +
                        std::chrono::microseconds(newest.input_event_usec);
        // With a suspend since the input, its time comes out too late, so the policy waits longer.
        if (node.leaves_out_suspends) time += clock_.SinceBoot() - clock_.Monotonic();
        // Before Linux 4.0 events from between the opening and EVIOCSCLOCKID have wall time.
        time = std::min(time, clock_.SinceBoot());
        last_input_ = std::max(last_input_.value_or(time), time);
    }
}

Result<BootTime> InteractionWatcher::LastInput() {
    // Taken before the nodes are opened, so that an input in between is later.
    if (!last_input_.has_value()) last_input_ = clock_.SinceBoot();
    std::erase_if(nodes_, [this](const auto& entry) { return !Drain(entry.second); });
    TRY(OpenNodes());
    return *last_input_;
}

void InteractionWatcher::Disarm() {
    nodes_.clear();
    last_input_.reset();
}

std::string StorageWatch::WhyLeftOut(const DiskStats& disk, const Seen& seen) const {
    const std::string uncounted = WhyNotCounted(files_, {disk.device});
    if (!uncounted.empty()) return uncounted;
    const std::string has =
            disk.name + " has " + std::to_string(disk.in_flight) + " requests in flight";
    if (disk.in_flight > kMaxInFlight) return has + ", which wrapped";
    const BootTime stood = clock_.SinceBoot() - seen.since;
    if (disk.in_flight == 0 || stood < kLongestRequest) return "";
    return has + " for " + std::to_string(std::chrono::duration_cast<seconds>(stood).count()) +
           " s: the count is stuck";
}

std::optional<int> StorageWatch::PercentOf(std::optional<milliseconds> busy) const {
    const BootTime window = clock_.SinceBoot() - last_look_;
    if (window < kMinWindow) return last_percent_;
    if (!busy.has_value() || window > kMaxWindow) return std::nullopt;
    return static_cast<int>(std::min(int64_t{100}, int64_t{BootTime(*busy) * 100 / window}));
}

Result<StorageReading> StorageWatch::Read() {
    const BootTime now = clock_.SinceBoot();
    Disks disks;
    StorageReading reading;
    std::optional<milliseconds> busy;
    std::string left_out;
    for (const DiskStats& disk : TRY(WholeDisks(TRY(files_.ReadTable(kDiskstatsPath))))) {
        const auto before = seen_.find(disk.device);
        const bool known = before != seen_.end();
        Seen& seen = disks[disk.device];
        seen = {.busy = disk.busy, .in_flight = disk.in_flight, .since = now};
        if (known && before->second.in_flight == disk.in_flight) seen.since = before->second.since;
        const std::string why = WhyLeftOut(disk, seen);
        if (!why.empty()) {
            left_out += "; " + why;
            continue;
        }
        reading.in_flight = std::max(reading.in_flight, static_cast<int64_t>(disk.in_flight));
        if (known) {
            // A counter that wrapped has gone back and counts as no time.
            busy = std::max(busy.value_or(milliseconds(0)), disk.busy - before->second.busy);
        }
    }
    const std::optional<int> since = PercentOf(busy);
    const std::optional<int> pressure = ReadIoPressure(files_);
    if (pressure.has_value()) {
        reading.busy_percent = pressure;
        reading.source = "I/O stall time of the last 10 s";
    } else if (since.has_value()) {
        reading.busy_percent = since;
        reading.source = "disk busy time since the last check";
    } else {
        reading.source = "no measurement yet";
    }
    reading.source += left_out;
    if (seen_.empty() || now - last_look_ >= kMinWindow) {
        seen_ = std::move(disks);
        last_look_ = now;
        last_percent_ = since;
    }
    return reading;
}

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
    // If the screen is reported, an input since the last look means that it was on afterwards.
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

Result<StorageReading> SystemInputs::ReadStorage() {
    MutexLock guard(lock_);
    return storage_.Read();
}

int SystemInputs::InputEvents() const {
    MutexLock guard(lock_);
    return watcher_.events();
}

MaintenanceReadings SystemInputs::Read(bool watch_input, bool wait) {
    MaintenanceReadings readings = {.power = ReadPowerSupply(files_),
                                    .interaction = ReadInteraction(watch_input),
                                    .battery_heat = ReadBatteryHeat(files_),
                                    .zones = ReadZones(files_),
                                    .storage = ReadStorage(),
                                    .checkpoint = ReadCheckpoint(files_),
                                    .framework_maintains = IsSmartIdleMaintenance(properties_)};
    AskBattery(wait, &readings);
    return readings;
}

void SystemInputs::AskBattery(bool wait, MaintenanceReadings* readings) {
    if (hal_ == nullptr || (readings->power.ok() && readings->battery_heat.ok())) return;
    Result<HalBattery> battery = HalBattery();
    if (wait) {
        // Called without the lock, for which a dump would wait.
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
    // A device without a battery runs on mains power.
    if (!readings->power.ok()) {
        readings->power = PowerReading{.has_battery = battery->present,
                                       .percent = battery->level,
                                       .on_charger = battery->charger_online || !battery->present};
    }
    if (!readings->battery_heat.ok()) {
        readings->battery_heat = HeatOf(*battery);
    }
}

Result<std::string> ReadCheckpoint(const FileReader& files) {
    const MountTable table = ParseMountinfo(TRY(files.ReadTable(kMountinfoPath)));
    for (const Mount& mount : table.mounts) {
        if (!IsWithoutCheckpoints(mount)) continue;
        return mount.mount_point + " is mounted with checkpoint=disable";
    }
    Result<std::vector<std::string>> devices = files.List(kBlock);
    for (const std::string& device : devices.value_or(std::vector<std::string>())) {
        const std::string path = std::string(kBlock) + "/" + device + "/bow/state";
        if (!files.Exists(path)) continue;
        std::string state = TRY(files.ReadAttribute(path));
        if (state == kCommitted) continue;
        return android::base::Join(std::vector{path, state}, " is ");
    }
    return std::string();
}

}  // namespace storekeeper
