// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// A pass trims the free space of one file system while others may use the disk: a discard blocks
// the card for milliseconds to half a second, and inside one FITRIM nothing can be paused. So the
// file system is trimmed in steps, the queue cuts discards to a size that fits the budget, and
// pauses between two steps leave others the disk for two thirds of the time.
//
// Dependencies on the kernel: ext4 remembers trimmed block groups until a block in them is freed or
// the file system is mounted anew; a FITRIM checks for fatal signals between extents; the counters
// of /proc/diskstats show the cost of discards.

#include "maintenance/trim/trim_pass.h"

#include <android-base/logging.h>
#include <errno.h>
#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "base/quantity_text.h"
#include "base/try.h"
#include "mounts/block_device.h"
#include "mounts/chip_id.h"
#include "mounts/members.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::nanoseconds;

// Pause after a step, in multiples of its discarding time: others have the disk for two thirds.
constexpr int kPauseFactor = 2;
// A crash loses at most this much of a pass plus one step.
constexpr minutes kCursorInterval(10);
// Linux assumes erase units of 4 MiB for cards of 1 GiB and more (drivers/mmc/core/core.c,
// mmc_init_erase()); most free extents are smaller.
constexpr uint64_t kCoarseGranularityBytes = 4 << 20;

// Sum of the sizes; absent if one device does not report its own.
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
    // statvfs(3) leaves out the file system's own metadata, which is never half of it.
    plan.device_bytes =
            device_bytes.has_value() && !plan.misses_devices ? *device_bytes : 2 * plan.size_bytes;
    plan.key = CursorKey(fs.f_fsid, plan.size_bytes);
    plan.steps = PlanSteps(selection.mount, fs.f_bsize);
    if (plan.steps.step_bytes != 0) {
        const uint64_t cursor = FindCursor(seams.records, plan.key, seams.clock.Wall());
        if (cursor < plan.device_bytes) plan.cursor = cursor;
    }
    return plan;
}

