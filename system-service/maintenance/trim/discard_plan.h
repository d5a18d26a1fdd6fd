// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "maintenance/trim/discard_cost.h"
#include "maintenance/trim/slices.h"

namespace storekeeper {

// What the queue of a disk allows, in bytes (Documentation/ABI/stable/sysfs-block).
struct DiscardLimits {
    uint64_t granularity = 0;
    // discard_max_bytes as it was before anybody changed it: what fstrim would get.
    uint64_t largest = 0;

    bool operator==(const DiscardLimits&) const = default;
};

// How a run may use the disk.
struct DiscardTerms {
    // A discard takes no longer, unless the run would then take too long.
    std::chrono::nanoseconds budget = std::chrono::milliseconds(5);
    // No pauses.
    bool hurry = false;
    // What there is to discard at most.
    uint64_t free_bytes = 0;
    // Sizes are multiples of a segment, or parts without a rest.
    SlicePlan slices;
    // A free extent at a time, with a pause behind each.
    bool by_extent = false;
    // Extents that would be cut wait until shorter ones have shown what discards take.
    bool postpones = false;
};

// Chooses the size of the discards and the pauses of one pass, from what the pass measures. The
// size is the smallest with which the pass ends in time: whoever reads or writes meanwhile waits
// for the discard under way. In time is a multiple of what fstrim needs for the same free space,
// which follows from the same measurement. A pass that pauses behind each free extent has the
// largest size within the budget instead: what is not cut keeps nobody waiting twice. So has one
// over a file system that sleeps between its discards: the fewer there are the less it does.
class DiscardPlan {
  public:
    // `known`: what an earlier run has measured on this card.
    DiscardPlan(const DiscardLimits& limits, const DiscardTerms& terms,
                std::optional<DiscardCost> known);

    // What discard_max_bytes should be now.
    uint64_t bytes() const { return bytes_; }
    // How long a slice should be where the file system sleeps within one: so few discards do not
    // let it. Not shorter than SlicePlan::slice_bytes once the size is known; longer in a hurry,
    // or if they take no longer than a single one may.
    uint64_t SliceBytes() const;
    // How many discards an extent of this length is in sizes of at most `limit_bytes`.
    uint64_t DiscardsOf(uint64_t extent_bytes, uint64_t limit_bytes) const {
        return static_cast<uint64_t>(model_.DiscardsOf(extent_bytes, limit_bytes));
    }
    // What a discard of that size takes.
    std::chrono::nanoseconds CostOf(uint64_t bytes) const { return model_.cost().Of(bytes); }
    // The size follows from what discards of this card take. Until then it is worth looking at them
    // while a slice is under way.
    bool is_settled() const { return settled_; }
    // This pass or an earlier one has shown what discards take.
    bool knows_cost() const { return settled_ || known_.has_value(); }
    // Worth remembering; absent while it is a guess.
    std::optional<DiscardCost> measured() const;
    // Why a discard of that size, the largest one, takes longer than the budget; "" when it does
    // not.
    std::string Binding(uint64_t bytes) const;

    // What a single discard outside of the pass took.
    void Learn(const DiscardSample& sample);
    // Whether an extent of this length is to be cut into discards of bytes(), where the queue cuts
    // it into discards of at most `limit_bytes`.
    bool MustCut(uint64_t extent_bytes, uint64_t limit_bytes) const;
    // DiscardTerms::by_extent does not hold any more.
    void NotByExtent() {
        terms_.by_extent = false;
        NothingShorter();
    }
    // By DiscardTerms::postpones, until discards have shown what they take.
    bool Postpones() const { return terms_.postpones && !knows_cost(); }
    // The same, as long as shorter ones may come.
    bool IsPostponing() const { return Postpones() && shorter_follow_; }
    // What waits by DiscardTerms::postpones does not any more.
    void NothingShorter() { shorter_follow_ = false; }
    // What will be discarded, as far as it is known: DiscardModel::AddExtents().
    void AddExtents(uint64_t number, uint64_t length) { model_.AddExtents(number, length); }
    // To be called once some are added: on a card that is known the size follows from them.
    void ChooseKnown();
    // A slice that was discarded in sizes of bytes(), which may change by it.
    void Add(DiscardSample sample);
    // How long to pause after a slice, for some of which the disk had nothing to discard.
    // `others_waited`: for reads or writes during the slice.
    std::chrono::nanoseconds PauseAfter(std::chrono::nanoseconds slice,
                                        std::chrono::nanoseconds idle, bool others_waited) const;
    // Others notice a discard of that size, or nobody knows yet.
    bool IsNoticed(uint64_t bytes) const;

    // The pass ends in time even if somewhat more is waited than PauseAfter() says.
    bool HasTime() const;
    void AddPause(std::chrono::nanoseconds pause) { spent_ += pause; }

  private:
    uint64_t RoundUp(double bytes) const;
    uint64_t Smallest() const;
    uint64_t Largest() const;
    // What the file system sleeps for each MiB, if each FITRIM discards so much.
    std::chrono::nanoseconds SleepPerMib(uint64_t limit_bytes, uint64_t fitrim_bytes) const;
    // With fstrim's single FITRIM.
    std::chrono::nanoseconds SleepPerMibOfFstrim() const;
    // The smallest size with which the work is at most so many percent of fstrim's, and with the
    // sleep ends in time.
    uint64_t SmallestWithin(int percent) const;
    int HurryPercent(int percent) const;
    // Where there is one that takes longer.
    uint64_t LargestWithin(std::chrono::nanoseconds time) const;
    // Most of what is free is cut into three discards of this size and more.
    bool IsChain(uint64_t bytes) const;
    // Of which two in turn take little longer than the budget; `largest` where the file system
    // sleeps and that would cost time.
    uint64_t InTurn(uint64_t largest) const;
    // What fstrim would have taken for what is done.
    std::chrono::nanoseconds FstrimSoFar() const;
    uint64_t Probe() const;
    bool MustProbeFurther() const;
    uint64_t Further() const;
    uint64_t Wanted() const;
    uint64_t Enough() const;
    void Choose();
    // Whether discards take what is known of the card.
    bool IsAsKnown() const;

    const DiscardLimits limits_;
    DiscardTerms terms_;
    const std::optional<DiscardCost> known_;
    DiscardModel model_;
    uint64_t bytes_ = 0;
    bool shorter_follow_ = true;
    bool probed_ = false;
    bool settled_ = false;
    uint64_t discards_ = 0;
    uint64_t of_this_size_ = 0;  // since it was chosen
    int waited_ = 0;             // extents in turn that waited
    // Discards that waited for nobody: how many, what they should have taken by what is known, and
    // what they took.
    uint64_t compared_ = 0;
    std::chrono::nanoseconds expected_{};
    std::chrono::nanoseconds discarding_{};
    // Slices and pauses so far.
    std::chrono::nanoseconds spent_{};
};

}  // namespace storekeeper
