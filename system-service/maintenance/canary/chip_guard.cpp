// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/chip_guard.h"

#include <android-base/logging.h>
#include <errno.h>

#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "base/quantity_text.h"
#include "base/try.h"
#include "mounts/block_device.h"
#include "mounts/chip_id.h"
#include "mounts/members.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using State = ChipTrust::State;
using Kind = CanaryReading::Kind;

// Bytes that stay free beside a canary.
constexpr uint64_t kSpareBytes = 16 << 20;

// True for errors of a discard that the card could not carry out.
bool IsCardError(int error) {
    return error == EIO || error == EREMOTEIO || error == ETIMEDOUT || error == ENODEV ||
           error == ENXIO;
}

Result<Chip> ChipBelow(const FileReader& files, dev_t device) {
    return ChipOf(files, TRY(DiskOf(files, device)));
}

// The chip of a file system. An error if there are several, because a canary is on one of them and
// it is unknown on which.
Result<Chip> OnlyChipBelow(const FileReader& files, const std::vector<dev_t>& devices) {
    Chip only = TRY(ChipBelow(files, devices.front()));
    for (size_t i = 1; i < devices.size(); ++i) {
        if (TRY(ChipBelow(files, devices[i])).id != only.id) {
            return Error() << "the file system spans several chips, and a canary checks one";
        }
    }
    return only;
}

}  // namespace

ChipGuard::ChipGuard(const Seams& seams, Terms terms)
      : seams_(seams),
        terms_(std::move(terms)),
        boot_id_(seams.files.ReadAttribute(kBootIdPath).value_or("")),
        file_(seams.syscalls, terms_.canary) {}

std::vector<ChipTrust> ChipGuard::chips() const {
    std::string text = seams_.records.Last(RecordKind::kChips);
    MutexLock guard(parsed_lock_);
    if (text != parsed_text_) {
        Result<std::vector<ChipTrust>> read = ParseChipTrust(text);
        if (!read.ok()) {
            LOG(ERROR) << "The records of chips cannot be read, quarantines included: "
                       << read.error();
        }
        parsed_ = std::move(read).value_or(std::vector<ChipTrust>());
        parsed_text_ = std::move(text);
    }
    return parsed_;
}

void ChipGuard::RecordChange(const ChipTrust& before, const ChipTrust& trust) {
    if (trust == before) return;
    if (trust.state == State::kQuarantined && before.state != State::kQuarantined) {
        LOG(ERROR) << "The chip " << trust.chip.id << " is in quarantine: " << trust.why;
    }
    if (const Result<void> kept = Record(trust); !kept.ok()) {
        LOG(ERROR) << "The record of the chip is in memory only: " << kept.error();
    }
}

Result<void> ChipGuard::Record(const ChipTrust& trust) {
    std::vector<ChipTrust> known = chips();
    PutTrust(trust, &known);
    seams_.records.Put(RecordKind::kChips, FormatChipTrust(known));
    return seams_.records.Write();
}

std::optional<std::string> ChipGuard::QuarantineReason(const std::vector<dev_t>& devices) const {
    const std::vector<ChipTrust> known = chips();
    if (std::none_of(known.begin(), known.end(),
                     [](const ChipTrust& trust) { return trust.state == State::kQuarantined; })) {
        return std::nullopt;
    }
    for (const dev_t device : devices) {
        const Result<Chip> chip = ChipBelow(seams_.files, device);
        if (!chip.ok()) continue;
        const ChipTrust trust = TrustOf(known, chip->id);
        if (trust.state == State::kQuarantined) return QuarantineText(trust);
    }
    return std::nullopt;
}

std::optional<std::string> ChipGuard::WaitReason(const std::vector<dev_t>& devices) const {
    const RunStamp now = Now();
    std::vector<ChipTrust> waiting = chips();
    std::erase_if(waiting, [&](const ChipTrust& trust) {
        return Admit(trust, now, terms_.restart_wait, false).answer != TrimAdmission::Answer::kWait;
    });
    // A UFS is queried for its identity, so only if it matters.
    if (waiting.empty()) return std::nullopt;
    const Result<Chip> chip = OnlyChipBelow(seams_.files, devices);
    if (!chip.ok()) return std::nullopt;
    const ChipTrust trust = TrustOf(waiting, chip->id);
    if (trust.chip.id.empty()) return std::nullopt;
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(
            terms_.restart_wait - (now.since_boot - trust.since.since_boot));
    return "the canary of the chip is intact and is read again after a restart; without a restart "
           "it opens in " +
           DurationText(left.count());
}

