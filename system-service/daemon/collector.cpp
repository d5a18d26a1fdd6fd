// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/collector.h"

#include <android-base/logging.h>

#include <algorithm>
#include <utility>

#include "base/file_reader.h"
#include "base/tokens.h"
#include "base/try.h"
#include "daemon/heap.h"
#include "health/ledger.h"
#include "health/wear_sample.h"
#include "latency/probe.h"
#include "maintenance/canary/canary.h"
#include "mounts/block_device.h"
#include "mounts/members.h"
#include "mounts/mountinfo.h"
#include "writers/budget.h"
#include "writers/cost.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr size_t kUidsShown = 10;

std::string PreEolWord(const WearReading& wear) {
    static constexpr const char* kWords[] = {"normal", "warning", "urgent"};
    const std::optional<uint8_t> value = WearValue(wear, WearField::kPreEol);
    return value.has_value() ? kWords[*value - 1] : "";
}

}  // namespace

// The devices of /data; unknown members are absent.
struct Collector::Data {
    std::vector<dev_t> disks;
    // Its file system's type, and the devices directly below it.
    std::string filesystem;
    std::vector<dev_t> devices;
    // Bytes written by its file system; absent if `not_counted` is set, WhyNotCounted() of the
    // devices.
    std::optional<uint64_t> written_bytes;
    std::string not_counted;
    std::string problem;
};

Collector::Collector(const Seams& seams, Hooks hooks, const WritersConfig& writers)
      : seams_(seams),
        hooks_(std::move(hooks)),
        writers_(writers),
        boot_id_(seams.files.ReadAttribute(kBootIdPath).value_or("")),
        collected_(std::make_shared<Collected>()) {}

void Collector::Stop() {
    stop_.Raise("storekeeperd exits");
    // Declared before the lock, so that the thread is joined after the lock is released.
    std::optional<Thread> worker;
    MutexLock guard(lock_);
    ending_ = true;
    changed_.NotifyAll();
    if (worker_.has_value()) worker.emplace(std::move(*worker_));
}

BootTime Collector::Tick() {
    MutexLock guard(lock_);
    const BootTime now = seams_.clock.SinceBoot();
    const BootTime later = now + History::kWearAfter;
    // Gather() replaces this estimate when it ends.
    if (now >= due_ && RequestGathering()) due_ = later;
    // If no thread could be started, the next tick tries again, whatever causes it.
    return due_ > now ? due_ : later;
}

void Collector::OnEvent() {
    MutexLock guard(lock_);
    RequestGathering();
}

bool Collector::RequestGathering() {
    if (ending_) return false;
    wanted_ = true;
    changed_.NotifyAll();
    if (worker_.has_value()) return true;
    Result<Thread> started = Thread::Start([this] { Work(); });
    if (started.ok()) {
        worker_.emplace(std::move(*started));
    } else {
        LOG(ERROR) << "Health is gathered when storekeeperd wakes next: " << started.error();
    }
    return started.ok();
}

bool Collector::IsProbeDue() const {
    return !probed_.has_value() || seams_.clock.SinceBoot() - *probed_ >= hooks_.probe_period;
}

void Collector::MeasureProbe() {
    LatencyReadings readings = seams_.latency.MeasureProbe(stop_);
    probe_problem_ = std::move(readings.problems.probe);
    if (!readings.samples.empty()) probed_ = seams_.clock.SinceBoot();
    for (const LatencySample& sample : readings.samples) Record(sample);
}

std::shared_ptr<const Collected> Collector::Last() const {
    const std::string not_counted = FindData().not_counted;
    MutexLock guard(lock_);
    if (not_counted.empty()) return collected_;
    // The counters may have been switched off since the last gathering.
    auto last = std::make_shared<Collected>(*collected_);
    last->ledger.not_counted = last->latency.write_path.not_counted = not_counted;
    last->ledger.written_bytes.reset();
    last->lifetime_bytes.reset();
    last->forecast = MakeForecast(last->ledger, seams_.clock.Wall());
    for (LatencySourceState& state : last->latency.sources) {
        if (state.source == LatencySource::kDiskstats) state.why = not_counted;
    }
    return last;
}

void Collector::Work() {
    for (;;) {
        {
            MutexLock guard(lock_);
            while (!wanted_ && !ending_) changed_.Wait(lock_);
            if (ending_) return;
            wanted_ = false;
        }
        Gather();
        // Only after Gather() has returned the previous results are freed as well.
        ReleaseMemory();
    }
}

void Collector::LoadOnce() {
    loaded_ = true;
    if (history_read_) return;
    Result<void> loaded = seams_.history.Load();
    history_read_ = loaded.ok();
    if (!loaded.ok()) LOG(WARNING) << loaded.error().message();
}

