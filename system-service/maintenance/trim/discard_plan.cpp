// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/discard_plan.h"

#include <algorithm>
#include <cmath>

namespace storekeeper {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Below it the kernel's own work on a request exceeds a card's, above it nobody's budget is kept.
constexpr uint64_t kMinBytes = 64 << 10;
constexpr uint64_t kMaxBytes = 64 << 20;
// Where nothing is known of a card: 3 ms on the slowest of docs/testing.md.
constexpr uint64_t kFirstBytes = 512 << 10;
// From one size that is tried to the next.
constexpr double kStep = 1.2;
// Differences that are not worth a change, for which the kernel stops the queue some 10 ms: a
// smaller size costs the run time, a larger one lets others wait.
constexpr double kWorthGrowing = 1.25;
constexpr double kWorthShrinking = 1.7;
// Where few extents are cut at all.
constexpr double kWorthGrowingByExtent = 2;
// What is known of a card is believed as long as discards take no more or less than this.
constexpr double kAsKnown = 1.25;
// A size that follows from an estimate is approached so fast.
constexpr double kMaxChange = 4;
// So few discards show nothing.
constexpr uint64_t kEnoughDiscards = 16;
// Where each is timed by itself.
constexpr uint64_t kEnoughExtents = 4;
constexpr uint64_t kEnoughMeasured = 2;
// Nobody notices a discard that takes less.
constexpr milliseconds kNoticed(1);
// Where so many in turn wait for others, they show what there is to see.
constexpr int kMaxWaited = 8;
// Until something is known of a card an extent is not cut if it takes no longer by the most careful
// estimate: a change of the queue takes nearly as long, and nothing would be learned.
constexpr milliseconds kFirstAtMost(16);
// Where no shorter one has shown more.
constexpr milliseconds kLastAtMost(33);
// What the changes of the queue at the beginning and the end of a pass take together. Where all the
// extents that break the budget do not by more, and none of them takes too long, none is cut.
constexpr milliseconds kStops(40);
// Long extents are chains of discards, in each of which somebody may wait. So much of what is free
// makes no difference, and all others are then not cut.
constexpr int kFewPercent = 25;
// As long as so few extents are known that one more may change that.
constexpr uint64_t kManyExtents = 32;
constexpr int kMaybeFewPercent = 60;

// The pass may take so many times fstrim's time, pauses included. Others find the disk idle for
// more than half of it, so that half of their requests do not wait at all: work is at most so much,
// or a little more where that keeps a discard within the budget.
constexpr int kTotalPercent = 450;
// What is waited for others beyond that.
constexpr int kMaxTotalPercent = 520;
constexpr int kWorkPercent = 190;
constexpr int kMaxWorkPercent = 220;
constexpr int kCutWorkPercent = 150;
// A synced write is two requests in turn, each of which may wait for a discard of a chain: so much
// of the budget for one leaves both little more than it. A chain has so many discards at least.
constexpr int kInTurnPercent = 66;
constexpr uint64_t kChain = 3;
// So much of what is free, by extent.
constexpr int kChainPercent = 50;
// So much more work at most, where the file system sleeps.
constexpr int kInTurnWorkPercent = 125;
// Of a file system that sleeps: its pauses are longer.
constexpr int kMaxSleepingWorkPercent = 200;
// Without pauses, what beginning and ending a run takes beside included.
constexpr int kHurryPercent = 130;
constexpr int kMaxHurryPercent = 135;
constexpr int kMinHurryPercent = 105;
constexpr milliseconds kBeside(250);
// A pause as a percentage of the slice before it. Nobody waited: somewhat more than half of the
// time is left, so that whoever stops a run meets a pause more often than not.
constexpr int kMinPausePercent = 120;
constexpr int kPausePercent = 138;
constexpr int kMaxPausePercent = 300;
// Beside the discards such a file system writes a checkpoint in each slice, which fstrim's one
// FITRIM has once: the time for it is not taken from the others'.
constexpr int kSleepingPausePercent = 190;

}  // namespace

DiscardPlan::DiscardPlan(const DiscardLimits& limits, const DiscardTerms& terms,
                         std::optional<DiscardCost> known)
      : limits_(limits),
        terms_(terms),
        known_(known),
        model_(limits.granularity, known),
        bytes_(RoundUp(kFirstBytes)) {
    if (known_.has_value()) bytes_ = RoundUp(static_cast<double>(Wanted()));
}

