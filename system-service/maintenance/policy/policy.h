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

// What an integrator may set, with the defaults; config/config_file.cpp gives each a key. The other
// numbers of the policy are constants beside the code that uses them.
struct PolicyConfig {
    // Android 4.3's idle maintenance, as published (AnandTech, 2013): untouched for more than an
    // hour, no window in the last 24 h, battery at 80 % off charger or 30 % on charger.
    std::chrono::seconds min_untouched = std::chrono::hours(1);
    std::chrono::seconds interval = std::chrono::hours(24);
    int min_percent_on_battery = 80;
    int min_percent_on_charger = 30;
    // Powered time since the last complete run after which the soft gates are waived. Twice the
    // 3 days after which AOSP's StorageManagerService trims at boot, and a day.
    std::chrono::seconds deadline = std::chrono::hours(24 * 7);

    // Battery temperature in tenths of a degree Celsius, as power_supply has it: 5 degrees below
    // kNeverBatteryHeat.
    int max_battery_heat = 400;
    // The hottest thermal zone, same unit. A phone at rest stays below 60 degrees.
    int max_zone_heat = 700;

    // From the first trim beside a chip's canary to the first run, unless the canary was read after
    // a restart before: some damage shows once the power is back. Well within the deadline.
    std::chrono::seconds canary_restart = std::chrono::hours(72);
    // The framework's smart idle maintenance drives garbage collection and trims itself.
    bool yield_to_framework = true;

    // Time that one discard of a trim may take, milliseconds: a third of a 60 Hz frame, because a
    // synced write is up to three requests.
    int discard_ms = 5;

    // Written by garbage collection and defragmentation together in a week of being switched on,
    // MiB; 0: neither is done. 1 GiB a week is in five years twice the size of a phone of 128 GiB,
    // whose flash endures some thousand times its size.
    int week_write_mib = 1024;
    // A UFS defragments itself from this many fragmented MiB on: two runs' work.
    int defrag_fragmented_mib = 512;
};

// Where the battery gates stop as a run grows overdue. 40: half a battery keeps a phone through its
// day. 20: Android 4.3 went on with an open window while the battery was above it.
inline constexpr int kFloorPercentOnBattery = 40;
inline constexpr int kFloorPercentOnCharger = 20;
// Tenths of a degree Celsius above which no run begins. Lithium cells must not be charged above
// 45 degrees (JEITA guideline); processors throttle from 85 degrees.
inline constexpr int kNeverBatteryHeat = 450;
inline constexpr int kNeverZoneHeat = 850;

// When something happened, in both clocks: the boot's own clock is right within one boot, the wall
// clock is all there is across boots.
struct RunStamp {
    std::string boot_id;
    BootTime since_boot{};
    WallTime wall{};
};

// Time since a stamp; never negative. Within a boot the boot's clock counts, whatever the wall
// clock does. Across boots the wall clock counts; when it was set back, at least this boot's whole
// time has passed.
std::chrono::seconds Elapsed(const RunStamp& then, const RunStamp& now);

// How long ago something was, as a sum that is brought up to date now and then. A wall clock that
// jumps by years falsifies at most the one step that crosses a boot meanwhile.
struct RunAge {
    RunStamp at;  // when the sums below were right
    // Time passed, the time switched off included as far as the wall clock shows.
    std::chrono::seconds elapsed{};
    // Time passed while the device was on (suspended counts): what no clock can falsify. Time of an
    // earlier boot that was not written down in time is missing.
    std::chrono::seconds powered{};
};

RunAge BringUpToDate(const RunAge& age, const RunStamp& now);

// Whether the sums should be written down: after `period`, or at once when the wall clock has gone
// back across a boot, for until then only this boot counts.
bool IsWorthWriting(const RunAge& age, const RunStamp& now, std::chrono::seconds period);

// Gates that only an event opens are read again after this: some drivers never report a change. An
// hour is little of a day's interval.
inline constexpr std::chrono::seconds kEventFallback = std::chrono::hours(1);

struct InteractionReading {
    // Absent where nothing reports the screen.
    std::optional<bool> screen_on;
    // The last touch, key or moment the screen may have been on; or the moment watching began, for
    // nothing is known of the time before. Absent while nobody watches.
    std::optional<BootTime> last_input;
};

struct StorageReading {
    // How busy it was in the last seconds; absent without a measure.
    std::optional<int> busy_percent;
    int64_t in_flight = 0;  // requests in flight
    std::string source;     // what busy_percent is
};

struct MaintenanceReadings {
    android::base::Result<PowerReading> power;
    android::base::Result<InteractionReading> interaction;
    // Tenths of a degree Celsius; nullopt when the battery reports none.
    android::base::Result<std::optional<int>> battery_heat = std::optional<int>();
    ZoneReading zones = {};
    android::base::Result<StorageReading> storage = StorageReading();
    // What shows that vold holds a checkpoint open, "" if nothing does: until it is committed, a
    // failed boot rolls the file system back, and what was trimmed meanwhile is gone.
    android::base::Result<std::string> checkpoint = std::string();
    // The framework's smart idle maintenance is enabled.
    bool framework_maintains = false;
};

// A run that was due and did not happen.
struct RefusedRun {
    RunStamp at;
    std::string gates;  // names of the closed ones, with a blank between
};

