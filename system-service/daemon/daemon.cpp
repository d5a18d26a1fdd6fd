// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/daemon.h"

#include <android-base/logging.h>

#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "crypto/choice_store.h"
#include "mounts/mount_audit.h"

namespace storekeeper {

using android::base::Result;

namespace {

// A working package service answers within milliseconds.
constexpr std::chrono::seconds kNamesPatience(1);

// The rules of trims, with the configured length of discards.
TrimRules RulesOf(const Daemon::Terms& terms) {
    const PolicyConfig& config = terms.config.config.maintenance;
    TrimRules rules = terms.rules;
    rules.discard_budget = std::chrono::milliseconds(config.discard_ms);
    return rules;
}

// The actions beside the trim. A report-only product has no right to any.
MaintenanceRun::Actions ActionsOf(const Daemon::Terms& terms, GarbageAction& garbage,
                                  DefragAction& defrag) {
    if (terms.rules.report_only) return {};
    return {.before = {&garbage}, .after = {&defrag}};
}

// A report-only product lacks the program that would apply a choice.
Result<std::string> ChoiceFileOf(const Daemon::Terms& terms, const FileReader& files) {
    if (terms.rules.report_only) return android::base::Error() << kReportOnlyText;
    return FindChoiceFile(files);
}

}  // namespace

Daemon::Daemon(Seams seams, const Terms& terms)
      : seams_(std::move(seams)),
        collect_(terms.collect),
        names_in_dumps_(terms.config.config.writers.names_in_dumps),
        queue_(seams_.files, seams_.pauser, seams_.properties),
        hid_(seams_.files, seams_.pauser, seams_.properties),
        records_(seams_.syscalls, PathOf("/state.log")),
        chips_({.syscalls = seams_.syscalls,
                .files = seams_.files,
                .clock = seams_.clock,
                .records = records_},
               {.canary = PathOf("/canary"),
                .restart_wait = terms.config.config.maintenance.canary_restart}),
        garbage_({.files = seams_.files, .clock = seams_.clock, .records = records_}, seams_.pauser,
                 seams_.properties, terms.gc, terms.config.config.maintenance),
        defrag_({.files = seams_.files, .clock = seams_.clock, .records = records_}, hid_,
                seams_.pauser, terms.config.config.maintenance),
        run_({.syscalls = seams_.syscalls,
              .files = seams_.files,
              .clock = seams_.clock,
              .fitrim = seams_.fitrim,
              .pauser = seams_.pauser,
              .queue = queue_,
              .records = records_,
              .chips = chips_},
             RulesOf(terms), ActionsOf(terms, garbage_, defrag_)),
        history_(seams_.syscalls, PathOf("/history.db"), seams_.clock),
        probe_(seams_.syscalls, seams_.files, seams_.clock, terms.probe),
        latency_(seams_.files, seams_.clock,
                 {.probe =
                          terms.probe.kib_per_day >= ProbeConfig::kMinKibPerDay ? &probe_ : nullptr,
                  .hal = seams_.hal}),
        names_(seams_.clock, seams_.packages, kNamesPatience),
        card_(seams_.files, seams_.hal),
        collector_({.files = seams_.files,
                    .clock = seams_.clock,
                    .history = history_,
                    .records = records_,
                    .latency = latency_,
                    .names = names_},
                   CollectorHooks(terms), terms.config.config.writers),
        keeper_({.files = seams_.files,
                 .clock = seams_.clock,
                 .inputs = seams_.inputs,
                 .run = run_,
                 .records = records_},
                {.policy = terms.config.config.maintenance,
                 .files = terms.config.files,
                 .problems = terms.config.problems},
                KeeperHooks(terms.collect)),
        crypto_({.files = seams_.files, .syscalls = seams_.syscalls, .calls = seams_.ciphers},
                {.property = seams_.properties.get,
                 .mounts =
                         [this] {
                             return ReadMountFacts(seams_.files, seams_.syscalls, std::nullopt, {},
                                                   seams_.properties.get);
                         }},
                {.choice = ChoiceFileOf(terms, seams_.files), .speed = PathOf("/speed")}),
        heap_(seams_.clock, seams_.wake) {
    for (const char* name : {"/probe", "/speed"}) MakeRoomForFile(seams_.syscalls, PathOf(name));
}

// keeper_ is destroyed before collector_, whose thread uses it, so that thread is stopped first.
// The end of keeper_ may still report a run to collector_.
Daemon::~Daemon() {
    collector_.Stop();
}

std::string Daemon::PathOf(const std::string& name) const {
    return seams_.files.PathOf(kDirectory + name);
}

void Daemon::Publish(const std::string& name, const std::string& value) {
    if (!seams_.properties.set(name, value)) LOG(WARNING) << "cannot set property " << name;
}

Collector::Hooks Daemon::CollectorHooks(const Terms& terms) {
    return {.health = [this] { return Health(); },
            .prior = [chips = terms.config.config.chips](
                             const HealthReport& health) { return PriorOf(chips, health.storage); },
            .mounts =
                    [this](const HealthReport& health) {
                        return ReadMountFacts(seams_.files, seams_.syscalls,
                                              VolatileCacheOn(health.ext_csd), run_.configured(),
                                              seams_.properties.get);
                    },
            .chips =
                    [this] {
                        keeper_.RecheckChips();
                        return chips_.chips();
                    },
            .at_rest = [this] { return keeper_.IsAtRest(); },
            .reads = [this](const ReadFigure& figure) { defrag_.NoteReads(figure); },
            .publish = [this](const auto& name, const auto& value) { Publish(name, value); },
            .probe_period = terms.probe.period};
}

Keeper::Hooks Daemon::KeeperHooks(bool collect) {
    Keeper::Hooks hooks{.wake = seams_.wake,
                        .publish = [this](const auto& name,
                                          const auto& value) { Publish(name, value); },
                        .stay_awake = seams_.stay_awake};
    if (!collect) return hooks;
    hooks.run_ended = [this] { collector_.OnEvent(); };
    return hooks;
}

DumpSources Daemon::Sources(bool apps) {
    return {keeper_,
            card_,
            collector_.Last(),
            crypto_,
            DeviceName{.model = seams_.properties.get("ro.product.model"),
                       .build = seams_.properties.get("ro.build.id")},
            apps || names_in_dumps_};
}

Keeper::Nap Daemon::Turn() {
    card_.ReadOnce();
    Keeper::Nap nap = keeper_.Tick();
    const auto wake_by = [&nap](BootTime time) {
        nap.deadline = std::min(time, nap.deadline.value_or(time));
    };
    if (collect_) wake_by(collector_.Tick());
    if (const std::optional<BootTime> purge = heap_.Turn(); purge.has_value()) wake_by(*purge);
    return nap;
}

void Daemon::OnCriticalHealth() {
    LOG(WARNING) << "The UFS reports a critical health condition";
    if (collect_) collector_.OnEvent();
}

void Daemon::Finish() {
    keeper_.WriteDown();
    collector_.Finish();
}

}  // namespace storekeeper