uint64_t DiscardPlan::RoundUp(double bytes) const {
    uint64_t unit = std::max(limits_.granularity, terms_.slices.segment_bytes);
    // A piece that does not divide a segment leaves a rest of each.
    while (unit % (2 * limits_.granularity) == 0 && static_cast<double>(unit / 2) >= bytes) {
        unit /= 2;
    }
    if (terms_.slices.segment_bytes == 0) unit = limits_.granularity;
    auto units = static_cast<uint64_t>(bytes / static_cast<double>(unit));
    if (static_cast<double>(units * unit) < bytes) ++units;
    return std::clamp(units * unit, Smallest(), Largest());
}

uint64_t DiscardPlan::Smallest() const {
    const uint64_t units = (kMinBytes + limits_.granularity - 1) / limits_.granularity;
    return std::min(units * limits_.granularity, limits_.largest);
}

uint64_t DiscardPlan::Largest() const {
    return std::clamp(kMaxBytes / limits_.granularity * limits_.granularity, Smallest(),
                      limits_.largest);
}

nanoseconds DiscardPlan::SleepPerMib(uint64_t limit_bytes, uint64_t fitrim_bytes) const {
    if (terms_.slices.discards_to_sleep == 0) return {};
    const double mib = static_cast<double>(fitrim_bytes) / (1 << 20);
    const double sleeps = std::floor(model_.DiscardsPerMib(limit_bytes) * mib /
                                     static_cast<double>(terms_.slices.discards_to_sleep));
    return nanoseconds(
            static_cast<int64_t>(sleeps * static_cast<double>(terms_.slices.sleep.count()) / mib));
}

nanoseconds DiscardPlan::SleepPerMibOfFstrim() const {
    return SleepPerMib(limits_.largest, std::max(terms_.free_bytes, terms_.slices.slice_bytes));
}

uint64_t DiscardPlan::SmallestWithin(int percent) const {
    const nanoseconds fstrim = model_.WorkPerMib(limits_.largest);
    const nanoseconds in_time =
            (fstrim + SleepPerMibOfFstrim()) * (terms_.hurry ? percent : kTotalPercent);
    const auto takes_too_long = [&](uint64_t bytes) {
        const nanoseconds work = model_.WorkPerMib(bytes);
        return work * 100 > fstrim * percent ||
               (work + SleepPerMib(bytes, terms_.slices.slice_bytes)) * 100 > in_time;
    };
    uint64_t bytes = Smallest();
    while (bytes < Largest() && takes_too_long(bytes)) {
        bytes = RoundUp(static_cast<double>(bytes) * kStep);
    }
    return bytes;
}

// Less where the run is short.
int DiscardPlan::HurryPercent(int percent) const {
    const double fstrim = static_cast<double>(model_.WorkPerMib(limits_.largest).count()) *
                          static_cast<double>(terms_.free_bytes >> 20);
    const double beside = static_cast<double>(nanoseconds(kBeside).count()) * 100;
    return std::max(kMinHurryPercent, percent - static_cast<int>(std::min(beside / fstrim, 100.0)));
}

uint64_t DiscardPlan::LargestWithin(nanoseconds time) const {
    uint64_t bytes = Smallest();
    while (bytes < Largest()) {
        const uint64_t next = RoundUp(static_cast<double>(bytes) * kStep);
        if (model_.cost().Of(next) > time) break;
        bytes = next;
    }
    return bytes;
}

// Another size shows which part of the cost is fixed: a larger one, if a discard keeps the budget
// even where the cost is in proportion to the size.
uint64_t DiscardPlan::Probe() const {
    const double size = static_cast<double>(bytes_);
    const double mean = static_cast<double>(model_.cost().Of(bytes_).count());
    const double allowed = static_cast<double>(terms_.budget.count()) / mean;
    if (allowed >= 2) return RoundUp(size * std::min(kMaxChange, allowed));
    if (bytes_ > Smallest()) return RoundUp(size / 2);
    return RoundUp(size * 2);
}

// A much larger size, where most of what is free would be cut for nothing if the estimate is wrong:
// it says already that half of what a discard takes is not for its size.
bool DiscardPlan::MustProbeFurther() const {
    if (!terms_.by_extent || known_.has_value() || !model_.is_measured()) return false;
    if (model_.Spread(kEnoughMeasured) >= kFarApart) return false;
    const DiscardCost cost = model_.cost();
    const uint64_t next = Further();
    return next > bytes_ && cost.fixed * 2 > cost.Of(bytes_) && cost.Of(next) <= kFirstAtMost &&
           model_.PercentLongerThan(next) > kFewPercent;
}

