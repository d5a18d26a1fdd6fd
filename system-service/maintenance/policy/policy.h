// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/power_and_heat.h"

namespace storekeeper {

class JsonFields;

// Settings of an integrator, with their defaults; config/config_file.cpp maps each to a key. The
// policy's other numbers are constants beside the code that uses them.
struct PolicyConfig {
    // Android 4.3's idle maintenance, as published (AnandTech, 2013): untouched for more than an
    // hour, no window in the last 24 h, battery at 80 % off charger or 30 % on charger.
    std::chrono::seconds min_untouched = std::chrono::hours(1);
    std::chrono::seconds interval = std::chrono::hours(24);
    int min_percent_on_battery = 80;
    int min_percent_on_charger = 30;
    // Powered time since the last complete run after which the soft gates are waived: twice the 3
    // days after which AOSP's StorageManagerService trims at boot, plus a day.
    std::chrono::seconds deadline = std::chrono::hours(24 * 7);

    // Battery temperature, tenths of a degree Celsius, as power_supply has it: 5 degrees below
    // kNeverBatteryHeat.
    int max_battery_heat = 400;
    // Temperature of the hottest thermal zone, same unit. A phone at rest stays below 60 degrees.
    int max_zone_heat = 700;

    // Wait between the first trim beside a chip's canary and the first run, because some damage
    // shows only after a restart. It ends early if the canary was read after one. It is well within
    // the deadline.
    std::chrono::seconds canary_restart = std::chrono::hours(72);
    // Leaves maintenance to the framework's smart idle maintenance if that is enabled: it drives
    // garbage collection and trims itself.
    bool yield_to_framework = true;

    // Time that one discard of a trim may take, milliseconds. It is a third of a 60 Hz frame,
    // because a synced write is up to three requests.
    int discard_ms = 5;

    // MiB that garbage collection and defragmentation together may write in a week of powered time.
    // 0 disables both. In five years, 1 GiB a week is twice the size of a 128 GiB phone, whose
    // flash endures some thousand times its size.
    int week_write_mib = 1024;
    // Fragmented MiB from which on a UFS defragments itself: the work of two runs.
    int defrag_fragmented_mib = 512;
};

// Floors of the battery gates when a run is overdue. 40: half a battery keeps a phone through its
// day. 20: Android 4.3 continued an open window while the battery was above it.
inline constexpr int kFloorPercentOnBattery = 40;
inline constexpr int kFloorPercentOnCharger = 20;
// Temperatures above which no run begins, tenths of a degree Celsius. Lithium cells must not be
// charged above 45 degrees (JEITA guideline); processors throttle from 85 degrees.
inline constexpr int kNeverBatteryHeat = 450;
inline constexpr int kNeverZoneHeat = 850;

// Time of an event by two clocks. The boot clock is right within one boot; across boots only the
// wall clock can be compared.
struct RunStamp {
    std::string boot_id;
    BootTime since_boot{};
    WallTime wall{};

