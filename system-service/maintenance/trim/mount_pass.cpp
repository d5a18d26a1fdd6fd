// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/mount_pass.h"

#include <android-base/logging.h>
#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/diskstats.h"
#include "base/try.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::nanoseconds;

constexpr uint64_t kEverything = std::numeric_limits<uint64_t>::max();

// A slice that found nothing to discard has kept nobody waiting.
constexpr milliseconds kWorthAPause(1);
// What mainline takes for cards with a CSD by the book; most free extents are smaller.
constexpr uint64_t kCoarse = 4 << 20;
// A crash costs a pass this much of its work at most.
constexpr minutes kCursorInterval(10);

Result<uint64_t> Discarded(const FileReader& files, const std::vector<dev_t>& devices) {
    const DiskStats stats = TRY(ReadDiskStats(files, devices));
    if (!stats.discarded_bytes.has_value()) {
        return Error() << kDiskstatsPath << " does not count discards (kernels before 4.18)";
    }
    return *stats.discarded_bytes;
}

// Absent where one of them does not report its size.
std::optional<uint64_t> BytesOfAll(const FileReader& files, const std::vector<dev_t>& devices) {
    uint64_t sum = 0;
    for (const dev_t device : devices) {
        const std::optional<uint64_t> bytes = BytesOf(files, device);
        if (!bytes.has_value()) return std::nullopt;
        sum += *bytes;
    }
    return sum;
}

}  // namespace

Result<PassPlan> PlanPass(const TrimSeams& seams, const Selection& selection) {
    const struct statvfs fs = TRY(seams.syscalls.Statvfs(selection.path));
    PassPlan plan;
    plan.size_bytes = static_cast<uint64_t>(fs.f_blocks) * fs.f_frsize;
    plan.block_bytes = fs.f_bsize;
    plan.free_bytes = static_cast<uint64_t>(fs.f_bfree) * fs.f_frsize;
    const auto device_bytes = BytesOfAll(seams.files, selection.members.devices);
    plan.misses_devices = device_bytes.has_value() && *device_bytes < plan.size_bytes;
    // statvfs(3) leaves out what the file system needs for itself: never half of it.
    plan.device_bytes =
            device_bytes.has_value() && !plan.misses_devices ? *device_bytes : 2 * plan.size_bytes;
    plan.key = {.fsid = fs.f_fsid, .size_bytes = plan.size_bytes};
    plan.slices = PlanSlices(selection.mount, fs.f_bsize);
    if (plan.slices.slice_bytes != 0) {
        const uint64_t cursor = FindCursor(seams.records, plan.key, seams.clock.Wall());
        if (cursor < plan.device_bytes) plan.cursor = plan.slices.BeginOf(cursor);
    }
    return plan;
}

MountPass::MountPass(const TrimSeams& seams, const Selection& selection, const TrimRequest& request,
                     const PassTerms& terms, const StopSignal& stop, const StopAsker& may_not_go_on)
      : seams_(seams),
        selection_(selection),
        request_(request),
        terms_(terms),
        stop_(stop),
        may_not_go_on_(may_not_go_on) {
    receipt_.mount = selection.path;
}

bool MountPass::MustStop() {
    std::optional<std::string> reason = stop_.reason();
    if (!reason.has_value() && may_not_go_on_) reason = may_not_go_on_();
    if (reason.has_value()) stopped_ = *reason;
    return reason.has_value();
}

void MountPass::Count(const TrimAnswer& answer) {
    // Some file systems answer 2^64-1.
    if (!no_count_ && answer.bytes > plan_.device_bytes) {
        no_count_ = true;
        receipt_.AddNote("FITRIM answered " + std::to_string(answer.bytes) +
                         " bytes, more than the file system has: not a count");
    }
    if (no_count_) {
        receipt_.filesystem_bytes.reset();
    } else {
        receipt_.filesystem_bytes = receipt_.filesystem_bytes.value_or(0) + answer.bytes;
    }
}

// Adds to `took` how long the storage was at work: not while the device was suspended.
Result<TrimAnswer> MountPass::TrimOnce(TrimSession& session, const TrimRange& range,
                                       nanoseconds* took) {
    const nanoseconds start = seams_.clock.Monotonic();
    is_discarding_ = true;
    Result<TrimAnswer> answer = session.Trim(range, stop_, [this] { return PlanMeanwhile(); });
    is_discarding_ = false;
    const nanoseconds passed = seams_.clock.Monotonic() - start;
    receipt_.trimming += passed;
    *took += passed;
    return answer;
}

Result<TrimAnswer> MountPass::TrimWhole(TrimSession& session, const TrimRange& range,
                                        nanoseconds* took) {
    TrimAnswer sum;
    // What was suspended may be unfinished, and is done again until it was not.
    for (bool again = true; again;) {
        const TrimAnswer answer = TRY(TrimOnce(session, range, took));
        Count(answer);
        sum.bytes += answer.bytes;
        again = answer.suspended;
        if (again && MustStop()) return Error(EINTR) << "stopped";
    }
    return sum;
}