uint64_t DiscardPlan::Further() const {
    return RoundUp(static_cast<double>(bytes_) * kFarApart);
}

bool DiscardPlan::IsAsKnown() const {
    // The others have waited for somebody: nothing says otherwise.
    if (compared_ < Enough()) return known_.has_value();
    const double ratio =
            static_cast<double>(discarding_.count()) / static_cast<double>(expected_.count());
    return ratio < kAsKnown && ratio * kAsKnown > 1;
}

bool DiscardPlan::IsChain(uint64_t bytes) const {
    if (!terms_.by_extent) return terms_.slices.slice_bytes >= kChain * bytes;
    return model_.extents() != 0 && model_.PercentLongerThan(kChain * bytes) >= kChainPercent;
}

uint64_t DiscardPlan::InTurn(uint64_t largest) const {
    const uint64_t in_turn = LargestWithin(terms_.budget * kInTurnPercent / 100);
    if (terms_.by_extent) return in_turn;
    const uint64_t slice = terms_.slices.slice_bytes;
    const bool costs_little =
            SleepPerMib(in_turn, slice) <= SleepPerMib(largest, slice) &&
            model_.WorkPerMib(in_turn) * 100 <= model_.WorkPerMib(largest) * kInTurnWorkPercent;
    return costs_little ? in_turn : largest;
}

uint64_t DiscardPlan::Wanted() const {
    const uint64_t largest = LargestWithin(terms_.budget);
    if (terms_.by_extent) {
        const int few = model_.extents() < kManyExtents ? kMaybeFewPercent : kFewPercent;
        if (model_.PercentLongerThan(largest) <= few) return largest;
    }
    // A slice of few discards is soon over, and a pause follows, as it does behind an extent.
    if (terms_.by_extent || (terms_.slices.discards_to_sleep != 0 && !terms_.hurry)) {
        const uint64_t least =
                SmallestWithin(terms_.by_extent ? kMaxWorkPercent : kMaxSleepingWorkPercent);
        if (least > largest) return SmallestWithin(kWorkPercent);
        const uint64_t in_turn = IsChain(largest) ? InTurn(largest) : largest;
        if (!terms_.by_extent) return std::max(in_turn, least);
        return std::max(std::min(in_turn, SmallestWithin(kCutWorkPercent)), least);
    }
    const uint64_t wanted =
            SmallestWithin(terms_.hurry ? HurryPercent(kHurryPercent) : kWorkPercent);
    if (model_.cost().Of(wanted) <= terms_.budget) return wanted;
    return std::min(wanted,
                    std::max(largest, SmallestWithin(terms_.hurry ? HurryPercent(kMaxHurryPercent)
                                                                  : kMaxWorkPercent)));
}

uint64_t DiscardPlan::SliceBytes() const {
    uint64_t few = terms_.slices.discards_to_sleep - 1;
    if (knows_cost() && !terms_.hurry) {
        const nanoseconds one = std::max(CostOf(bytes_), nanoseconds(1));
        few = std::min(few, static_cast<uint64_t>(terms_.budget / one));
    }
    const uint64_t bytes = few * bytes_ / terms_.slices.segment_bytes * terms_.slices.segment_bytes;
    if (knows_cost()) return std::max(bytes, terms_.slices.slice_bytes);
    return std::clamp(bytes, terms_.slices.segment_bytes, terms_.slices.slice_bytes);
}

void DiscardPlan::ChooseKnown() {
    if (known_.has_value() && !settled_) bytes_ = Wanted();
}

void DiscardPlan::Learn(const DiscardSample& sample) {
    model_.Add(sample);
    of_this_size_ += sample.discards;
}

bool DiscardPlan::MustCut(uint64_t extent_bytes, uint64_t limit_bytes) const {
    // What is cut is cut as it should be, unless the device cuts it by itself.
    if (extent_bytes > limit_bytes && limit_bytes != limits_.largest) return limit_bytes != bytes_;
    extent_bytes = std::min(extent_bytes, limit_bytes);
    if (extent_bytes <= bytes_) return false;
    if (!knows_cost()) {
        const std::optional<nanoseconds> at_most = model_.AtMost(extent_bytes);
        const bool is_last = terms_.postpones && !shorter_follow_;
        return !at_most.has_value() || *at_most > (is_last ? kLastAtMost : kFirstAtMost);
    }
    const nanoseconds uncut = model_.cost().Of(extent_bytes);
    if (uncut <= terms_.budget) return false;
    return uncut > kFirstAtMost || model_.extents() == 0 ||
           model_.BeyondPerMib(terms_.budget) * static_cast<int64_t>(terms_.free_bytes >> 20) >
                   kStops;
}

