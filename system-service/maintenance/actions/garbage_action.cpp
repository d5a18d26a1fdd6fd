// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/garbage_action.h"

#include <android-base/logging.h>
#include <android-base/parseint.h>

#include <algorithm>
#include <utility>

#include "base/diskstats.h"
#include "base/smart_idle_maintenance.h"
#include "base/try.h"
#include "mounts/members.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::seconds;

// AOSP's init.rc makes this link to the f2fs on /data.
constexpr char kF2fs[] = "/dev/sys/fs/by-name/userdata/";
constexpr char kUrgent[] = "storekeeper.gc.urgent";

// Dirty segments below which collecting ends. vold's own idle garbage collection stops there, too.
constexpr uint64_t kFewDirty = 100;
constexpr seconds kLook(2);

Result<uint64_t> Number(const FileReader& files, const std::string& name) {
    std::string text = TRY(files.ReadAttribute(kF2fs + name));
    // Vendors' kernels print gc_urgent with a word behind the number.
    text = text.substr(0, text.find(' '));
    uint64_t value = 0;
    if (!android::base::ParseUint(text, &value)) {
        return Error() << kF2fs << name << ": '" << text << "'";
    }
    return value;
}

}  // namespace

GarbageAction::GarbageAction(const ActionSeams& seams, Pauser& pauser, InitProperties properties,
                             const Terms& terms, const PolicyConfig& config)
      : seams_(seams),
        memory_(seams, config),
        pauser_(pauser),
        properties_(std::move(properties)),
        terms_(terms) {}

bool GarbageAction::FrameworkOwnsIt() const {
    return IsSmartIdleMaintenance(properties_.get);
}

Result<GarbageAction::Offer> GarbageAction::Examine() const {
    if (terms_.longest == seconds(0)) {
        // A value that is no count of seconds is taken as 0; the message shows the value itself.
        const std::string value = properties_.get(kSecondsProperty);
        return Error() << "off: " << kSecondsProperty << " is " << (value.empty() ? "0" : value);
    }
    if (FrameworkOwnsIt()) return Error() << "smart idle maintenance is enabled";
    const DataVolume data = TRY(FindDataVolume(seams_.files));
    if (data.mount.type != "f2fs") return Error() << "/data is " << data.mount.type << ", not f2fs";
    const uint64_t left = memory_.RemainingBytes(memory_.Load());
    if (left == 0) return Error() << "the write budget of the week is used up";
    return Offer{.devices = MembersOf(seams_.files, data.mount).devices,
                 .most_bytes = std::min(left, terms_.most_written_bytes)};
}

ActionPlan GarbageAction::Plan() const {
    ActionPlan plan{.action = std::string(name())};
    const Result<Offer> offer = Examine();
    if (!offer.ok()) {
        plan.what = offer.error().message();
        return plan;
    }
    plan.would_act = true;
    plan.written_bytes = offer->most_bytes;
    plan.what =
            "f2fs collects garbage for at most " + std::to_string(terms_.longest.count()) + " s";
    return plan;
}

Result<void> GarbageAction::SetUrgent(bool urgent) {
    const uint64_t wanted = urgent ? 1 : 0;
    TRY(SetRequest(properties_, kUrgent, std::to_string(wanted)));
    // fs/f2fs/sysfs.c shows the mode that 1 led to: 1 (4.14), 3 (4.19), 4 (from 5.9 on).
    const auto is_done = [urgent](uint64_t mode) { return (mode != 0) == urgent; };
    const uint64_t now = TRY(ReadWhenDone(
            pauser_, [this] { return Number(seams_.files, "gc_urgent"); }, is_done));
    if (is_done(now)) return {};
    return Error() << "init did not set gc_urgent to " << wanted << ", it is " << now;
}

std::optional<std::string> GarbageAction::WhyEnd(BootTime begun, uint64_t written,
                                                 uint64_t most_bytes,
                                                 const StopSignal& stop) const {
    if (std::optional<std::string> reason = stop.reason(); reason.has_value()) return reason;
    if (FrameworkOwnsIt()) return "smart idle maintenance is enabled";
    if (seams_.clock.SinceBoot() - begun >= terms_.longest) return "time limit reached";
    const Result<uint64_t> dirty = Number(seams_.files, "dirty_segments");
    if (!dirty.ok()) return dirty.error().message();
    if (*dirty < kFewDirty) return "few dirty segments left";
    if (written >= most_bytes) return "write limit reached";
    return std::nullopt;
}

Result<void> GarbageAction::Collect(const Offer& offer, const StopSignal& stop,
                                    ActionReceipt* receipt) {
    if (const uint64_t urgent = TRY(Number(seams_.files, "gc_urgent")); urgent != 0) {
        return Error() << "another process has set gc_urgent to " << urgent;
    }
    const uint64_t dirty_before = TRY(Number(seams_.files, "dirty_segments"));
    const uint64_t written_before = TRY(ReadDiskStats(seams_.files, offer.devices)).written_bytes;
    const BootTime begun = seams_.clock.SinceBoot();
    std::optional<std::string> ended = WhyEnd(begun, 0, offer.most_bytes, stop);
    if (!ended.has_value()) {
        LOG(INFO) << "f2fs collects garbage: " << dirty_before << " dirty segments";
        if (auto set = SetUrgent(true); !set.ok()) ended = set.error().message();
    }
    while (!ended.has_value()) {
        pauser_.Pause(kLook, stop);
        const Result<DiskStats> stats = ReadDiskStats(seams_.files, offer.devices);
        if (!stats.ok()) {
            ended = stats.error().message();
            break;
        }
        receipt->written_bytes = stats->written_bytes - written_before;
        ended = WhyEnd(begun, receipt->written_bytes, offer.most_bytes, stop);
    }
    TRY(Restore());
    const uint64_t dirty_after = Number(seams_.files, "dirty_segments").value_or(dirty_before);
    receipt->note = "from " + std::to_string(dirty_before) + " to " + std::to_string(dirty_after) +
                    " dirty segments; ended: " + *ended;
    receipt->duration = seams_.clock.SinceBoot() - begun;
    receipt->outcome = stop.raised() ? ActionOutcome::kStopped : ActionOutcome::kDone;
    return {};
}

ActionReceipt GarbageAction::Run(const StopSignal& stop) {
    ActionReceipt receipt{.action = std::string(name())};
    const Result<Offer> offer = Examine();
    if (!offer.ok()) {
        receipt.note = offer.error().message();
        return receipt;
    }
    // Charged first: after a crash or a power cut f2fs must not write the same again and again.
    Result<void> done = memory_.Charge(offer->most_bytes);
    if (done.ok()) {
        done = Collect(*offer, stop, &receipt);
        memory_.Correct(offer->most_bytes, receipt.written_bytes);
    }
    if (!done.ok()) {
        receipt.outcome = ActionOutcome::kFailed;
        receipt.note = done.error().message();
    }
    return receipt;
}

Result<void> GarbageAction::Restore() {
    if (properties_.get(kUrgent) != "1") return {};
    // A second attempt, as in QueueControl::Restore().
    if (SetUrgent(false).ok()) return {};
    return SetUrgent(false);
}

}  // namespace storekeeper
