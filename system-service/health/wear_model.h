// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <vector>

#include "health/normal.h"

namespace storekeeper {

// A crossing of a multiple of 10 % of life, located between two values of the bytes written under
// observation.
struct WearEdge {
    double pct = 0;
    double low = 0;
    double high = 0;
    double middle() const { return (low + high) / 2; }
};

// The observed wear of a chip.
struct WearSeen {
    double begun_pct = 0;         // last edge before the observation
    std::vector<WearEdge> edges;  // ascending in percent
    double certain = 0;           // bytes written up to which no further edge was seen
};

struct WearOutlook {
    Normal step;  // bytes per future step of 10 %
    Normal end;   // written bytes at which the whole life is used
};

// Needs at least two edges in `seen`, or a `prior`: the mean and deviation of bytes per step of 10
// % among chips of this kind. Incomplete first and last steps count as well, as far as they are
// known.
//
// Each hypothesis assumes a deviation of the chip's steps and a trend of their length, and is a
// Kalman filter over the edges. Hypotheses are weighted by their agreement with the observed edges.
WearOutlook LearnWear(const WearSeen& seen, const std::optional<Normal>& prior);

}  // namespace storekeeper
