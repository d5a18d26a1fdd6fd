// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <vector>

#include "health/normal.h"

namespace storekeeper {

// Where the used part of the life crossed a multiple of 10 %: between which figures of the bytes
// written while watched.
struct WearEdge {
    double pct = 0;
    double low = 0;
    double high = 0;
    double middle() const { return (low + high) / 2; }
};

// What was seen of a chip's wear.
struct WearSeen {
    double begun_pct = 0;         // its last edge before it was watched
    std::vector<WearEdge> edges;  // rising in percent
    double certain = 0;           // so many bytes were written without a further edge
};

struct WearOutlook {
    Normal step;  // bytes for each 10 % to come
    Normal end;   // the figure of written bytes at which all of the life is used
};

// `seen` has two edges at least, or `prior` says what other chips of the kind need for a step of
// 10 %: bytes, and how they differ. The steps that were begun count for what is known of them.
//
// Each hypothesis, of how much the steps of a chip differ and of how they change as it wears, is a
// Kalman filter over the edges; they count as they agree with what was seen.
WearOutlook LearnWear(const WearSeen& seen, const std::optional<Normal>& prior);

}  // namespace storekeeper
