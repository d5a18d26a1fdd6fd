// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/wear_model.h"

#include <algorithm>
#include <cmath>

namespace storekeeper {
namespace {

constexpr double kStepPct = 10;
// Android 11's libc++ has no <numbers>.
constexpr double kSqrt2 = 1.4142135623730951;
// density of the standard normal distribution at its mean
constexpr double kDensityAtMean = 0.3989422804014327;

// A value with its prior weight relative to the other hypotheses.
struct Hypothesis {
    double value = 0;
    double weight = 0;
};
// Standard deviation of a chip's steps, relative to a step.
constexpr Hypothesis kSpreads[] = {{0.02, 2}, {0.05, 1}, {0.1, 1}, {0.18, 1}, {0.3, 0.3}};
// Growth from one step to the next, relative to a step. Worn flash is read again, moved and retried
// more often, so steps may get shorter but hardly longer.
constexpr Hypothesis kTrends[] = {{-0.04, 1}, {-0.02, 1}, {0, 2}};

// Initial standard deviation of a step's length, in steps; practically unknown.
constexpr double kVague = 100;

double Square(double x) {
    return x * x;
}

// A standard normal distribution truncated from below: the shift of its mean in standard
// deviations, and the share of the variance that remains.
struct Cut {
    double logarithm = 0;  // logarithm of the remaining probability
    double shift = 0;
    double variance = 1;
};

// `from` is the truncation point, in standard deviations from the mean.
Cut CutBelow(double from) {
    // Farther out erfc() vanishes, and the remainder falls off exponentially.
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

// Estimates the position of the last edge and the length of a step, with their variances. The unit
// is about one step.
class Filter {
  public:
    // Starts at the last edge before the observation, which may lie anywhere within the preceding
    // step.
    Filter(double step_variance, double spread, double trend)
          : step_variance_(step_variance), noise_(Square(spread)), trend_(trend) {}

    // Predicts the edge `steps` further on.
    void Advance(double steps) {
        edge_ += steps * (step_ + steps * trend_ / 2);
        step_ += steps * trend_;
        edge_variance_ += 2 * steps * covariance_ + Square(steps) * step_variance_ + noise_ * steps;
        covariance_ += steps * step_variance_;
    }

    // Corrects the estimate by an observed edge.
    void ObserveEdge(double edge, double variance) {
        const double all = edge_variance_ + variance;
        const double error = edge - edge_;
        logarithm_ -= (std::log(all) + Square(error) / all) / 2;
        Correct(error * edge_variance_ / all, variance / all);
    }

    // Corrects the estimate by the fact that the edge lies beyond `bytes`.
    void ObserveNoEdgeBefore(double bytes) {
        const double deviation = std::sqrt(edge_variance_);
        const Cut cut = CutBelow((bytes - edge_) / deviation);
        logarithm_ += cut.logarithm;
        Correct(cut.shift * deviation, cut.variance);
    }

    double logarithm() const { return logarithm_; }  // log likelihood
    double edge() const { return edge_; }
    double edge_variance() const { return edge_variance_; }
    double step() const { return step_; }
    double step_variance() const { return step_variance_; }

  private:
    // Moves the edge by `by` and keeps `share` of its variance.
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
    double edge_variance_ = 1.0 / 12;  // variance of a uniform distribution of width 1
    double covariance_ = 0;
    double step_variance_;
    const double noise_;
    const double trend_;
    double logarithm_ = 0;
};

double MeanStep(const std::vector<WearEdge>& edges) {
    const double bytes = edges.back().middle() - edges.front().middle();
    // The minimum of 1 byte is for garbage counters that show no writes.
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
                filter.ObserveEdge(edge.middle() / unit,
                                   Square((edge.high - edge.low) / unit) / 12);
                pct = edge.pct;
            }
            filter.Advance(1);
            filter.ObserveNoEdgeBefore(seen.certain / unit);
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