Result<void> MountPass::TrimSlice(TrimSession& session, const TrimRange& range) {
    if (MayDiscard() && discards_.has_value() && discards_->IsNoticed(discards_->bytes())) {
        AwaitLull();
    }
    watch_->BeginSlice();
    planned_ = {};
    planned_at_ = seams_.clock.Monotonic();
    nanoseconds took{};
    Result<TrimAnswer> answer = TrimWhole(session, range, &took);
    watch_->EndSlice();
    if (!answer.ok()) {
        NoteStop(answer.error().code());
        // EINVAL: the range begins behind the end of the file system.
        if (answer.error().code() != EINVAL || range.start == 0) return answer.error();
        at_end_ = true;
        return {};
    }
    ++receipt_.slices;
    found_some_ = watch_->discards().value_or(planned_).number != 0;
    PlanDiscards(watch_->discards().value_or(planned_));
    if (!request_.hurry && took >= kWorthAPause) Pause(took);
    return {};
}

uint64_t MountPass::SliceEnd() const {
    const bool sleeps = plan_.slices.discards_to_sleep != 0;
    // Where nothing is discarded, or nothing counts it, there is nothing to learn.
    if (!sleeps || !MayDiscard() || !discards_.has_value()) return plan_.slices.EndOf(position_);
    return position_ + discards_->SliceBytes();
}

Result<void> MountPass::TrimFromTo(TrimSession& session, uint64_t from, uint64_t to) {
    for (position_ = from; position_ < to && !at_end_;) {
        if (MustStop()) return Error(EINTR) << "stopped";
        const uint64_t end = SliceEnd();
        const uint64_t length = end == kEverything ? kEverything : end - position_;
        const TrimRange slice = {.start = position_, .length = length};
        TRY(by_piece_ ? TrimGroup(session, slice) : TrimSlice(session, slice));
        position_ = end;
        if (discards_.has_value() && !discards_->IsPostponing()) TRY(TrimPostponed(session));
        if (seams_.clock.SinceBoot() - cursor_written_ > kCursorInterval) {
            KeepCursor(false);
            // What fails here is written, or reported, by the end of the run.
            static_cast<void>(seams_.records.Write());
            cursor_written_ = seams_.clock.SinceBoot();
        }
    }
    if (discards_.has_value()) discards_->NothingShorter();
    return TrimPostponed(session);
}