    bool operator==(const RunStamp&) const = default;
};

// The present time. `boot_id` is the text of kBootIdPath, "" if unknown.
RunStamp StampOf(const Clock& clock, const std::string& boot_id);

// Time since a stamp; never negative. Within a boot the boot clock decides. Across boots the wall
// clock decides, but at least this boot's whole time has passed.
std::chrono::seconds Elapsed(const RunStamp& then, const RunStamp& now);

// Age of an event, as a sum that is brought up to date now and then. A wall clock that jumps by
// years falsifies only the step that crosses a boot.
struct RunAge {
    RunStamp at;  // time at which the sums below were right
    // Time passed, including time switched off as far as the wall clock shows it.
    std::chrono::seconds elapsed{};
    // Time passed while the device was on (suspend counts), which no clock can falsify. Time of an
    // earlier boot that was not saved is missing.
    std::chrono::seconds powered{};
};

// Keys of both in records.
void Fields(JsonFields& json, RunStamp& stamp);
void Fields(JsonFields& json, RunAge& age);

RunAge BringUpToDate(const RunAge& age, const RunStamp& now);

// True if the sums should be saved: after `period`, or at once if the wall clock went back across a
// boot, because then only this boot's time counts.
bool IsWorthWriting(const RunAge& age, const RunStamp& now, std::chrono::seconds period);

// Gates that only an event opens are read again after this time, because some drivers never report
// a change. An hour is a small part of a day's interval.
inline constexpr std::chrono::seconds kEventFallback = std::chrono::hours(1);

struct InteractionReading {
    // Absent if nothing reports the screen.
    std::optional<bool> screen_on;
    // Time of the last touch or key, or of the last moment at which the screen may have been on.
    // Before the first input: the moment at which watching began. Absent while input is not
    // watched.
    std::optional<BootTime> last_input;
};

struct StorageReading {
    // Busy share of the last ten seconds, or of the time since the last check; absent without a
    // measure.
    std::optional<int> busy_percent;
    int64_t in_flight = 0;
    std::string source;  // meaning of busy_percent, for people
};

// True if the storage would open its gate when a run begins to be due.
bool IsQuiet(const StorageReading& storage);

struct MaintenanceReadings {
    android::base::Result<PowerReading> power;
    android::base::Result<InteractionReading> interaction;
    // Tenths of a degree Celsius; nullopt if the battery reports none.
    android::base::Result<std::optional<int>> battery_heat = std::optional<int>();
    ZoneReading zones = {};
    android::base::Result<StorageReading> storage = StorageReading();
    // The evidence that vold holds a checkpoint open; "" if there is none. Until the checkpoint is
    // committed, a failed boot rolls the file system back, and trimmed data would be gone.
    android::base::Result<std::string> checkpoint = std::string();
    // True if the framework's smart idle maintenance is enabled.
    bool framework_maintains = false;
};

// A due run that did not happen.
struct RefusedRun {
    RunStamp at;
    std::string gates;  // names of the closed gates, a blank between them
};

struct PolicyState {
    std::optional<RunStamp> last_complete;
    std::optional<RunStamp> last_attempt;
    // WrittenReading::bytes at the end of the last complete run; absent if it was not counted.
    std::optional<uint64_t> written_bytes;
    // Age of the last complete run; before the first one, time since the service first ran on this
    // device.
    std::optional<RunAge> age;
    // The newest kMaxRefusedRuns, oldest first. A new entry is made when the closed gates change.
    std::vector<RefusedRun> refused;
    // Limits that root has set, by gate. They hold during the boot named below.
    std::map<std::string, int64_t> overrides;
    std::string overrides_boot_id;
};
inline constexpr size_t kMaxRefusedRuns = 8;

// Writes to the configured file systems, as the kernel counts them.
struct WrittenReading {
    uint64_t bytes = 0;       // since these file systems were made
    uint64_t size_bytes = 0;  // size of their devices
};

// A condition outside of the policy that forbids a run. It is never relaxed or overridden.
struct Refusal {
    std::string gate;  // gate that it closes; an unknown name adds a gate
    std::string reason;
};

struct PolicyInputs {
    RunStamp now;
    // The error says why the kernel does not count writes.
    android::base::Result<WrittenReading> written = WrittenReading();
    MaintenanceReadings readings;
    std::vector<Refusal> refusals;
    // A run was requested by command: the gates that make it due and the soft gates are waived, and
    // the safety gates are at their floors.
    bool requested = false;
};

// One condition of the policy, as evaluated.
struct Gate {
    std::string name;
    // "s", "pct", "dC" (tenths of a degree Celsius), or "yes" (1 is yes, 0 is no).
    std::string unit;
    std::optional<int64_t> value;  // absent if unknown; the note says why
    // Limit in force. The gate is open at value >= limit, or at value <= limit if at_most.
    int64_t limit = 0;
    bool at_most = false;
    int64_t strict_limit = 0;  // limit without relaxing
    bool overridden = false;
    bool pass = false;
    bool makes_due = false;  // one of DueGates()
    std::string note;        // explains the value; "" if it needs no explanation
    // For closed gates: the earliest time at which time alone opens it.
    std::optional<BootTime> opens_at;
    // For closed gates: time to read it again, because nothing announces that it opens.
    std::optional<BootTime> look_at;