void DiscardPlan::Choose() {
    const double now = static_cast<double>(bytes_);
    double next = static_cast<double>(Wanted());
    if (!model_.is_measured()) next = std::clamp(next, now / kMaxChange, now * kMaxChange);
    const double growing = terms_.by_extent ? kWorthGrowingByExtent : kWorthGrowing;
    // From one unit of the granularity to two, where one makes the pass too long.
    const bool too_small = terms_.by_extent && bytes_ < SmallestWithin(kMaxWorkPercent);
    if (too_small && next >= now * growing) bytes_ = RoundUp(next);
    if (next > now * growing || next < now / kWorthShrinking) bytes_ = RoundUp(next);
}

uint64_t DiscardPlan::Enough() const {
    if (!terms_.by_extent) return kEnoughDiscards;
    return model_.is_measured() ? kEnoughMeasured : kEnoughExtents;
}

void DiscardPlan::Add(DiscardSample sample) {
    // What others did meanwhile is little beside a chain of many.
    if (terms_.by_extent && sample.discards >= kEnoughDiscards) sample.waited = false;
    spent_ += sample.took;
    if (known_.has_value() && sample.discards > 0 && !sample.waited) {
        expected_ += known_->fixed * static_cast<int64_t>(sample.discards) +
                     nanoseconds(known_->Of(sample.bytes) - known_->fixed);
        discarding_ += sample.took;
        compared_ += sample.discards;
    }
    model_.Add(sample);
    discards_ += sample.discards;
    waited_ = sample.waited && terms_.by_extent ? waited_ + 1 : 0;
    if (waited_ == 0 || waited_ > kMaxWaited) of_this_size_ += sample.discards;
    if (of_this_size_ < Enough()) return;
    if (IsPostponing() && model_.Spread(kEnoughMeasured) < kFarApart) return;
    const uint64_t before = bytes_;
    if (!probed_ && !IsAsKnown() && !(terms_.by_extent && model_.is_measured())) {
        probed_ = true;
        bytes_ = Probe();
    } else if (MustProbeFurther()) {
        bytes_ = Further();
    } else {
        settled_ = true;
        Choose();
    }
    if (bytes_ != before) of_this_size_ = 0;
}

nanoseconds DiscardPlan::FstrimSoFar() const {
    const double sleep = static_cast<double>(SleepPerMibOfFstrim().count()) * model_.mib();
    return model_.WholeSoFar(limits_.largest) + nanoseconds(static_cast<int64_t>(sleep));
}

bool DiscardPlan::IsNoticed(uint64_t bytes) const {
    const nanoseconds cost = CostOf(bytes);
    return cost == nanoseconds(0) || cost >= kNoticed;
}

bool DiscardPlan::HasTime() const {
    return spent_ * 100 < FstrimSoFar() * kMaxTotalPercent;
}

nanoseconds DiscardPlan::PauseAfter(nanoseconds slice, nanoseconds idle, bool others_waited) const {
    if (terms_.hurry) return {};
    if (!others_waited) return slice * kMinPausePercent / 100;
    if (discards_ < kEnoughDiscards) return slice * kMaxPausePercent / 100;
    // What the slices before had too much or too little of is made up for.
    const nanoseconds left = FstrimSoFar() * kTotalPercent / 100 - spent_;
    const nanoseconds work = slice - idle;
    const int percent =
            terms_.slices.discards_to_sleep != 0 ? kSleepingPausePercent : kPausePercent;
    const nanoseconds least = std::max(work * percent / 100 - idle, nanoseconds(0));
    return std::clamp(left, least, slice * kMaxPausePercent / 100);
}

std::optional<DiscardCost> DiscardPlan::measured() const {
    if (!model_.is_measured()) return std::nullopt;
    return model_.cost();
}

std::string DiscardPlan::Binding(uint64_t bytes) const {
    if (CostOf(bytes) <= terms_.budget) return "";
    const auto ms = [](nanoseconds time) {
        return std::to_string(duration_cast<milliseconds>(time).count()) + " ms";
    };
    std::string why = "smaller ones would make the run too long";
    if (bytes > bytes_) why = "to cut it would keep others waiting for longer";
    if (bytes == Smallest()) why = "the device takes no smaller ones";
    return "a discard of " + std::to_string(bytes >> 10) + " KiB takes " + ms(CostOf(bytes)) +
           ", more than the " + ms(terms_.budget) + " allowed: " + why;
}

}  // namespace storekeeper