Result<void> MountPass::Trim() {
    const std::string& path = selection_.path;
    unique_fd fd = TRY(seams_.syscalls.Open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    TRY(CheckIsThere(seams_.files, selection_.mount.device));
    // A mount on a directory above hides this one, and mountinfo does not report.
    if (TRY(seams_.syscalls.Fstat(fd)).st_dev != selection_.mount.device) {
        return Error(ESTALE) << "another mount covers it";
    }
    plan_ = TRY(PlanPass(seams_, selection_));
    std::unique_ptr<TrimSession> session = TRY(seams_.fitrim.Begin(std::move(fd), path));
    by_piece_ = plan_.slices.by_group && !request_.hurry;
    granularity_ =
            QueueLimit(seams_.files, selection_.mount.device, "discard_granularity").value_or(0);
    ThrottleQueue();
    LOG(INFO) << "Invoking FITRIM ioctl on " << path;
    cursor_written_ = seams_.clock.SinceBoot();
    receipt_.range_start_bytes = plan_.cursor;
    TRY(TrimFromTo(*session, plan_.cursor, plan_.device_bytes));
    if (plan_.cursor == 0 || !request_.manual) return {};
    // Whoever asks for a trim means all of it. What the stopped pass did costs nothing again: ext4
    // and f2fs both remember it.
    at_end_ = false;
    before_wrap_ = plan_.size_bytes - plan_.cursor;
    return TrimFromTo(*session, 0, plan_.cursor);
}

void MountPass::NoteStop(int code) {
    if (code == EINTR && stopped_.empty()) stopped_ = stop_.reason().value_or("");
}

void MountPass::NoteDevices() {
    const Members& members = selection_.members;
    if (members.devices.size() > 1) {
        receipt_.AddNote("the counts are the sum of the file system's " +
                         std::to_string(members.devices.size()) + " devices");
        return;
    }
    std::string why = members.problem;
    if (why.empty() && plan_.misses_devices) {
        why = "the file system is larger than that, and the kernel reports no other "
              "(/proc/fs/f2fs/*/disk_map, Linux 6.10)";
    }
    if (why.empty()) return;
    receipt_.AddNote("the counts are of the device " + selection_.mount.source + " alone: " + why);
}

void MountPass::NoteGranularity() {
    if (granularity_ < kCoarse) return;
    receipt_.AddNote("the device discards in units of " + std::to_string(granularity_ >> 20) +
                     " MiB: smaller free extents are skipped");
}

void MountPass::KeepCursor(bool complete) {
    if (plan_.slices.slice_bytes == 0) return;
    PutCursor(&seams_.records, plan_.key, complete ? 0 : Done(), seams_.clock.Wall());
}

std::string MountPass::CountDiscards(const Result<uint64_t>& before) {
    const Result<uint64_t> after = Discarded(seams_.files, selection_.members.devices);
    if (!before.ok()) return before.error().message();
    if (!after.ok()) return after.error().message();
    if (*after < *before) return "the device's discard counter went back";
    // The device mapper of Linux 5.10 to 6.1 has iostats 0 and counts all the same.
    if (*after == *before && receipt_.filesystem_bytes != 0U &&
        QueueLimit(seams_.files, selection_.mount.device, "iostats") == 0U) {
        return "the kernel does not count discards: queue/iostats is 0";
    }
    receipt_.block_layer_bytes = *after - *before;
    return "";
}

// FITRIM's answer is no proof: ext4 passes over discards that fail, and counts nothing at all where
// its device is gone.
Result<void> MountPass::Verify() {
    const std::string& path = selection_.path;
    for (const dev_t device : selection_.members.devices) {
        TRY(CheckIsThere(seams_.files, device));
    }
    TRY(CheckIsThere(seams_.files, disk_));
    const unique_fd fd = TRY(seams_.syscalls.Open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    // EIO from a file system that was shut down. Where nothing is dirty this writes nothing.
    if (Result<void> synced = seams_.syscalls.Fdatasync(fd); !synced.ok()) {
        return ResultFailure("the file system failed during the trim: " + synced.error().message(),
                             synced.error().code());
    }
    const bool counted = QueueLimit(seams_.files, selection_.mount.device, "iostats") == 1U;
    const uint64_t claimed = receipt_.filesystem_bytes.value_or(0);
    if (counted && claimed != 0 && receipt_.block_layer_bytes == 0U) {
        return Error(EIO) << "the file system reports " << claimed
                          << " bytes trimmed, of which none reached the device";
    }
    return {};
}

MountReceipt MountPass::Run() {
    Result<uint64_t> before = Discarded(seams_.files, selection_.members.devices);
    const BootTime start = seams_.clock.SinceBoot();
    Result<void> trimmed = Trim();
    receipt_.duration = seams_.clock.SinceBoot() - start;
    const std::string uncounted = CountDiscards(before);
    if (trimmed.ok()) {
        AwaitLullBeforeSync();
        trimmed = Verify();
        // The record of the run is next.
        AwaitLullBeforeSync();
    } else if (trimmed.error().code() != EINTR) {
        // A file system whose device is gone fails with anything: ext4 takes the range for bad.
        const Result<void> is_there = CheckIsThere(seams_.files, selection_.mount.device);
        if (!is_there.ok()) trimmed = is_there;
    }
    if (trimmed.ok() && !uncounted.empty()) receipt_.AddNote(uncounted);
    if (watch_.has_value()) receipt_.worst_foreground = watch_->worst();
    position_ = Done();
    const uint64_t reached = std::min({position_, plan_.size_bytes, plan_.device_bytes});
    const uint64_t begun = before_wrap_.has_value() ? 0 : receipt_.range_start_bytes;
    NoteDevices();
    NoteGranularity();
    RememberDiscards();
    if (trimmed.ok()) {
        receipt_.outcome = TrimOutcome::kTrimmed;
        receipt_.range_length_bytes =
                request_.manual ? plan_.size_bytes : plan_.size_bytes - receipt_.range_start_bytes;
        if (plan_.slices.queued) {
            receipt_.AddNote(
                    "f2fs with the discard option queues the discards and issues them when the "
                    "storage is idle");
        }
        if (receipt_.filesystem_bytes == 0 && !plan_.slices.queued) {
            receipt_.AddNote("all free space was already discarded");
        }
        KeepCursor(true);
        return std::move(receipt_);
    }
    receipt_.outcome = OutcomeOf(trimmed.error().code());
    receipt_.reason = selection_.path + ": " +
                      (stopped_.empty() ? trimmed.error().message() : "stopped: " + stopped_);
    receipt_.range_length_bytes = before_wrap_.value_or(0) + reached - std::min(reached, begun);
    if (receipt_.outcome == TrimOutcome::kAborted && position_ > 0) {
        KeepCursor(false);
        receipt_.reason += "; the next run continues at " + std::to_string(reached) + " of " +
                           std::to_string(plan_.size_bytes) + " bytes";
    }
    return std::move(receipt_);
}

}  // namespace storekeeper
