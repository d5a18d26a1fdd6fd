// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/policy/policy.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/json_fields.h"

namespace storekeeper {
namespace {

using std::chrono::duration_cast;
using std::chrono::seconds;

// Steps in which the soft gates relax from the interval to the deadline. Each costs a wake-up; by
// default they are a day and a half apart.
constexpr int64_t kRelaxSteps = 4;
constexpr BootTime kHour = std::chrono::hours(1);
constexpr size_t kKept = 64;

bool IsSameBoot(const RunStamp& then, const RunStamp& now) {
    return !now.boot_id.empty() && then.boot_id == now.boot_id;
}

seconds Powered(const RunStamp& then, const RunStamp& now) {
    BootTime time = IsSameBoot(then, now) ? now.since_boot - then.since_boot : now.since_boot;
    return std::max(seconds(0), duration_cast<seconds>(time));
}

RunAge AgeOf(const PolicyState& state, const RunStamp& now) {
    if (state.age.has_value()) return BringUpToDate(*state.age, now);
    // No age was saved yet.
    if (state.last_complete.has_value()) return BringUpToDate({.at = *state.last_complete}, now);
    return {.at = now};
}

// Only powered time counts as overdue: a device that was off missed nothing, and a jump of the
// clock cannot relax a gate.
int RelaxedPercent(const GateContext& context) {
    const seconds overdue = context.age.powered - context.config.interval;
    const seconds span = context.config.deadline - context.config.interval;
    if (overdue.count() <= 0) return 0;
    if (overdue >= span) return 100;
    return static_cast<int>(overdue.count() * kRelaxSteps / span.count() * 100 / kRelaxSteps);
}

GateContext ContextOf(const PolicyInputs& inputs, const PolicyState& state,
                      const PolicyConfig& config) {
    GateContext context{.inputs = inputs,
                        .state = state,
                        .config = config,
                        .age = AgeOf(state, inputs.now)};
    context.relaxed_percent = RelaxedPercent(context);
    return context;
}

// Time of the next step of relaxing, if the device stays on.
std::optional<BootTime> NextRelaxing(const GateContext& context) {
    const seconds interval = context.config.interval;
    const int64_t span = (context.config.deadline - interval).count();
    const int64_t overdue = std::max<int64_t>(0, (context.age.powered - interval).count());
    if (overdue >= span) return std::nullopt;
    const int64_t step = overdue * kRelaxSteps / span + 1;
    // Rounded up, so that at that moment the step has been made.
    const seconds at((span * step + kRelaxSteps - 1) / kRelaxSteps);
    return context.now() + interval + at - context.age.powered;
}

void ScheduleNextCheck(const GateContext& context, Decision* decision) {
    const BootTime now = context.now();
    bool waits_for_time = false;
    decision->next_check = now;
    for (const Gate& gate : decision->gates) {
        // Until a run is due, only the gates that make it due matter.
        if (gate.pass || (!decision->due && !gate.makes_due)) continue;
        const std::optional<BootTime> at = gate.opens_at.has_value() ? gate.opens_at : gate.look_at;
        if (at.has_value()) {
            waits_for_time = true;
            decision->next_check = std::max(decision->next_check, *at);
        } else {
            decision->watch_power = true;
        }
    }
    if (waits_for_time) {
        // A change of power could not begin a run before that time, and it is read then.
        decision->watch_power = false;
    } else {
        decision->next_check = now + kEventFallback;
    }
    if (std::optional<BootTime> relaxing = NextRelaxing(context); relaxing.has_value()) {
        decision->next_check = std::min(decision->next_check, *relaxing);
    }
}

bool AllPass(const std::vector<Gate>& gates) {
    return std::all_of(gates.begin(), gates.end(), [](const Gate& gate) { return gate.pass; });
}

}  // namespace

RunStamp StampOf(const Clock& clock, const std::string& boot_id) {
    return {.boot_id = boot_id, .since_boot = clock.SinceBoot(), .wall = clock.Wall()};
}

seconds Elapsed(const RunStamp& then, const RunStamp& now) {
    const seconds powered = Powered(then, now);
    return IsSameBoot(then, now) ? powered : std::max(powered, now.wall - then.wall);
}

void Fields(JsonFields& json, RunStamp& stamp) {
    json("wall_s", stamp.wall);
    json("boot_ns", stamp.since_boot);
    json("boot_id", stamp.boot_id);
}

void Fields(JsonFields& json, RunAge& age) {
    json("at", age.at);
    json("elapsed_s", age.elapsed);
    json("powered_s", age.powered);
}

RunAge BringUpToDate(const RunAge& age, const RunStamp& now) {
    return {.at = now,
            .elapsed = age.elapsed + Elapsed(age.at, now),
            .powered = age.powered + Powered(age.at, now)};
}

bool IsWorthWriting(const RunAge& age, const RunStamp& now, seconds period) {
    if (!IsSameBoot(age.at, now) && now.wall < age.at.wall) return true;
    return Powered(age.at, now) >= period;
}

std::optional<int64_t> Gate::margin() const {
    if (!value.has_value()) return std::nullopt;
    return at_most ? limit - *value : *value - limit;
}

int64_t Gate::relaxed_by() const {
    return overridden ? 0 : at_most ? limit - strict_limit : strict_limit - limit;
}

bool Decision::overridden() const {
    return std::any_of(gates.begin(), gates.end(),
                       [](const Gate& gate) { return gate.overridden; });
}

bool Decision::ends_at_input() const {
    return std::any_of(gates.begin(), gates.end(),
                       [](const Gate& gate) { return gate.name == "untouched" && gate.limit > 0; });
}

bool IsDue(const PolicyInputs& inputs, const PolicyState& state, const PolicyConfig& config) {
    return AllPass(DueGates(ContextOf(inputs, state, config)));
}

std::string StopReason(const Decision& decision, const PolicyInputs& inputs, BootTime started) {
    for (const Gate& gate : decision.gates) {
        // The run itself keeps the storage busy. Its pauses leave room for other processes.
        if (gate.pass || gate.makes_due || gate.name == "storage") continue;
        if (gate.name == "untouched") {
            const auto& reading = inputs.readings.interaction;
            if (!reading.ok()) continue;
            if (reading->screen_on.value_or(false)) return "device in use: screen on";
            if (reading->last_input.value_or(BootTime(0)) > started) return "device in use: input";
            continue;
        }
        return gate.name + ": " + gate.note;
    }
    return "";
}

Decision Decide(const PolicyInputs& inputs, const PolicyState& state, const PolicyConfig& config) {
    const GateContext context = ContextOf(inputs, state, config);
    Decision decision;
    decision.relaxed_percent = context.relaxed_percent;
    decision.gates = DueGates(context);
    decision.due = AllPass(decision.gates);
    std::vector<Gate> others = OtherGates(context);
    std::move(others.begin(), others.end(), std::back_inserter(decision.gates));
    decision.run = AllPass(decision.gates);
    if (context.age.powered < config.deadline) {
        decision.deadline_at = context.now() + config.deadline - context.age.powered;
    }
    ScheduleNextCheck(context, &decision);
    return decision;
}

void WakeBudget::Note(BootTime now) {
    wakes_.push_back(now);
    if (wakes_.size() > kKept) wakes_.pop_front();
    ++total_;
    most_ = std::max(most_, InLastHour(now));
}

BootTime WakeBudget::NextAllowed(const Decision& decision) const {
    const size_t limit = PerHour(decision);
    if (decision.overridden() || wakes_.size() < limit) return BootTime(0);
    // With the wake-up at that time, the hour before it holds exactly `limit`.
    return wakes_[wakes_.size() - limit] + kHour;
}

size_t WakeBudget::InLastHour(BootTime now) const {
    return static_cast<size_t>(std::count_if(wakes_.begin(), wakes_.end(),
                                             [now](BootTime wake) { return now - wake < kHour; }));
}

}  // namespace storekeeper
