// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/record_file.h"
#include "base/stop_signal.h"
#include "base/syscalls.h"
#include "maintenance/actions/action.h"
#include "maintenance/canary/chip_guard.h"
#include "maintenance/trim/discard_plan.h"
#include "maintenance/trim/fitrim.h"
#include "maintenance/trim/foreground.h"
#include "maintenance/trim/lulls.h"
#include "maintenance/trim/queue_control.h"
#include "maintenance/trim/receipt.h"
#include "maintenance/trim/selection.h"
#include "maintenance/trim/slices.h"

namespace storekeeper {

struct TrimSeams {
    Syscalls& syscalls;
    const FileReader& files;
    const Clock& clock;
    FitrimRunner& fitrim;
    Pauser& pauser;
    QueueControl& queue;
    RecordFile& records;
    ChipGuard& chips;
};

// What a pass over this mount would work with.
struct PassPlan {
    FilesystemKey key;
    SlicePlan slices;
    uint64_t size_bytes = 0;      // as statvfs(3) reports it
    uint64_t device_bytes = 0;    // the file system ends there or before
    bool misses_devices = false;  // it is on others than the known
    uint64_t free_bytes = 0;
    uint64_t block_bytes = 0;
    uint64_t cursor = 0;
};

android::base::Result<PassPlan> PlanPass(const TrimSeams& seams, const Selection& selection);

struct PassTerms {
    std::chrono::nanoseconds discard_budget;
    // What a discard of the same disk has just taken.
    std::optional<DiscardSample> seen;
};

// Trims one mount in slices, with pauses between them, or within them where the file system says
// what is free.
class MountPass {
  public:
    MountPass(const TrimSeams& seams, const Selection& selection, const TrimRequest& request,
              const PassTerms& terms, const StopSignal& stop, const StopAsker& may_not_go_on);

    // Writes into the receipt what was done, and why it stopped when it did. Puts the cursor, which
    // the end of the run writes.
    MountReceipt Run();

  private:
    android::base::Result<void> Trim();
    android::base::Result<void> Verify();
    // Sets block_layer_bytes, or returns why the kernel's count is no answer.
    std::string CountDiscards(const android::base::Result<uint64_t>& before);
    android::base::Result<void> TrimFromTo(TrimSession& session, uint64_t from, uint64_t to);
    android::base::Result<TrimAnswer> TrimOnce(TrimSession& session, const TrimRange& range,
                                               std::chrono::nanoseconds* took);
    // Until no suspend cut it; counts what it answers. The answer is the sum.
    android::base::Result<TrimAnswer> TrimWhole(TrimSession& session, const TrimRange& range,
                                                std::chrono::nanoseconds* took);
    android::base::Result<void> TrimSlice(TrimSession& session, const TrimRange& range);
    void Count(const TrimAnswer& answer);
    // Whether the next slice is likely to.
    bool MayDiscard() const { return receipt_.slices == 0 || found_some_; }
    // Of the slice at position_.
    uint64_t SliceEnd() const;
    bool MustStop();
    // What ended with this code may have been stopped.
    void NoteStop(int code);

    void NoteDevices();
    void NoteGranularity();
    void KeepCursor(bool complete);
    // mount_pass_queue.cpp: how long discards are.
    void ThrottleQueue();
    bool MustSetQueue() const;
    android::base::Result<void> SetQueue();
    // From now on the queue cuts as the plan wants it.
    void FitQueue();
    // If it would cut an extent of this length in another way.
    void FitQueueTo(uint64_t extent_bytes);
    void GoOnUnthrottled(const std::string& note);
    // Learns from what the slice has discarded by now, and sets the queue for what follows.
    void PlanDiscards(const ForegroundWatch::Discards& done);
    bool PlanMeanwhile();
    void RememberDiscards();

    // mount_pass_group.cpp: a block group of ext4 piece by piece.
    enum class Group {
        kByPiece,
        kTrimmedBefore,
        kMarkedEarly,  // as trimmed, when its first piece was
        kPostponed,
    };
    // A group, and how far it is done.
    struct GroupWork {
        TrimRange group;
        FreeMap map;     // its pieces: those that are left
        int hits = 0;    // pieces that discarded something
        int misses = 0;  // that did not