    // Distance to the limit; negative if the gate is closed.
    std::optional<int64_t> margin() const;
    int64_t relaxed_by() const;
};

struct Decision {
    bool run = false;
    // The gates of DueGates() are open, so the others are worth watching.
    bool due = false;
    // Percentage by which the soft gates are relaxed: 0 until the interval is over, 100 from the
    // deadline on.
    int relaxed_percent = 0;
    std::vector<Gate> gates;
    // Time of the next check. Other events open gates before it, for instance the end of a
    // checkpoint; Keeper::Hooks::wake announces them.
    BootTime next_check{};
    // True if no closed gate names a time, so a change of a power supply is worth a check.
    bool watch_power = false;
    // Time at which the deadline is reached if the device stays on; absent if it is past.
    std::optional<BootTime> deadline_at;

    // True if root has set a limit in this boot.
    bool overridden() const;
    // True if an input would end a run: the gate "untouched" is not waived.
    bool ends_at_input() const;
};

// True if a run is due, by time and by writes. Input devices should be open only while one is. Does
// not use the readings.
bool IsDue(const PolicyInputs& inputs, const PolicyState& state, const PolicyConfig& config);

// Decides whether to maintain the storage now. If not, the decision has the closed gates and the
// time of the next check.
Decision Decide(const PolicyInputs& inputs, const PolicyState& state, const PolicyConfig& config);

// Why a run of the policy that began at `started` should end now: an input since the start unless
// the gate "untouched" is waived, or the first closed gate with its note. Gates that make a run due
// and gates that its own work closes do not count. "" if it may go on. `decision` is that of
// `inputs`.
std::string StopReason(const Decision& decision, const PolicyInputs& inputs, BootTime started);

// Range of the limits that an override of this gate may set. The gates are those of Decide().
struct OverrideRange {
    const char* gate;
    const char* unit;
    int64_t min;
    int64_t max;
};
std::vector<OverrideRange> OverrideRanges();
// Absent for a gate that cannot be overridden.
std::optional<OverrideRange> FindOverrideRange(std::string_view gate);

// Inputs that all gates share: the readings, and how far a run is overdue.
struct GateContext {
    const PolicyInputs& inputs;
    const PolicyState& state;
    const PolicyConfig& config;
    RunAge age;
    int relaxed_percent = 0;

    BootTime now() const { return inputs.now.since_boot; }
};

// The gates that make a run due: time and writes since the last complete run, and time since the
// last attempt.
std::vector<Gate> DueGates(const GateContext& context);

// All other gates, in the order of reports.
std::vector<Gate> OtherGates(const GateContext& context);

// Limits the wake-ups in any hour without a run, for example by power supplies that report every
// few seconds or a screen that goes on and off.
class WakeBudget {
  public:
    // Wake-ups per hour while a run is due, and while none is.
    static constexpr size_t kPerHourDue = 12;
    static constexpr size_t kPerHour = 4;

    void Note(BootTime now);

    // The earliest time at which one more wake-up keeps the hour before it within the limit. It is
    // in the past if one fits now, and if root has set a limit: root waits for the effect.
    BootTime NextAllowed(const Decision& decision) const;

    // True if events may wake the daemon, not only a deadline: if two more wake-ups fit, or root
    // has set a limit.
    bool AllowsEvents(const Decision& decision, BootTime now) const {
        return decision.overridden() || InLastHour(now) + 2 <= PerHour(decision);
    }

    uint64_t total() const { return total_; }
    size_t InLastHour(BootTime now) const;
    // The largest number of wake-ups in any hour so far.
    size_t most() const { return most_; }

  private:
    static size_t PerHour(const Decision& decision) {
        return decision.due ? kPerHourDue : kPerHour;
    }

    std::deque<BootTime> wakes_;  // the newest wake-ups
    uint64_t total_ = 0;
    size_t most_ = 0;
};

}  // namespace storekeeper
