// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/wear_model.h"

#include <algorithm>
#include <cmath>

namespace storekeeper {
namespace {

constexpr double kStepPct = 10;
// libc++ of Android 11 has no <numbers>.
constexpr double kSqrt2 = 1.4142135623730951;
constexpr double kDensityAtMean = 0.3989422804014327;  // of a normal distribution

// How likely a hypothesis is before the chip was seen, against the others.
struct Hypothesis {
    double value = 0;
    double weight = 0;
};
// The standard deviation of a chip's steps, as a part of a step.
constexpr Hypothesis kSpreads[] = {{0.02, 2}, {0.05, 1}, {0.1, 1}, {0.18, 1}, {0.3, 0.3}};
// How much longer a step is than the one before, as a part of a step. Flash that is worn is read
// again, moved and retried more often: steps get shorter, if anything.
constexpr Hypothesis kTrends[] = {{-0.04, 1}, {-0.02, 1}, {0, 2}};

// So unsure is the length of a step, in steps, before any was seen.
constexpr double kVague = 100;

double Square(double x) {
    return x * x;
}

// Of a normal distribution from which all that lies below is cut off: by how many standard
// deviations the mean goes up, and which share of the variance stays.
struct Cut {
    double logarithm = 0;  // of the part that is left
    double shift = 0;
    double variance = 1;
};

// `from` is where, in standard deviations from the mean.
Cut CutBelow(double from) {
    // Farther out erfc() is nothing; there what is left falls off exponentially.
    constexpr double kFar = 5;
    if (from > kFar) {
        return {.logarithm = -from * from / 2,
                .shift = from + 1 / from,
                .variance = 1 / Square(from)};
    }
    const double left = std::erfc(from / kSqrt2) / 2;
    const double density = std::exp(-from * from / 2) * kDensityAtMean;
    const double shift = density / left;
    return {.logarithm = std::log(left), .shift = shift, .variance = 1 - shift * (shift - from)};
}

// Where the last edge lies and how long a step is, in units of about a step, and how sure that is.
class Filter {
  public:
    // From the last edge before it was watched, which lies anywhere within a step.
    Filter(double step_variance, double spread, double trend)
          : step_variance_(step_variance), noise_(Square(spread)), trend_(trend) {}

    // To the edge so many steps on.
    void Advance(double steps) {
        edge_ += steps * (step_ + steps * trend_ / 2);
        step_ += steps * trend_;
        edge_variance_ += 2 * steps * covariance_ + Square(steps) * step_variance_ + noise_ * steps;
        covariance_ += steps * step_variance_;
    }

    // It was seen there.
    void See(double edge, double variance) {
        const double all = edge_variance_ + variance;
        const double error = edge - edge_;
        logarithm_ -= (std::log(all) + Square(error) / all) / 2;
        Correct(error * edge_variance_ / all, variance / all);
    }

    // It lies behind.
    void SeeNoneBefore(double bytes) {
        const double deviation = std::sqrt(edge_variance_);
        const Cut cut = CutBelow((bytes - edge_) / deviation);
        logarithm_ += cut.logarithm;
        Correct(cut.shift * deviation, cut.variance);
    }

    double logarithm() const { return logarithm_; }  // of the likelihood
    double edge() const { return edge_; }
    double edge_variance() const { return edge_variance_; }
    double step() const { return step_; }
    double step_variance() const { return step_variance_; }

  private:
    // The edge lies `by` farther off, and this share of its variance is left.
    void Correct(double by, double share) {
        const double gain = covariance_ / edge_variance_;
        edge_ += by;
        step_ += gain * by;
        step_variance_ -= gain * covariance_ * (1 - share);
        covariance_ *= share;
        edge_variance_ *= share;
    }

    double edge_ = -0.5;
    double step_ = 1;
    double edge_variance_ = 1.0 / 12;  // as of whatever lies anywhere between two ends
    double covariance_ = 0;
    double step_variance_;
    const double noise_;
    const double trend_;
    double logarithm_ = 0;
};

double MeanStep(const std::vector<WearEdge>& edges) {
    const double bytes = edges.back().middle() - edges.front().middle();
    // 1 byte for chips that write nothing, as garbage may say.
    return std::max(1.0, bytes * kStepPct / (edges.back().pct - edges.front().pct));
}

}  // namespace

WearOutlook LearnWear(const WearSeen& seen, const std::optional<Normal>& prior) {
    const double unit = prior.has_value() ? prior->mean : MeanStep(seen.edges);
    const double unsure = prior.has_value() ? prior->deviation / unit : kVague;
    std::vector<Filter> filters;
    std::vector<double> weights;
    double pct = 0;
    for (const Hypothesis& spread : kSpreads) {
        for (const Hypothesis& trend : kTrends) {
            Filter filter(Square(unsure), spread.value, trend.value);
            pct = seen.begun_pct;
            for (const WearEdge& edge : seen.edges) {
                filter.Advance((edge.pct - pct) / kStepPct);
                filter.See(edge.middle() / unit, Square((edge.high - edge.low) / unit) / 12);
                pct = edge.pct;
            }
            filter.Advance(1);
            filter.SeeNoneBefore(seen.certain / unit);
            weights.push_back(std::log(spread.weight * trend.weight) + filter.logarithm());
            filters.push_back(filter);
        }
    }
    Normalize(&weights);
    Mixture step;
    Mixture end;
    for (size_t i = 0; i < filters.size(); ++i) {
        step.Add(weights[i], filters[i].step(), filters[i].step_variance());
        filters[i].Advance((100 - pct) / kStepPct - 1);
        end.Add(weights[i], filters[i].edge(), filters[i].edge_variance());
    }
    return {.step = step.Total(unit), .end = end.Total(unit)};
}

}  // namespace storekeeper
