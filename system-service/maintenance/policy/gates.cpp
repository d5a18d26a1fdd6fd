// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <errno.h>

#include <algorithm>
#include <utility>

#include "base/quantity_text.h"
#include "maintenance/policy/policy.h"

namespace storekeeper {
namespace {

using std::chrono::duration_cast;
using std::chrono::seconds;

// A stopped or failed run is not repeated sooner: a lasting cause costs one wake-up and one attempt
// an hour.
constexpr seconds kMinRetry = std::chrono::hours(1);
// Percent of the size of the file systems that must be written since the last complete run. Flash
// sold as 64 GB has 64 GiB, so 7 % of it is always spare; using 1 % of the size is not noticeable.
constexpr int64_t kMinWrittenPercent = 1;
// Period of reading the writes, which nothing announces: the daemon wakes this often anyway, to
// write its memory (RunMemory::kWritePeriod).
constexpr seconds kWrittenRecheck = std::chrono::hours(6);
// Period of reading heat and load, which nothing announces. A phone cools in minutes, and 6 of the
// 12 wake-ups an hour are left for events.
constexpr seconds kRecheck = std::chrono::minutes(10);
// Share of the last ten seconds in which a task waited for I/O (/proc/pressure/io), or of the time
// since the last check in which the device worked (/proc/diskstats): an app that reads in the
// background stays below it.
constexpr int64_t kMaxIoPercent = 10;
// A single request is the daemon's own or the last of another process; two are a load.
constexpr int64_t kMaxIoInFlight = 1;

// The limit at `percent` of the way from the strict one to the one at the deadline.
int64_t Relax(int64_t strict, int64_t last, int percent) {
    return strict + (last - strict) * percent / 100;
}

// The percentage of relaxing in force; a requested run has all of it.
int PercentOf(const GateContext& context) {
    return context.inputs.requested ? 100 : context.relaxed_percent;
}

// A gate with its limits. `last` is the limit at 100 % of relaxing.
Gate Limited(const GateContext& context, std::string name, std::string unit, int64_t strict,
             int64_t last) {
    Gate gate{.name = std::move(name), .unit = std::move(unit), .strict_limit = strict};
    gate.limit = Relax(strict, last, PercentOf(context));
    if (const auto given = context.state.overrides.find(gate.name);
        given != context.state.overrides.end() && !context.inputs.requested) {
        gate.limit = given->second;
        gate.overridden = true;
    }
    return gate;
}

void Compare(int64_t value, Gate* gate) {
    gate->value = value;
    gate->pass = gate->at_most ? value <= gate->limit : value >= gate->limit;
}

// Keeps an override from passing the safe limit.
void KeepSafe(int64_t floor, Gate* gate) {
    gate->limit = gate->at_most ? std::min(gate->limit, floor) : std::max(gate->limit, floor);
}

// A gate that opens when the limit's time has passed.
void Wait(seconds value, BootTime now, Gate* gate) {
    Compare(value.count(), gate);
    if (!gate->pass) gate->opens_at = now + (seconds(gate->limit) - value);
}

// A gate that is closed while `condition` is true.
Gate ClosedWhile(std::string name, bool condition, std::string note) {
    Gate gate{.name = std::move(name), .unit = "yes", .at_most = true, .note = std::move(note)};
    Compare(condition ? 1 : 0, &gate);
    return gate;
}

Gate UntouchedGate(const GateContext& context) {
    const PolicyConfig& config = context.config;
    const BootTime now = context.now();
    Gate gate = Limited(context, "untouched", "s", config.min_untouched.count(), 0);
    const auto& reading = context.inputs.readings.interaction;
    if (gate.limit == 0) {
        gate.pass = true;
        gate.note = "waived";
        return gate;
    }
    if (!reading.ok()) {
        // Input nodes may appear later; nothing announces them.
        gate.note = reading.error().message();
        gate.look_at = now + kEventFallback;
        return gate;
    }
    if (reading->screen_on.value_or(false)) {
        gate.note = "screen on";
        Wait(seconds(0), now, &gate);
        return gate;
    }
    gate.note = reading->screen_on.has_value() ? "screen off" : "screen state not reported";
    if (!reading->last_input.has_value()) {
        gate.note += ", input is watched while a run is due";
        // A run may have become due while the readings were taken: check again at once.
        gate.look_at = now;
        return gate;
    }
    Wait(duration_cast<seconds>(now - *reading->last_input), now, &gate);
    if (!gate.pass) gate.opens_at = *reading->last_input + seconds(gate.limit);
    return gate;
}

Gate BatteryGate(const GateContext& context) {
    const PolicyConfig& config = context.config;
    const auto& power = context.inputs.readings.power;
    const bool charging = power.ok() && power->on_charger;
    const int floor = charging ? kFloorPercentOnCharger : kFloorPercentOnBattery;
    Gate gate = Limited(context, "battery", "pct",
                        charging ? config.min_percent_on_charger : config.min_percent_on_battery,
                        floor);
    KeepSafe(floor, &gate);
    if (!power.ok()) {
        gate.note = power.error().message();
        return gate;
    }
    if (!power->has_battery) {
        gate.pass = true;
        gate.note = "no battery";
        return gate;
    }
    gate.note = power->on_charger ? "on charger" : "off charger";
    Compare(power->percent, &gate);
    return gate;
}

// A gate of a temperature. No limit may exceed `never`.
Gate Coolness(const GateContext& context, std::string name, int64_t max, int64_t never) {
    Gate gate = Limited(context, std::move(name), "dC", max, never);
    gate.at_most = true;
    KeepSafe(never, &gate);
    return gate;
}

Gate HeatGate(const GateContext& context) {
    Gate gate = Coolness(context, "heat", context.config.max_battery_heat, kNeverBatteryHeat);
    const auto& heat = context.inputs.readings.battery_heat;
    if (!heat.ok()) {
        // A broken sensor, which ReadBatteryHeat() leaves out, would close the gate for ever.
        gate.pass = heat.error().code() == ERANGE;
        gate.note = heat.error().message();
    } else if (!heat->has_value()) {
        gate.pass = true;
        gate.note = "the battery reports no temperature";
    } else {
        gate.note = "battery";
        Compare(**heat, &gate);
    }
    if (!gate.pass) gate.look_at = context.now() + kRecheck;
    return gate;
}

Gate ZonesGate(const GateContext& context) {
    Gate gate = Coolness(context, "zones", context.config.max_zone_heat, kNeverZoneHeat);
    const ZoneReading& zones = context.inputs.readings.zones;
    if (zones.hottest.has_value()) {
        gate.note = zones.name;
        Compare(*zones.hottest, &gate);
    } else {
        // Many kernels report no zone, or only zones that are unpowered now.
        gate.pass = true;
        gate.note = "no thermal zone reports a temperature";
    }
    for (const std::string& problem : zones.problems) gate.note += "; " + problem;
    if (!gate.pass) gate.look_at = context.now() + kRecheck;
    return gate;
}

Gate StorageGate(const GateContext& context) {
    Gate gate = Limited(context, "storage", "pct", kMaxIoPercent, 100);
    gate.at_most = true;
    const auto& storage = context.inputs.readings.storage;
    if (gate.limit >= 100) {
        gate.pass = true;
        gate.note = "waived";
    } else if (!storage.ok()) {
        gate.note = storage.error().message();
    } else {
        gate.note = storage->source;
        // If the past is not measured, only the requests in flight count.
        gate.pass = true;
        if (storage->busy_percent.has_value()) Compare(*storage->busy_percent, &gate);
        if (storage->in_flight > kMaxIoInFlight) {
            gate.pass = false;
            gate.note = std::to_string(storage->in_flight) + " requests in flight";
        }
    }
    if (!gate.pass) gate.look_at = context.now() + kRecheck;
    return gate;
}

Gate CheckpointGate(const GateContext& context) {
    const auto& checkpoint = context.inputs.readings.checkpoint;
    if (!checkpoint.ok()) {
        return {.name = "checkpoint",
                .unit = "yes",
                .at_most = true,
                .note = checkpoint.error().message()};
    }
    return ClosedWhile("checkpoint", !checkpoint->empty(),
                       checkpoint->empty() ? "no checkpoint active" : *checkpoint);
}

Gate FrameworkGate(const GateContext& context) {
    const bool on = context.inputs.readings.framework_maintains;
    Gate gate = Limited(context, "framework", "yes", 0, 0);
    gate.at_most = true;
    Compare(on && context.config.yield_to_framework ? 1 : 0, &gate);
    gate.note = !on ? "smart idle maintenance disabled"
                : context.config.yield_to_framework
                        ? "smart idle maintenance enabled"
                        : "smart idle maintenance enabled, ignored as configured";
    return gate;
}

// A gate that opens `limit` after an event, which may never have happened.
Gate TimeGate(const GateContext& context, std::string name, seconds limit,
              std::optional<seconds> passed, std::string never) {
    Gate gate = Limited(context, std::move(name), "s", limit.count(), limit.count());
    if (passed.has_value()) {
        Wait(*passed, context.now(), &gate);
    } else {
        gate.note = std::move(never);
    }
    if (passed.has_value() && !context.inputs.requested) return gate;
    gate.pass = true;
    gate.opens_at.reset();
    return gate;
}

Gate WrittenGate(const GateContext& context) {
    Gate gate = Limited(context, "written", "pct", kMinWrittenPercent, 0);
    const auto& written = context.inputs.written;
    const std::optional<uint64_t>& before = context.state.written_bytes;
    gate.pass = true;
    if (gate.limit == 0) {
        gate.note = "waived";
    } else if (!context.state.last_complete.has_value()) {
        gate.note = "no complete run yet";
    } else if (!written.ok()) {
        gate.note = written.error().message();
    } else if (!before.has_value()) {
        gate.note = "not counted at the last run";
    } else if (written->bytes < *before) {
        gate.note = "the kernel's count decreased";
    } else {
        const uint64_t since = written->bytes - *before;
        gate.note = SizeText(since) + " since the last run";
        Compare(static_cast<int64_t>(since / std::max<uint64_t>(written->size_bytes / 100, 1)),
                &gate);
        if (!gate.pass) gate.look_at = context.now() + kWrittenRecheck;
    }
    return gate;
}

void Refuse(const Refusal& refusal, std::vector<Gate>* gates) {
    for (Gate& gate : *gates) {
        if (gate.name != refusal.gate) continue;
        gate.pass = false;
        gate.value = gate.unit == "yes" ? std::optional<int64_t>(1) : gate.value;
        gate.opens_at.reset();
        gate.look_at.reset();
        gate.note = refusal.reason;
        return;
    }
    gates->push_back(ClosedWhile(refusal.gate, true, refusal.reason));
}

}  // namespace

std::vector<Gate> DueGates(const GateContext& context) {
    const PolicyState& state = context.state;
    std::optional<seconds> completed;
    std::optional<seconds> attempted;
    if (state.last_complete.has_value()) completed = context.age.elapsed;
    if (state.last_attempt.has_value()) {
        attempted = Elapsed(*state.last_attempt, context.inputs.now);
    }
    std::vector<Gate> gates = {
            TimeGate(context, "interval", context.config.interval, completed,
                     "no complete run yet"),
            WrittenGate(context),
            TimeGate(context, "retry", kMinRetry, attempted, "no attempt by the policy yet"),
    };
    for (Gate& gate : gates) gate.makes_due = true;
    return gates;
}

std::vector<Gate> OtherGates(const GateContext& context) {
    std::vector<Gate> gates = {
            UntouchedGate(context), BatteryGate(context),
            HeatGate(context),      ZonesGate(context),
            StorageGate(context),   CheckpointGate(context),
            FrameworkGate(context), ClosedWhile("chip", false, "no known TRIM defect"),
    };
    for (const Refusal& refusal : context.inputs.refusals) Refuse(refusal, &gates);
    return gates;
}

bool IsQuiet(const StorageReading& storage) {
    return storage.in_flight <= kMaxIoInFlight && storage.busy_percent.value_or(0) <= kMaxIoPercent;
}

std::vector<OverrideRange> OverrideRanges() {
    constexpr int64_t kYear = 366LL * 24 * 3600;
    // 10 degrees closes the gate of any device in use; a smaller number was meant in degrees.
    constexpr int64_t kCold = 100;
    return {
            {"interval", "s", 0, kYear},
            {"written", "pct", 0, 100},
            {"retry", "s", 0, kYear},
            {"untouched", "s", 0, kYear},
            {"battery", "pct", kFloorPercentOnCharger, 100},
            {"heat", "dC", kCold, kNeverBatteryHeat},
            {"zones", "dC", kCold, kNeverZoneHeat},
            {"storage", "pct", 0, 100},
            {"framework", "yes", 0, 1},
    };
}

std::optional<OverrideRange> FindOverrideRange(std::string_view gate) {
    for (const OverrideRange& range : OverrideRanges()) {
        if (gate == range.gate) return range;
    }
    return std::nullopt;
}

}  // namespace storekeeper
