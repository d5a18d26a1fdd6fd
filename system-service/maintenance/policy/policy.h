// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "maintenance/policy/interval.h"
#include "maintenance/policy/policy_config.h"
#include "maintenance/policy/readings.h"

namespace storekeeper {

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
inline constexpr size_t kMaxRefusedRuns = 16;

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

}  // namespace storekeeper