Result<std::unique_ptr<TrimSession>> BeginSession(const TrimSeams& seams,
                                                  const Selection& selection) {
    const std::string& path = selection.path;
    unique_fd fd = TRY(seams.syscalls.Open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    TRY(CheckDeviceExists(seams.files, selection.mount.device));
    // A mount on a directory above hides this one, and mountinfo does not report that.
    if (TRY(seams.syscalls.Fstat(fd)).st_dev != selection.mount.device) {
        return Error(ESTALE) << "another mount covers it";
    }
    return seams.fitrim.Begin(std::move(fd), path);
}

Result<uint64_t> TrimWholeRange(TrimSession* session, const TrimRange& range,
                                const StopSignal& stop, uint64_t* calls) {
    uint64_t bytes = 0;
    while (true) {
        if (stop.raised()) return Error(EINTR) << "stopped";
        ++*calls;
        const TrimAnswer answer = TRY(session->Trim(range, stop));
        // ext4 counts an extent again that it has discarded before the suspend.
        bytes = std::max(bytes, answer.bytes);
        if (!answer.suspended) return bytes;
    }
}

TrimPass::TrimPass(const TrimSeams& seams, const Selection& selection, const TrimRequest& request,
                   nanoseconds budget, std::optional<CardModel>* model, const StopSignal& stop)
      : seams_(seams),
        selection_(selection),
        request_(request),
        budget_(budget),
        model_(model),
        stop_(stop) {
    receipt_.mount = selection.path;
}

void TrimPass::FindDisks() {
    const std::vector<dev_t>& devices = selection_.members.devices;
    disks_ = DisksOf(seams_.files, devices).value_or(devices);
    if (plan_.steps.queued) return;
    const Result<dev_t> disk = DiskOf(seams_.files, selection_.mount.device);
    const Result<DiscardLimits> limits =
            disk.ok() ? seams_.queue.Sizes(*disk) : Result<DiscardLimits>(disk.error());
    if (!limits.ok()) {
        receipt_.AddNote("the disk queue is not throttled: " + limits.error().message());
        return;
    }
    limits_ = *limits;
    queue_disk_ = *disk;
    const Result<Chip> chip = ChipOf(seams_.files, *disk);
    if (chip.ok()) chip_ = chip->id;
    if (!model_->has_value()) model_->emplace(FindDiscardCost(seams_.records, chip_));
    if (disks_.size() > 1) {
        receipt_.AddNote("the file system is on " + std::to_string(disks_.size()) +
                         " disks, and the queue of the first alone is throttled");
    }
}

void TrimPass::FitQueue() {
    if (!limits_.has_value()) return;
    const uint64_t size = (*model_)->ChooseDiscardSize(*limits_, budget_);
    if (size == discard_bytes_) return;
    const Result<bool> changed = seams_.queue.Throttle(queue_disk_, size);
    if (!changed.ok()) {
        limits_.reset();
        discard_bytes_ = 0;
        receipt_.AddNote("the disk queue is not throttled: " + changed.error().message());
        return;
    }
    discard_bytes_ = size;
    receipt_.throttled = receipt_.throttled || *changed;
}

Result<uint64_t> TrimPass::Fitrim(const TrimRange& range) {
    const nanoseconds start = seams_.clock.Monotonic();
    Result<uint64_t> bytes = TrimWholeRange(session_.get(), range, stop_, &receipt_.fitrim_calls);
    receipt_.trimming += seams_.clock.Monotonic() - start;
    return bytes;
}

// f2fs of some 3.x kernels answers the length of the requested range. The superblock is never free,
// so an answer other than 0 is no count.
Result<void> TrimPass::CheckAnswers() {
    if (plan_.steps.step_bytes == 0) return {};
    counts_ = TRY(Fitrim({.start = 0, .length = plan_.block_bytes})) == 0;
    if (!counts_) {
        receipt_.AddNote(
                "FITRIM reports the superblock as trimmed, so its answers are not byte counts");
    }
    return {};
}

nanoseconds TrimPass::RecordCost(const Result<DiskStats>& before, nanoseconds took) {
    const Result<DiskStats> after = ReadDiskStats(seams_.files, disks_);
    if (!before.ok() || !after.ok() || !before->discards.has_value() ||
        !WhyNotCounted(seams_.files, disks_).empty()) {
        return took;
    }
    const uint64_t discards = *after->discards - *before->discards;
    // The rest of a FITRIM is checkpoints and sleep of f2fs. One millisecond is added because
    // diskstats counts whole ones.
    const nanoseconds discarding =
            std::min(took, nanoseconds(*after->discarding - *before->discarding + milliseconds(1)));
    if (discards == 0) return nanoseconds(0);
    if (discard_bytes_ != 0) {
        (*model_)->Record(discard_bytes_, discards,
                          *after->discarded_bytes - *before->discarded_bytes, discarding);
    }
    return discarding;
}

Result<void> TrimPass::TrimStep(uint64_t end) {
    if (stop_.raised()) return Error(EINTR) << "stopped";
    FitQueue();
    const Result<DiskStats> before = ReadDiskStats(seams_.files, disks_);
    const nanoseconds trimmed_before = receipt_.trimming;
    Result<uint64_t> bytes = Fitrim({.start = position_, .length = end - position_});
    const nanoseconds took = receipt_.trimming - trimmed_before;
    if (!bytes.ok()) {
        // EINVAL: the range begins behind the end of the file system.
        if (bytes.error().code() != EINVAL || position_ == 0) return bytes.error();
        position_ = plan_.device_bytes;
        return {};
    }
    if (counts_ && *bytes > plan_.device_bytes) {
        counts_ = false;
        // The note has the exact number: one near 2^64 is a negative one of a broken driver.
        receipt_.AddNote("FITRIM answered " + std::to_string(*bytes) +
                         " bytes, more than the file system has: not a count");
    }
    receipt_.filesystem_bytes =
            counts_ ? std::optional(receipt_.filesystem_bytes.value_or(0) + *bytes) : std::nullopt;
    position_ = end;
    const nanoseconds discarding = RecordCost(before, took);
    const bool last = position_ >= plan_.device_bytes;
    if (!request_.hurry && !last && discarding > nanoseconds(0)) {
        seams_.pauser.Pause(discarding * kPauseFactor, stop_);
    }
    return {};
}

Result<void> TrimPass::Trim() {
    session_ = TRY(BeginSession(seams_, selection_));
    plan_ = TRY(PlanPass(seams_, selection_));
    FindDisks();
    LOG(INFO) << "Invoking FITRIM ioctl on " << selection_.path;
    TRY(CheckAnswers());
    // A command trims from the start; groups and ranges that are trimmed cost next to nothing.
    if (request_.manual) plan_.cursor = 0;
    receipt_.range_start_bytes = plan_.cursor;
    cursor_stored_ = seams_.clock.SinceBoot();
    for (position_ = plan_.cursor; position_ < plan_.device_bytes;) {
        TRY(TrimStep(plan_.steps.EndOf(position_)));
        // The daemon writes it when it is stopped.
        if (position_ < plan_.device_bytes) PutCursorAt(position_);
        if (seams_.clock.SinceBoot() - cursor_stored_ > kCursorInterval) {
            // The end of the run stores it again, or reports why it cannot.
            static_cast<void>(seams_.records.Write());
            cursor_stored_ = seams_.clock.SinceBoot();
        }
    }
    return {};
}

void TrimPass::PutCursorAt(uint64_t position) {
    if (plan_.steps.step_bytes == 0) return;
    PutCursor(&seams_.records, plan_.key, position, seams_.clock.Wall());
}

void TrimPass::CountDiscards(const Result<DiskStats>& before) {
    const Result<DiskStats> after = ReadDiskStats(seams_.files, selection_.members.devices);
    if (!before.ok() || !after.ok()) {
        receipt_.AddNote((before.ok() ? after : before).error().message());
        return;
    }
    if (!before->discarded_bytes.has_value() || !after->discarded_bytes.has_value()) {
        receipt_.AddNote(std::string(kDiskstatsPath) +
                         " does not count discards (kernels before 4.18)");
        return;
    }
    if (*after->discarded_bytes < *before->discarded_bytes) {
        receipt_.AddNote("the device's discard counter decreased");
        return;
    }
    const uint64_t discarded = *after->discarded_bytes - *before->discarded_bytes;
    // The device mapper of Linux 5.10 to 6.1 shows iostats 0 but counts nevertheless.
    if (const std::string why = WhyNotCounted(seams_.files, selection_.members.devices);
        discarded == 0 && receipt_.filesystem_bytes != 0U && !why.empty()) {
        receipt_.AddNote(why);
        return;
    }
    receipt_.block_layer_bytes = discarded;
}

// FITRIM's answer is no proof: ext4 ignores discards that fail, and counts nothing if its device is
// gone.
Result<void> TrimPass::Verify() {
    for (const dev_t device : selection_.members.devices) {
        TRY(CheckDeviceExists(seams_.files, device));
    }
    for (const dev_t disk : disks_) TRY(CheckDeviceExists(seams_.files, disk));
    const unique_fd fd =
            TRY(seams_.syscalls.Open(selection_.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    // A file system that was shut down answers EIO. If nothing is dirty, nothing is written.
    if (Result<void> synced = seams_.syscalls.Fdatasync(fd); !synced.ok()) {
        return ResultFailure("the file system failed during the trim: " + synced.error().message(),
                             synced.error().code());
    }
    const bool counted = QueueLimit(seams_.files, selection_.mount.device, "iostats") == 1U;
    const uint64_t claimed = receipt_.filesystem_bytes.value_or(0);
    if (counted && claimed != 0 && receipt_.block_layer_bytes == 0U) {
        return Error(EIO) << "the file system reports " << SizeText(claimed)
                          << " trimmed, of which none reached the device";
    }
    return {};
}

void TrimPass::NoteLimits() {
    const Members& members = selection_.members;
    if (members.devices.size() > 1) {
        receipt_.AddNote("the counts are the sum of the file system's " +
                         std::to_string(members.devices.size()) + " devices");
    } else if (!members.problem.empty() || plan_.misses_devices) {
        receipt_.AddNote("the counts are of the device " + selection_.mount.source + " alone: " +
                         (members.problem.empty()
                                  ? "the file system is larger than that, and the kernel reports "
                                    "no other (/proc/fs/f2fs/*/disk_map, Linux 6.10)"
                                  : members.problem));
    }
    if (limits_.has_value() && limits_->granularity >= kCoarseGranularityBytes) {
        receipt_.AddNote("the device discards in units of " + SizeText(limits_->granularity) +
                         ": smaller free extents are skipped");
    }
}

void TrimPass::ReportCost() {
    if (discard_bytes_ == 0) return;
    receipt_.discard_time = (*model_)->TimeOf(discard_bytes_);
    if (!receipt_.discard_time.has_value()) return;
    receipt_.discard_bytes = discard_bytes_;
    if (*receipt_.discard_time > budget_) {
        const auto ms = [](nanoseconds time) {
            return std::to_string(duration_cast<milliseconds>(time).count()) + " ms";
        };
        receipt_.AddNote("a discard of " + SizeText(discard_bytes_) + " takes " +
                         ms(*receipt_.discard_time) + ", more than the budget of " + ms(budget_) +
                         ": " +
                         (discard_bytes_ == limits_->granularity
                                  ? "the device has no smaller discards"
                                  : "smaller discards would be mostly overhead"));
    }
    const std::optional<DiscardCost> cost = (*model_)->Estimate();
    if (cost.has_value() && !chip_.empty()) PutDiscardCost(&seams_.records, chip_, *cost);
}

MountReceipt TrimPass::Run() {
    const Result<DiskStats> before = ReadDiskStats(seams_.files, selection_.members.devices);
    const BootTime start = seams_.clock.SinceBoot();
    Result<void> trimmed = Trim();
    const Result<void> restored = seams_.queue.Restore();
    if (!restored.ok()) receipt_.AddNote(restored.error().message());
    receipt_.duration = seams_.clock.SinceBoot() - start;
    CountDiscards(before);
    if (trimmed.ok()) {
        trimmed = Verify();
    } else if (trimmed.error().code() != EINTR) {
        // A file system whose device is gone fails with any error.
        const Result<void> is_there = CheckDeviceExists(seams_.files, selection_.mount.device);
        if (!is_there.ok()) trimmed = is_there;
    }
    NoteLimits();
    ReportCost();
    const uint64_t reached = std::min({position_, plan_.size_bytes, plan_.device_bytes});
    receipt_.range_length_bytes = reached - std::min(reached, receipt_.range_start_bytes);
    if (trimmed.ok()) {
        receipt_.outcome = TrimOutcome::kTrimmed;
        if (plan_.steps.queued) {
            receipt_.AddNote(
                    "f2fs with the discard option queues the discards and issues them when the "
                    "storage is idle");
        } else if (receipt_.filesystem_bytes == 0) {
            receipt_.AddNote("all free space was already discarded");
        }
        PutCursorAt(0);
        return std::move(receipt_);
    }
    receipt_.outcome = OutcomeOf(trimmed.error().code());
    const std::optional<std::string> stopped =
            trimmed.error().code() == EINTR ? stop_.reason() : std::nullopt;
    receipt_.reason = selection_.path + ": " +
                      (stopped.has_value() ? "stopped: " + *stopped : trimmed.error().message());
    if (receipt_.outcome != TrimOutcome::kAborted) {
        // The next run does not fail at the same place at once.
        PutCursorAt(0);
    } else if (position_ > plan_.cursor) {
        PutCursorAt(position_);
        receipt_.reason += "; the next run of the policy continues at " + SizeText(reached) +
                           " of " + SizeText(plan_.size_bytes);
    }
    return std::move(receipt_);
}

}  // namespace storekeeper
