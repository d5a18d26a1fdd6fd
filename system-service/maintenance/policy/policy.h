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
#include <vector>

#include "base/clock.h"
#include "base/power_and_heat.h"

namespace storekeeper {

// Every number of the policy. The defaults, with their sources; config/config_file.cpp names each
// for the configuration files.
struct PolicyConfig {
    // Android 4.3's idle maintenance, as published (AnandTech, 2013): untouched for more than an
    // hour, no window in the last 24 h, battery at 80 % off charger or 30 % on charger.
    std::chrono::seconds min_untouched = std::chrono::hours(1);
    std::chrono::seconds interval = std::chrono::hours(24);
    int min_percent_on_battery = 80;
    int min_percent_on_charger = 30;
    // Where these two stop as a run grows overdue. 40: half a battery keeps a phone through its
    // day. 20: Android 4.3 went on with a window that was open while the battery was above it.
    int floor_percent_on_battery = 40;
    int floor_percent_on_charger = 20;

    // Battery temperature in tenths of a degree Celsius, as power_supply has it. 45 degrees is
    // where lithium cells must not be charged any more (JEITA guideline); 40 keeps away from it.
    int max_battery_heat = 400;
    int never_battery_heat = 450;
    // The hottest thermal zone, same unit. Processors throttle from 85 to 95 degrees; a phone at
    // rest stays below 60.
    int max_zone_heat = 700;
    int never_zone_heat = 850;

    // Share of the last ten seconds in which somebody waited for I/O (/proc/pressure/io), or in
    // which the device worked (/proc/diskstats), in percent; and requests in flight.
    int max_io_percent = 10;
    int max_io_in_flight = 1;

    // A run that was stopped or failed is not repeated sooner.
    std::chrono::seconds min_retry = std::chrono::hours(1);
    // Powered time since the last complete run after which the soft gates are open. From the
    // interval to here they relax in steps. Twice the 3 days after which AOSP's
    // StorageManagerService trims at boot, and a day.
    std::chrono::seconds deadline = std::chrono::hours(24 * 7);
    int relax_steps = 4;
    // From the first trim beside a chip's canary to the first run, unless the canary was read after
    // a restart before: some damage shows once the power is back. Well within the deadline.
    std::chrono::seconds canary_restart = std::chrono::hours(72);
    // The framework's smart idle maintenance drives garbage collection and trims itself.
    bool yield_to_framework = true;

    // The closed loop. Freed in one run per 1000 bytes of the file systems: an ordinary phone frees
    // 2 a day (1 GB of 16 GB a month, AnandTech 2013), so 20 is ten busy days, and 1 is not worth
    // it.
    int freed_much_permille = 20;
    int freed_little_permille = 1;
    // Improvement of the 99th percentile of the latency probe by one run, percent.
    int gain_much_percent = 10;
    std::chrono::seconds min_interval = std::chrono::hours(12);
    std::chrono::seconds max_interval = std::chrono::hours(24 * 4);

    // What one discard of a trim may take, milliseconds, and in a run that hurries: whoever reads
    // meanwhile waits for it. Android draws a frame in 16 ms.
    int discard_ms = 5;
    int discard_hurry_ms = 8;

    // What collecting garbage and defragmenting may write together in a week of being switched on,
    // MiB; 0: neither is done. 1 GiB a week is in five years twice the size of a phone of 128 GiB,
    // whose flash endures some thousand times its size.
    int week_write_mib = 1024;
    // Defragmentation of a UFS: moved in one run at most, and worth it from so much on, MiB.
    int defrag_run_mib = 256;
    int defrag_fragmented_mib = 512;
    // Reads are slow when their 99th percentile is so much of the best that was measured, percent,
    // or so long, microseconds: a UFS reads 4 KiB in some 100.
    int defrag_slow_percent = 150;
    int defrag_slow_us = 2000;

