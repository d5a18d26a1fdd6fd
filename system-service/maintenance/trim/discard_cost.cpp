// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/discard_cost.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/tokens.h"
#include "maintenance/trim/exponential.h"

namespace storekeeper {
namespace {

using std::chrono::nanoseconds;

constexpr double kMib = 1 << 20;

// Files of a phone: what is free between them before anything is known.
constexpr double kUsualExtentMib = 1;
// The bisection's range: below the smallest block and beyond the largest block group.
constexpr double kMinExtentMib = 1.0 / 1024;
constexpr double kMaxExtentMib = 1024;
constexpr int kBisections = 40;
// Lengths of known extents are rounded down by less than one in so many.
constexpr uint64_t kLengthSteps = 8;

// Who fills the disk waits for others no longer than these keep it busy: a third of the time.
constexpr double kMaxWaiting = 1.5;

// From this much time on a size has been seen: more of it takes nothing from the others' say.
constexpr nanoseconds kEnoughTime = std::chrono::milliseconds(100);

// What is remembered counts as so much that was discarded in small pieces, and as much in large
// ones: less than a block group of this run.
constexpr double kKnownMib = 16;
constexpr double kKnownSmallMib = 0.5;
constexpr double kKnownLargeMib = 8;
// One less the square of the correlation of counts and bytes. Below this all samples were of one
// size, but for the chance of where extents end.
constexpr double kMinIndependence = 0.01;

// So many discards of a size that all waited for others.
constexpr uint64_t kManyWaited = 8;

// Linux gives up on an eMMC that is busy for longer.
constexpr nanoseconds kMaxCost = std::chrono::minutes(1);

// Adopted storage and a card of its own are remembered beside the chip of /data.
constexpr size_t kMaxChips = 4;

// To the nearest, of a value that is not below 0.
nanoseconds Nanoseconds(double value) {
    return nanoseconds(static_cast<int64_t>(value + 0.5));
}

// Sums of the normal equations of took = fixed * discards + per_mib * mib, each sample weighed by
// the time it took: errors are shares of it.
struct Equations {
    double nn = 0;
    double nm = 0;
    double mm = 0;
    double nt = 0;
    double mt = 0;

    void Add(const DiscardSample& sample) {
        Add(static_cast<double>(sample.discards), static_cast<double>(sample.bytes) / kMib,
            static_cast<double>(sample.took.count()));
    }

    void Add(double n, double m, double t) {
        const double share = std::min(1.0, static_cast<double>(kEnoughTime.count()) / t);
        n *= share;
        m *= share;
        t *= share;
        nn += n * n / t;
        nm += n * m / t;
        mm += m * m / t;
        nt += n;
        mt += m;
    }

    double Independence() const { return 1 - nm * nm / (nn * mm); }