CanaryReading ChipGuard::Read(const ChipTrust& trust, const Mount& data) {
    CanaryReading reading = file_.Read(*trust.canary);
    if (reading.kind != Kind::kDamaged) return reading;
    const bool first_after_restart = trust.since.boot_id != boot_id_ && !trust.after_restart;
    if (const std::string option(data.NoBarrierOption()); first_after_restart && !option.empty()) {
        return {.kind = Kind::kGone,
                .why = data.mount_point + " is mounted with " + option +
                       ": a power cut loses what was synced, the canary as well"};
    }
    // A file system that was shut down cannot be read at all.
    if (reading.io_error && trust.state != State::kTrying &&
        !SyncDirectoryOf(seams_.syscalls, terms_.canary).ok()) {
        reading.kind = Kind::kUnreadable;
    }
    return reading;
}

ChipTrust ChipGuard::ReadAgain(ChipTrust trust, const Mount& data) {
    const CanaryReading reading = Read(trust, data);
    return TrustAfterReading(std::move(trust), reading, Now());
}

ChipTrust ChipGuard::TrialFailed(ChipTrust trust, const std::string& why) const {
    trust.state = State::kUnknown;
    trust.since = Now();
    trust.why = why;
    return trust;
}

Result<void> ChipGuard::Plant(const Mount& data, ChipTrust* trust) {
    const uint64_t granularity =
            QueueLimit(seams_.files, data.device, "discard_granularity").value_or(0);
    const struct statvfs fs = TRY(seams_.syscalls.Statvfs(data.mount_point));
    const CanaryPlan plan =
            TRY(PlanCanary(data.type, fs.f_bsize, granularity, trust->written_bytes));
    if (trust->written_bytes + plan.written_bytes() > kCanaryBudgetBytes) {
        return Error() << "canaries have written " << SizeText(trust->written_bytes)
                       << ", and another would exceed " << SizeText(kCanaryBudgetBytes);
    }
    const uint64_t free = static_cast<uint64_t>(fs.f_bavail) * fs.f_frsize;
    if (free < plan.size() + kSpareBytes) {
        return Error() << data.mount_point << " has " << SizeText(free)
                       << " free, too little for a canary of " << SizeText(plan.size());
    }
    // Charged in advance, so that a power cut leaves no write uncounted.
    const uint64_t before = trust->written_bytes;
    trust->state = State::kPlanting;
    trust->since = Now();
    trust->written_bytes += plan.written_bytes();
    TRY(Record(*trust));
    const uint64_t seed =
            std::hash<std::string>()(boot_id_) ^
            static_cast<uint64_t>(seams_.clock.SinceBoot().count()) * 0x9e3779b97f4a7c15;
    trust->written_bytes = before;
    Result<Canary> canary = file_.Plant(plan, seed, &trust->written_bytes);
    if (!canary.ok()) {
        static_cast<void>(file_.Remove());
        return canary.error();
    }
    trust->canary = *canary;
    return {};
}

bool ChipGuard::Try(const Mount& data, const Discard& discard, bool is_new, ChipTrust* trust) {
    trust->state = State::kTrying;
    trust->since = Now();
    // Saved before the trim: if the chip does not survive it, this record is all that is left. If
    // the file system may discard the gap by itself, it is saved before the gap is opened, too.
    const bool discards_itself = data.HasOption("discard");
    Result<void> done;
    if (discards_itself) {
        done = file_.Sync();
        if (done.ok()) done = Record(*trust);
    }
    if (done.ok()) done = file_.OpenGap(&*trust->canary);
    if (done.ok()) done = Record(*trust);
    if (!done.ok()) {
        *trust = TrialFailed(std::move(*trust), done.error().message());
        return true;
    }
    const CanaryGap& gap = trust->canary->gap;
    const Result<uint64_t> answer = discard(gap.physical, gap.length);
    if (!answer.ok() && IsCardError(answer.error().code())) {
        *trust = Quarantined(std::move(*trust),
                             "the first discard failed: " + answer.error().message(), Now());
        return true;
    }
    const CanaryReading reading = Read(*trust, data);
    if (reading.kind != Kind::kIntact) {
        *trust = TrustAfterReading(std::move(*trust), reading, Now());
        if (trust->state == State::kTrying) *trust = TrialFailed(std::move(*trust), reading.why);
        return true;
    }
    trust->unfinished = 0;
    if (!answer.ok()) {
        *trust = TrialFailed(std::move(*trust), answer.error().code() == EINTR
                                                        ? "the run was stopped beside the canary"
                                                        : answer.error().message());
        return true;
    }
    if (!discards_itself && *answer >= gap.length) {
        *trust = TrustAfterReading(std::move(*trust), reading, Now());
        return true;
    }
    // Other files may have taken the blocks since the gap was made.
    if (!is_new && !discards_itself) return false;
    trust->state = State::kWatched;
    trust->why = discards_itself
                         ? data.mount_point +
                                   " is mounted with discard: the file system discards by itself, "
                                   "at a time that it does not report"
                         : "the file system discarded " + SizeText(*answer) + " of " +
                                   SizeText(gap.length) + " beside the canary";
    return true;
}