    // Looked again after this when only an event can open a gate: drivers that never report a
    // change exist.
    std::chrono::seconds event_fallback = std::chrono::hours(1);
    // Heat and busy storage announce nothing; they are read anew after this.
    std::chrono::seconds recheck = std::chrono::minutes(10);
};

// What a complete run brought.
struct RunGain {
    uint64_t discarded_bytes = 0;
    uint64_t filesystem_bytes = 0;  // size of what was trimmed
    // By how much the latency probe's 99th percentile fell, percent; negative when it rose. Absent
    // without a probe.
    std::optional<int> p99_percent;
};

// The interval after a run that brought this: half as long when it freed much or made the storage
// faster, half as long again when it did neither, within the configured bounds; else unchanged.
std::chrono::seconds NextInterval(std::chrono::seconds interval, const RunGain& gain,
                                  const PolicyConfig& config);

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

// A checkpoint of vold: until it is committed, a failed boot rolls the file system back, and what
// was trimmed meanwhile is gone.
struct CheckpointReading {
    bool pending = false;
    std::string evidence;
};

struct MaintenanceReadings {
    android::base::Result<PowerReading> power;
    android::base::Result<InteractionReading> interaction;
    // Tenths of a degree Celsius; nullopt when the battery reports none.
    android::base::Result<std::optional<int>> battery_heat = std::optional<int>();
    ZoneReading zones = {};
    android::base::Result<StorageReading> storage = StorageReading();
    android::base::Result<CheckpointReading> checkpoint = CheckpointReading();
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
    // Since the last complete run; before the first one, since the service first saw the device.
    std::optional<RunAge> age;
    // As the closed loop set it; absent: the configured one.
    std::optional<std::chrono::seconds> interval;
    // The newest kMaxRefusedRuns, oldest first: one for each change of what was closed.
    std::vector<RefusedRun> refused;
    // Limits that stand in for the configured ones during the boot named, by gate.
    std::map<std::string, int64_t> overrides;
    std::string overrides_boot_id;
};
inline constexpr size_t kMaxRefusedRuns = 8;

// Something outside of the policy that forbids a run: nothing relaxes or overrides it.
struct Refusal {
    std::string gate;  // which gate it closes; an unknown name adds a gate
    std::string reason;
};

struct PolicyInputs {
    RunStamp now;
    MaintenanceReadings readings;
    std::vector<Refusal> refusals;
    // Somebody asked for a run now: interval, retry and the soft gates are passed, the safe ones
    // are at their floors.
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
    std::string note;  // what explains the value; "" when nothing has to be
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
    // Interval and retry are open: the others are worth watching.
    bool due = false;
    // How far the soft gates are relaxed: 0 until the interval is over, 100 from the deadline on.
    int relaxed_percent = 0;
    std::chrono::seconds interval{};
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

// Whether a run is due: nothing but time is asked. Input devices are only worth opening while one
// is.
bool IsDue(const RunStamp& now, const PolicyState& state, const PolicyConfig& config);

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
std::vector<OverrideRange> OverrideRanges(const PolicyConfig& config);

// What the gates have in common: the readings and how far a run is overdue.
struct GateContext {
    const PolicyInputs& inputs;
    const PolicyState& state;
    const PolicyConfig& config;
    RunAge age;
    std::chrono::seconds interval{};
    int relaxed_percent = 0;

    BootTime now() const { return inputs.now.since_boot; }
};

// Time since the last complete run, and since the last attempt: whether a run is due.
std::vector<Gate> TimeGates(const GateContext& context);

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

    // The earliest time at which one more wake-up fits in the hour then past; in the past itself
    // when it fits at once.
    BootTime NextAllowed(bool due) const;

    // The same after this decision. At once where root has set a limit: root waits for the effect.
    BootTime NextAllowed(const Decision& decision) const {
        return decision.overridden() ? BootTime(0) : NextAllowed(decision.due);
    }

    // Whether events may wake, too, and not only a deadline: when two more fit.
    bool AllowsEvents(bool due, BootTime now) const {
        return InLastHour(now) + 2 <= (due ? kPerHourDue : kPerHour);
    }
    bool AllowsEvents(const Decision& decision, BootTime now) const {
        return decision.overridden() || AllowsEvents(decision.due, now);
    }

    uint64_t total() const { return total_; }
    size_t InLastHour(BootTime now) const;
    // The most in any hour so far.
    size_t most() const { return most_; }

  private:
    std::deque<BootTime> wakes_;  // the newest
    uint64_t total_ = 0;
    size_t most_ = 0;
};

}  // namespace storekeeper