    // Neither is below 0.
    DiscardCost Solve() const {
        const double determinant = nn * mm - nm * nm;
        const double fixed = (nt * mm - mt * nm) / determinant;
        const double per_mib = (mt * nn - nt * nm) / determinant;
        if (fixed < 0) return {.per_mib = Nanoseconds(mt / mm)};
        if (per_mib < 0) return {.fixed = Nanoseconds(nt / nn)};
        return {.fixed = Nanoseconds(fixed), .per_mib = Nanoseconds(per_mib)};
    }
};

// What the discards of a sample take in all.
double TookBy(const DiscardCost& cost, const DiscardSample& sample) {
    return static_cast<double>(cost.fixed.count()) * static_cast<double>(sample.discards) +
           static_cast<double>(cost.per_mib.count()) * static_cast<double>(sample.bytes) / kMib;
}

// DiscardModel::Spread().
double SpreadOf(const std::map<uint64_t, DiscardSample>& samples, uint64_t discards) {
    uint64_t smallest = 0;
    uint64_t largest = 0;
    for (const auto& [limit, sample] : samples) {
        if (sample.discards < discards) continue;
        if (smallest == 0) smallest = limit;
        largest = limit;
    }
    return smallest == 0 ? 1 : static_cast<double>(largest) / static_cast<double>(smallest);
}

void AddTo(DiscardSample* sum, const DiscardSample& sample) {
    sum->discards += sample.discards;
    sum->bytes += sample.bytes;
    sum->took += sample.took;
}

struct KnownChip {
    std::string chip;
    DiscardCost cost;
};

// Entries "chip fixed_ns per_mib_ns", a tab between them, the newest first.
std::vector<KnownChip> KnownChips(const RecordFile& records) {
    std::vector<KnownChip> chips;
    for (const std::string& entry :
         android::base::Split(records.Last(RecordKind::kDiscards), "\t")) {
        const std::vector<std::string> words = Tokenize(entry, " ");
        int64_t fixed = 0;
        int64_t per_mib = 0;
        if (words.size() == 3 && android::base::ParseInt(words[1], &fixed, int64_t{0}) &&
            android::base::ParseInt(words[2], &per_mib, int64_t{0}) && fixed <= kMaxCost.count() &&
            per_mib <= kMaxCost.count() && fixed + per_mib > 0) {
            chips.push_back(
                    {.chip = words[0],
                     .cost = {.fixed = nanoseconds(fixed), .per_mib = nanoseconds(per_mib)}});
        }
    }
    return chips;
}

}  // namespace

nanoseconds DiscardCost::Of(uint64_t bytes) const {
    return fixed +
           Nanoseconds(static_cast<double>(per_mib.count()) * (static_cast<double>(bytes) / kMib));
}

DiscardModel::DiscardModel(uint64_t granularity, std::optional<DiscardCost> known)
      : granularity_mib_(static_cast<double>(granularity) / kMib),
        known_(known),
        mean_extent_mib_(kUsualExtentMib),
        cost_(known.value_or(DiscardCost())) {}

void DiscardModel::Add(const DiscardSample& sample) {
    if (sample.discards == 0 || sample.bytes == 0 || sample.took.count() <= 0) return;
    AddTo(&samples_[sample.limit_bytes], sample);
    if (!sample.waited) AddTo(&alone_[sample.limit_bytes], sample);
    mib_ += static_cast<double>(sample.bytes) / kMib;
    extents_ += sample.extents;
    knows_extents_ = knows_extents_ && sample.extents != 0;
    if (lengths_.empty()) FitExtents();
    FitCost();
}

void DiscardModel::AddExtents(uint64_t number, uint64_t length) {
    // The upper bits: a map of the lengths of any disk has some hundred entries.
    uint64_t step = 1;
    while (length / step >= 2 * kLengthSteps) step *= 2;
    lengths_[length / step * step] += number;
    number_ += number;
}

// A longer one is cut at multiples of the granularity: its first discard is half a unit shorter
// than the others on average.
double DiscardModel::DiscardsOf(uint64_t extent_bytes, uint64_t limit_bytes) const {
    if (extent_bytes <= limit_bytes) return 1;
    const double limit = static_cast<double>(limit_bytes) / kMib;
    const double left = static_cast<double>(extent_bytes) / kMib - (limit - granularity_mib_ / 2);
    return 1 + std::ceil(left / limit);
}

// An extent has at least one unit of the granularity, or the file system passes over it. A discard
// ends at a multiple of the granularity: the first of an extent is shorter by half a unit on
// average. So piece number k exists where the extent is longer than k - 1 limits less that half,
// which is d beyond the one unit.
double DiscardModel::DiscardsPerMib(uint64_t limit_bytes, double mean_mib) const {
    const double limit = static_cast<double>(limit_bytes) / kMib;
    const double d = 1.5 * granularity_mib_;
    const double second = ExponentialOfMinus(std::max(0.0, limit - d) / mean_mib);
    const double others = ExponentialOfMinus((2 * limit - d) / mean_mib) /
                          (1 - ExponentialOfMinus(limit / mean_mib));
    return (1 + second + others) / (granularity_mib_ + mean_mib);
}

double DiscardModel::DiscardsPerMibOfExtents(uint64_t limit_bytes) const {
    double discards = 0;
    double mib = 0;
    for (const auto& [length, number] : lengths_) {
        discards += static_cast<double>(number) * DiscardsOf(length, limit_bytes);
        mib += static_cast<double>(number) * static_cast<double>(length) / kMib;
    }
    return discards / mib;
}

void DiscardModel::FitExtents() {
    double discards = 0;
    for (const auto& [limit, sample] : samples_) discards += static_cast<double>(sample.discards);
    double low = kMinExtentMib;
    double high = kMaxExtentMib;
    for (int i = 0; i < kBisections; ++i) {
        const double mean = std::sqrt(low * high);
        double expected = 0;
        for (const auto& [limit, sample] : samples_) {
            expected += static_cast<double>(sample.bytes) / kMib * DiscardsPerMib(limit, mean);
        }
        // Longer extents are cut into fewer discards.
        (expected > discards ? low : high) = mean;
    }
    mean_extent_mib_ = low;
}

// Where others are never gone all discards of a size have waited.
const DiscardSample& DiscardModel::Showing(uint64_t limit_bytes) const {
    const auto alone = alone_.find(limit_bytes);
    return alone == alone_.end() ? samples_.at(limit_bytes) : alone->second;
}

// Where enough extents have waited for nobody, a few of other sizes that waited say at most what a
// discard takes: they count if it is less than the others say. Many that waited are what there is
// to see, as are slices, in which there is nearly always somebody.
std::vector<DiscardSample> DiscardModel::Showing() const {
    const auto alone_cost = CostOfAlone();
    std::vector<DiscardSample> showing;
    for (const auto& [limit, all] : samples_) {
        const bool is_doubtful = alone_.count(limit) == 0 && all.discards < kManyWaited;
        if (is_doubtful && alone_cost.has_value() &&
            static_cast<double>(all.took.count()) >= TookBy(*alone_cost, all)) {
            continue;
        }
        showing.push_back(Showing(limit));
    }
    return showing;
}

std::optional<DiscardCost> DiscardModel::CostOfAlone() const {
    if (!knows_extents_ || SpreadOf(alone_, 1) < kFarApart) return std::nullopt;
    Equations equations;
    for (const auto& [limit, sample] : alone_) equations.Add(sample);
    if (equations.Independence() < kMinIndependence) return std::nullopt;
    return equations.Solve();
}

void DiscardModel::FitCost() {
    const std::vector<DiscardSample> showing = Showing();
    Equations equations;
    for (const DiscardSample& sample : showing) equations.Add(sample);
    is_measured_ = equations.Independence() >= kMinIndependence;
    if (!is_measured_ && !known_.has_value()) {
        DiscardSample sum;
        for (const DiscardSample& sample : showing) AddTo(&sum, sample);
        const double half = static_cast<double>(sum.took.count()) / 2;
        cost_ = {.fixed = Nanoseconds(half / static_cast<double>(sum.discards)),
                 .per_mib = Nanoseconds(half / (static_cast<double>(sum.bytes) / kMib))};
        return;
    }
    if (!is_measured_) {
        for (const double size : {kKnownSmallMib, kKnownLargeMib}) {
            const double n = kKnownMib / size;
            equations.Add(n, kKnownMib,
                          static_cast<double>(known_->fixed.count()) * n +
                                  static_cast<double>(known_->per_mib.count()) * kKnownMib);
        }
    }
    cost_ = equations.Solve();
}

double DiscardModel::Spread(uint64_t discards) const {
    return SpreadOf(samples_, discards);
}

double DiscardModel::DiscardsPerMib(uint64_t limit_bytes) const {
    return lengths_.empty() ? DiscardsPerMib(limit_bytes, mean_extent_mib_)
                            : DiscardsPerMibOfExtents(limit_bytes);
}

nanoseconds DiscardModel::WorkPerMib(uint64_t limit_bytes) const {
    return Nanoseconds(static_cast<double>(cost_.fixed.count()) * DiscardsPerMib(limit_bytes) +
                       static_cast<double>(cost_.per_mib.count()));
}

int DiscardModel::PercentLongerThan(uint64_t bytes) const {
    double all = 0;
    double longer = 0;
    for (const auto& [length, number] : lengths_) {
        const double sum = static_cast<double>(number) * static_cast<double>(length);
        all += sum;
        if (length > bytes) longer += sum;
    }
    return all == 0 ? 100 : static_cast<int>(100 * longer / all);
}

nanoseconds DiscardModel::BeyondPerMib(nanoseconds time) const {
    double all = 0;
    double beyond = 0;
    for (const auto& [length, number] : lengths_) {
        const auto longer = static_cast<double>((cost_.Of(length) - time).count());
        all += static_cast<double>(number) * static_cast<double>(length) / kMib;
        if (longer > 0) beyond += static_cast<double>(number) * longer;
    }
    return Nanoseconds(beyond / all);
}

std::optional<nanoseconds> DiscardModel::AtMost(uint64_t bytes) const {
    if (samples_.empty()) return std::nullopt;
    double took = 0;
    double shown = 0;
    for (const auto& [limit, all] : samples_) {
        took += static_cast<double>(Showing(limit).took.count());
        shown += static_cast<double>(Showing(limit).bytes);
    }
    return Nanoseconds(took / shown * static_cast<double>(bytes));
}

double DiscardModel::Waiting() const {
    double took = 0;
    double cost = 0;
    for (const auto& [limit, sample] : samples_) {
        took += static_cast<double>(sample.took.count());
        cost += TookBy(cost_, sample);
    }
    return cost == 0 ? 1 : std::clamp(took / cost, 1.0, kMaxWaiting);
}

nanoseconds DiscardModel::WholeSoFar(uint64_t limit_bytes) const {
    if (!knows_extents_) return WorkSoFar(limit_bytes);
    return Nanoseconds((static_cast<double>(cost_.fixed.count()) * static_cast<double>(extents_) +
                        static_cast<double>(cost_.per_mib.count()) * mib_) *
                       Waiting());
}

nanoseconds DiscardModel::WorkSoFar(uint64_t limit_bytes) const {
    return Nanoseconds(static_cast<double>(WorkPerMib(limit_bytes).count()) * mib_ * Waiting());
}

std::optional<DiscardCost> FindDiscardCost(const RecordFile& records, const std::string& chip) {
    for (const KnownChip& known : KnownChips(records)) {
        if (known.chip == chip) return known.cost;
    }
    return std::nullopt;
}

void PutDiscardCost(RecordFile* records, const std::string& chip, const DiscardCost& cost) {
    std::vector<std::string> entries;
    const auto add = [&entries](const KnownChip& known) {
        entries.push_back(known.chip + " " + std::to_string(known.cost.fixed.count()) + " " +
                          std::to_string(known.cost.per_mib.count()));
    };
    add({.chip = chip, .cost = cost});
    for (const KnownChip& known : KnownChips(*records)) {
        if (known.chip != chip && entries.size() < kMaxChips) add(known);
    }
    records->Put(RecordKind::kDiscards, android::base::Join(entries, '\t'));
}

}  // namespace storekeeper