// Alerts raised before the file could be read are raised again, which costs a repeated warning.
Result<void> Collector::ReadAlertsOnce() {
    if (alerts_read_) return {};
    TRY(seams_.records.Load());
    alerts_read_ = true;
    Result<AlertState> alerts = ParseAlertState(seams_.records.Last(RecordKind::kAlerts));
    if (!alerts.ok()) {
        seams_.records.AddNote("Alerts are raised again: " + alerts.error().message());
        return {};
    }
    alerts_ = std::move(*alerts);
    return {};
}

void Collector::Gather() {
    MutexLock gathering(gather_lock_);
    LoadOnce();
    auto collected = std::make_shared<Collected>();
    const HealthReport health = hooks_.health();
    const Data data = FindData();
    seams_.history.Add(WearSample{.wall = seams_.clock.Wall(),
                                  .boot_id = boot_id_,
                                  .chip = health.storage.chip,
                                  .source = health.wear_source,
                                  .wear = health.wear,
                                  .filesystem_written_bytes = data.written_bytes});
    const LatencyProblems problems = GatherLatency(data);
    if (hooks_.at_rest() && IsProbeDue()) MeasureProbe();
    WriteDown(collected.get());
    const std::shared_ptr<const HistorySnapshot> history = seams_.history.Snapshot();
    collected->ledger = BuildLedger(history->wear);
    collected->ledger.not_counted = data.not_counted;
    collected->lifetime_bytes = data.written_bytes;
    collected->forecast =
            MakeForecast(collected->ledger, seams_.clock.Wall(), hooks_.prior(health));
    collected->latency = {.sources = {{LatencySource::kDiskstats, problems.diskstats},
                                      {LatencySource::kProbe, probe_problem_}},
                          .now = history->newest,
                          .series = history->latency,
                          .write_path = write_path_};
    FindWriters(*history, collected->forecast, &collected->latency);
    Judge(health, collected.get());
    if (Result<MountAuditInputs> mounts = hooks_.mounts(health); mounts.ok()) {
        collected->mounts = std::move(*mounts);
    } else {
        collected->notes.push_back("The mounts are not known: " + mounts.error().message());
    }
    collected->events = history->events;
    collected->notes.insert(collected->notes.end(), history->notes.begin(), history->notes.end());
    MutexLock guard(lock_);
    collected_ = std::move(collected);
    due_ = seams_.history.WearDue();
}

Collector::Data Collector::FindData() const {
    Data data;
    const Result<DataVolume> volume = FindDataVolume(seams_.files);
    if (!volume.ok()) {
        data.problem = volume.error().message();
        return data;
    }
    const Mount& mount = volume->mount;
    data.filesystem = mount.type;
    data.devices = MembersOf(seams_.files, mount).devices;
    data.disks = DisksOf(seams_.files, data.devices).value_or(std::vector<dev_t>{volume->disk});
    data.not_counted = WhyNotCounted(seams_.files, data.devices);
    if (!data.not_counted.empty()) return data;
    Result<std::string> name = NameOf(seams_.files, mount.device);
    Result<uint64_t> written = name.ok() ? ReadLifetimeWrites(seams_.files, mount.type, *name)
                                         : Error() << name.error();
    if (written.ok()) data.written_bytes = *written;
    return data;
}

void Collector::Record(const LatencySample& sample) {
    seams_.history.Add(sample);
    if (sample.kind != IoKind::kRead || sample.histogram.count() == 0) return;
    const BootTime now = seams_.clock.SinceBoot();
    hooks_.reads({.begin = now - std::min(now, BootTime(sample.span)), .sample = sample});
}

LatencyProblems Collector::GatherLatency(const Data& data) {
    if (data.disks.empty()) {
        return {.diskstats = data.problem, .uid_io = data.problem};
    }
    LatencyReadings readings = seams_.latency.Measure(data.disks, data.devices);
    for (const LatencySample& sample : readings.samples) Record(sample);
    const std::vector<uint64_t> on_device = AttributeBytes(readings.uids, readings.filesystem_bytes,
                                                           BytesPerFsync(data.filesystem));
    write_path_ = {.filesystem = data.filesystem,
                   .span = readings.span,
                   .filesystem_device = readings.filesystem_bytes,
                   .disk = readings.disk_bytes,
                   .not_counted = WhyWritesNotCounted(seams_.files, data.devices)};
    if (readings.problems.uid_io.empty()) write_path_.uids = 0;
    const auto span_s = static_cast<uint64_t>(std::max<int64_t>(readings.span.count(), 0));
    for (size_t i = 0; i < readings.uids.size(); ++i) {
        const UidIo& io = readings.uids[i];
        *write_path_.uids += io.written_bytes;
        if (io.written_bytes == 0 && io.fsyncs == 0) continue;
        seams_.history.Add(UidRow{.day = DayOf(readings.wall),
                                  .uid = io.uid,
                                  .written_bytes = io.written_bytes,
                                  .fsyncs = io.fsyncs,
                                  .device_bytes = on_device[i],
                                  .span_s = span_s});
    }
    return std::move(readings.problems);
}