ChipTrust ChipGuard::ProveHarmless(ChipTrust trust, const Mount& data, const Discard& discard) {
    if (trust.canary.has_value()) {
        if (Try(data, discard, false, &trust)) return trust;
        trust.canary.reset();
    }
    if (Result<void> planted = Plant(data, &trust); !planted.ok()) {
        return TrialFailed(std::move(trust), planted.error().message());
    }
    static_cast<void>(Try(data, discard, true, &trust));
    return trust;
}

TrimAdmission ChipGuard::Examine(const std::vector<dev_t>& devices, bool manual,
                                 const Discard* discard) {
    const auto unverified = [](const std::string& why) {
        return TrimAdmission{.verdict = "unverified", .why = why};
    };
    const Result<Chip> chip = OnlyChipBelow(seams_.files, devices);
    if (!chip.ok()) return unverified(chip.error().message());
    MutexLock guard(guard_lock_);
    const ChipTrust before = TrustOf(chips(), chip->id);
    ChipTrust trust = TrustAtBegin(before, *chip, Now());
    const uint64_t written_before = trust.written_bytes;
    const Result<DataVolume> data = FindDataVolume(seams_.files);
    const Result<Chip> of_data =
            data.ok() ? OnlyChipBelow(seams_.files, MembersOf(seams_.files, data->mount).devices)
                      : Result<Chip>(android::base::unexpected(data.error()));
    if (trust.state == State::kQuarantined) {
        // A quarantine is final here.
    } else if (!of_data.ok()) {
        return unverified("the canary file is on /data only: " + of_data.error().message());
    } else if (of_data->id != chip->id) {
        return unverified("the canary file is on /data, which is on another chip");
    } else {
        if (trust.canary.has_value()) trust = ReadAgain(std::move(trust), data->mount);
        // A trial of another firmware needs a gap that was not discarded before.
        if (trust.state == State::kUnknown && chip->firmware != before.chip.firmware) {
            trust.canary.reset();
        }
        if (trust.state == State::kWatched && !data->mount.HasOption("discard")) {
            trust = TrialFailed(std::move(trust), trust.why);
        }
        if (trust.state == State::kUnknown && discard != nullptr) {
            trust = ProveHarmless(std::move(trust), data->mount, *discard);
        } else if (trust.state == State::kUnknown) {
            trust.why = "/data, which holds the canary file, must not be trimmed";
        }
    }
    RecordChange(before, trust);
    TrimAdmission admission = Admit(trust, Now(), terms_.restart_wait, manual);
    admission.written_bytes = trust.written_bytes - written_before;
    return admission;
}

void ChipGuard::Recheck() {
    if (!seams_.records.Load().ok()) return;
    const Result<DataVolume> data = FindDataVolume(seams_.files);
    if (!data.ok()) return;
    const Result<Chip> chip = ChipOf(seams_.files, data->disk);
    if (!chip.ok()) return;
    MutexLock guard(guard_lock_);
    const ChipTrust before = TrustOf(chips(), chip->id);
    if (!before.canary.has_value() || before.state == State::kQuarantined) return;
    const ChipTrust trust = ReadAgain(before, data->mount);
    // A trial that did not end is left to the next run, unless it did harm.
    if (before.state == State::kTrying && trust.state != State::kQuarantined) return;
    RecordChange(before, trust);
}

Result<size_t> ChipGuard::LiftQuarantine() {
    TRY(seams_.records.Load());
    MutexLock guard(guard_lock_);
    size_t lifted = 0;
    for (const ChipTrust& trust : chips()) {
        if (trust.state != State::kQuarantined) continue;
        TRY(file_.Remove());
        TRY(Record({.chip = trust.chip, .since = Now(), .why = "the quarantine was lifted"}));
        ++lifted;
    }
    return lifted;
}

}  // namespace storekeeper