struct PolicyState {
    std::optional<RunStamp> last_complete;
    std::optional<RunStamp> last_attempt;
    // WrittenReading::bytes at the end of that run; absent: not counted then.
    std::optional<uint64_t> written_bytes;
    // Since the last complete run; before the first one, since the service first saw the device.
    std::optional<RunAge> age;
    // The newest kMaxRefusedRuns, oldest first: one for each change of what was closed.
    std::vector<RefusedRun> refused;
    // Limits that stand in for the configured ones during the boot named, by gate.
    std::map<std::string, int64_t> overrides;
    std::string overrides_boot_id;
};
inline constexpr size_t kMaxRefusedRuns = 8;

// Writes to the file systems that may be trimmed, as the kernel counts them.
struct WrittenReading {
    uint64_t bytes = 0;       // since these file systems were made
    uint64_t size_bytes = 0;  // of their devices
};

// Something outside of the policy that forbids a run: nothing relaxes or overrides it.
struct Refusal {
    std::string gate;  // which gate it closes; an unknown name adds a gate
    std::string reason;
};

struct PolicyInputs {
    RunStamp now;
    // The error says why the kernel does not count.
    android::base::Result<WrittenReading> written = WrittenReading();
    MaintenanceReadings readings;
    std::vector<Refusal> refusals;
    // Somebody asked for a run now: the gates that make it due and the soft gates are passed, the
    // safe ones are at their floors.
    bool requested = false;
};

// One condition of the policy, as evaluated.
struct Gate {
    std::string name;
    // "s", "pct", "dC" (tenths of a degree Celsius), or "yes": 1 is yes and 0 is no.
    std::string unit;
    std::optional<int64_t> value;  // absent: not known, see the note
    // In force now: open at value >= limit, or value <= limit when at_most.
    int64_t limit = 0;
    bool at_most = false;
    int64_t strict_limit = 0;  // without relaxing
    bool overridden = false;
    bool pass = false;
    bool makes_due = false;  // one of DueGates()
    std::string note;        // what explains the value; "" when nothing has to be
    // Closed gates: when time alone opens it at the earliest.
    std::optional<BootTime> opens_at;
    // Closed gates: when to read it anew, because nothing announces that it opens.
    std::optional<BootTime> look_at;

    // By how much it is open, or closed when negative.
    std::optional<int64_t> margin() const;
    int64_t relaxed_by() const;
};

struct Decision {
    bool run = false;
    // The gates of DueGates() are open: the others are worth watching.
    bool due = false;
    // How far the soft gates are relaxed: 0 until the interval is over, 100 from the deadline on.
    int relaxed_percent = 0;
    std::vector<Gate> gates;
    // Look again then; before that, the answer cannot turn to "run" unless a power supply changes
    // and watch_power is set.
    BootTime next_check{};
    bool watch_power = false;
    // When the deadline is reached if the device stays on; absent when it is past.
    std::optional<BootTime> deadline_at;

    // Root has set a limit in this boot.
    bool overridden() const;
};

// Whether a run is due, by the time and what was written. Input devices are only worth opening
// while one is. Does not use the readings.
bool IsDue(const PolicyInputs& inputs, const PolicyState& state, const PolicyConfig& config);

// Whether to maintain the storage now, and if not, which gates are closed and when to ask again.
Decision Decide(const PolicyInputs& inputs, const PolicyState& state, const PolicyConfig& config);

// Why a run of the policy's that began at `started` should end now: the first closed gate of those
// that its own work does not close, with its note; or an input since the start. "" when it may go
// on.
std::string StopReason(const PolicyInputs& inputs, const PolicyState& state,
                       const PolicyConfig& config, BootTime started);

// What an override of this gate must satisfy; the gates it may name are those of Decide().
struct OverrideRange {
    const char* gate;
    const char* unit;
    int64_t min;
    int64_t max;
};
std::vector<OverrideRange> OverrideRanges();
// Absent for a gate without one.
std::optional<OverrideRange> FindOverrideRange(std::string_view gate);

// What the gates have in common: the readings and how far a run is overdue.
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

// Everything else, in the order in which reports show it.
std::vector<Gate> OtherGates(const GateContext& context);

// Keeps the number of wake-ups in any hour down, whatever wakes: power supplies that report every
// few seconds, a screen that goes on and off.
class WakeBudget {
  public:
    // While a run is due, and while none is.
    static constexpr size_t kPerHourDue = 12;
    static constexpr size_t kPerHour = 4;

    void Note(BootTime now);

    // The earliest time at which one more wake-up after this decision fits in the hour then past;
    // in the past itself if it fits at once, and if root has set a limit: root waits for the
    // effect.
    BootTime NextAllowed(const Decision& decision) const;

    // Whether events may wake, too, and not only a deadline: when two more fit.
    bool AllowsEvents(const Decision& decision, BootTime now) const {
        return decision.overridden() || InLastHour(now) + 2 <= PerHour(decision);
    }

    uint64_t total() const { return total_; }
    size_t InLastHour(BootTime now) const;
    // The most in any hour so far.
    size_t most() const { return most_; }

  private:
    static size_t PerHour(const Decision& decision) {
        return decision.due ? kPerHourDue : kPerHour;
    }

    std::deque<BootTime> wakes_;  // the newest
    uint64_t total_ = 0;
    size_t most_ = 0;
};

}  // namespace storekeeper