void Collector::FindWriters(const HistorySnapshot& history, const Forecast& forecast,
                            LatencyReport* to) {
    std::optional<uint64_t> per_step;
    if (forecast.bytes_per_step.has_value()) per_step = forecast.bytes_per_step->middle;
    to->uid_writes = CostOfUids(history.uids, history.uid_days, per_step, kUidsShown);
    to->budgets = {.limits = writers_,
                   .offenders =
                           FindOffenders(history.uid_rows, writers_, DayOf(seams_.clock.Wall()))};
    std::vector<uint32_t> uids;
    for (const UidCost& writer : to->uid_writes) uids.push_back(writer.uid);
    for (const Offender& offender : to->budgets.offenders) uids.push_back(offender.uid);
    seams_.names.Refresh(uids);
    to->names_problem = seams_.names.problem();
    const auto name = [&names = seams_.names.names()](auto* who) {
        who->kind = KindOf(who->uid, names);
        who->name = NameOf(who->uid, names);
    };
    for (UidCost& writer : to->uid_writes) name(&writer);
    for (Offender& offender : to->budgets.offenders) name(&offender);
}

void Collector::WriteDown(Collected* to) {
    if (!seams_.history.IsFlushDue()) return;
    if (Result<void> flushed = seams_.history.Flush(); !flushed.ok()) {
        LOG(ERROR) << flushed.error().message();
        to->notes.push_back(flushed.error().message());
    }
}

void Collector::Judge(HealthReport health, Collected* to) {
    AddForecast(to->forecast, &health);
    Result<void> kept = ReadAlertsOnce();
    AlertFacts facts{.device = health.storage.device,
                     .critical_health = health.storage.critical_health};
    const std::vector<Offender>& offenders = to->latency.budgets.offenders;
    if (HasBudgets(writers_)) facts.over_budget = OverBudgetText(offenders);
    const AlertChanges changes =
            UpdateAlerts(to->ledger, to->forecast, facts, seams_.clock.Wall(), &alerts_);
    for (const Alert& alert : changes.raised) LOG(WARNING) << alert.text;
    for (const Alert& alert : changes.ended) LOG(INFO) << "No longer: " << alert.text;
    if (kept.ok()) {
        seams_.records.Put(RecordKind::kAlerts, FormatAlertState(alerts_));
        kept = seams_.records.Write();
    }
    if (!kept.ok()) {
        LOG(ERROR) << "The alerts are kept in memory only: " << kept.error().message();
    }
    to->alerts = alerts_;
    for (const ChipTrust& trust : hooks_.chips()) {
        if (trust.state != ChipTrust::State::kQuarantined) continue;
        // The quarantine is stored with the chip, not with the alerts, so it neither ends nor is
        // raised twice.
        to->alerts.entries.push_back({.alert = {.code = "trim",
                                                .level = Verdict::Level::kUrgent,
                                                .since = trust.since.wall,
                                                .text = QuarantineText(trust)}});
    }
    for (const auto& [name, value] :
         StatusProperties(health.verdict, health.wear, *to, OverBudgetProperty(offenders))) {
        hooks_.publish(name, value);
    }
}

void Collector::Finish() {
    stop_.Raise("storekeeperd exits");
    MutexLock gathering(gather_lock_);
    if (!loaded_) return;
    // Saves the counters' growth since the last gathering, because they restart with the next boot.
    GatherLatency(FindData());
    if (Result<void> flushed = seams_.history.Flush(); !flushed.ok()) {
        LOG(ERROR) << flushed.error().message();
    }
}

std::vector<std::pair<std::string, std::string>> StatusProperties(const Verdict& verdict,
                                                                  const WearReading& wear,
                                                                  const Collected& collected,
                                                                  const std::string& over_budget) {
    const std::string prefix = "storekeeper.status.";
    const Forecast& forecast = collected.forecast;
    const std::optional<uint64_t>& written = collected.lifetime_bytes;
    std::vector<std::string> codes;
    for (const Verdict::Level level : {Verdict::Level::kUrgent, Verdict::Level::kWarning}) {
        for (const AlertState::Entry& entry : collected.alerts.entries) {
            if (entry.alert.level != level) continue;
            codes.push_back(entry.alert.code + ":" + NameOf(level));
        }
    }
    return {{prefix + "level", NameOf(verdict.level)},
            {prefix + "life_used_pct",
             verdict.used_to_pct.has_value() ? std::to_string(*verdict.used_to_pct) : ""},
            {prefix + "life_remaining_pct",
             verdict.used_from_pct.has_value() ? std::to_string(100 - *verdict.used_from_pct) : ""},
            {prefix + "pre_eol", PreEolWord(wear)},
            {prefix + "forecast_end",
             forecast.earliest.has_value() ? MonthText(*forecast.earliest) : "unknown"},
            {prefix + "forecast_latest",
             forecast.latest.has_value() ? MonthText(*forecast.latest) : ""},
            {prefix + "written_bytes", written.has_value() ? std::to_string(*written) : ""},
            {prefix + "alerts", PropertyList(codes)},
            {prefix + "over_budget", over_budget}};
}

}  // namespace storekeeper