        // Of the extents of its first piece. There is one.
        uint64_t NextLength() const {
            return map.pieces.front().bytes / map.pieces.front().extents;
        }
    };
    android::base::Result<void> TrimGroup(TrimSession& session, const TrimRange& group);
    android::base::Result<void> TrimMapped(TrimSession& session, GroupWork* work);
    android::base::Result<Group> TrimPieces(TrimSession& session, GroupWork* work);
    // Until it is known what discards take: whether an extent would be cut by a guess, and shorter
    // ones are left.
    bool MustPostpone(uint64_t extent_bytes, const GroupWork& work);
    void Postpone(GroupWork work);
    // As soon as it is known, or nothing shorter will come. Shortest first.
    android::base::Result<void> TrimPostponed(TrimSession& session);
    android::base::Result<void> TrimWork(TrimSession& session, GroupWork* work);
    android::base::Result<void> TrimMarked(TrimSession& session, const GroupWork& work);
    // Everything from the cursor to here is done.
    uint64_t Done() const;
    // `longest` extent of its group.
    android::base::Result<void> TrimPiece(TrimSession& session, const FreePiece& piece,
                                          uint64_t longest, uint64_t* bytes);
    android::base::Result<void> MarkTrimmed(TrimSession& session, const TrimRange& group,
                                            uint64_t longest);
    android::base::Result<void> SetLastLength(TrimSession& session, uint64_t bytes);
    // From now on, for this reason.
    void TrimBySlice(const std::string& why);

    // mount_pass_pace.cpp: when others get the disk.
    // What the file system slept in a slice with so many discards, no longer than it took.
    std::chrono::nanoseconds Slept(uint64_t discards, std::chrono::nanoseconds slice) const;
    std::chrono::nanoseconds PauseAfter(std::chrono::nanoseconds work,
                                        std::chrono::nanoseconds idle, bool others) const;
    void Pause(std::chrono::nanoseconds slice);
    // Pauses after a piece.
    void Pace(std::chrono::nanoseconds took);
    // Before a discard that they notice: until others' requests have just ended, if there are any.
    // With discards_.
    void AwaitLull();
    // Before the queue is stopped; at once while discards are under way. With discards_.
    void AwaitLullOfWrites();
    // Before a sync at the end of a pass, which lets others wait in each of its steps.
    void AwaitLullBeforeSync();

    const TrimSeams& seams_;
    const Selection& selection_;
    const TrimRequest& request_;
    const PassTerms terms_;
    const StopSignal& stop_;
    const StopAsker& may_not_go_on_;
    MountReceipt receipt_;
    PassPlan plan_;
    uint64_t position_ = 0;  // everything from the cursor to here is done, but for postponed_
    std::vector<GroupWork> postponed_;
    // Bytes from the cursor to the end, once a pass has gone on at the beginning.
    std::optional<uint64_t> before_wrap_;
    std::string stopped_;  // why, when it was
    bool at_end_ = false;
    bool no_count_ = false;  // the file system's answers are no byte counts
    bool by_piece_ = false;
    bool found_some_ = false;   // to discard in the last slice
    uint64_t granularity_ = 0;  // of discards on the mount's device; 0: not known
    BootTime cursor_written_{};
    dev_t disk_ = 0;        // below the mount's device, or that itself
    dev_t queue_disk_ = 0;  // valid with discards_
    std::optional<ForegroundWatch> watch_;
    std::optional<Lulls> lulls_;
    std::optional<DiscardPlan> discards_;
    // How much of the slice it has seen, and when.
    ForegroundWatch::Discards planned_;
    std::chrono::nanoseconds planned_at_{};
    // That ended in a slice with discards.
    std::optional<uint64_t> fewest_others_;
    // What discard_max_bytes is.
    uint64_t queue_bytes_ = 0;
    // Discard of a piece.
    uint64_t largest_ = 0;
    // Of pieces, since the last pause.
    std::chrono::nanoseconds unpaused_{};
    bool others_ = true;
    bool is_discarding_ = false;  // a FITRIM is under way
    std::chrono::nanoseconds looked_at_{};
};

}  // namespace storekeeper
