// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "health/wear_sample.h"

namespace storekeeper {

// Something between the two has changed that a ledger must see: the wear, the chip, who reported
// it, or the file system, which has written less than before.
bool IsTurn(const WearSample& before, const WearSample& after);

// Whether `sample` is worth a row of its own after `last`: a turn, or another day.
bool IsNews(const WearSample& last, const WearSample& sample);

// Those of `samples`, oldest first, that are left when one of each week is enough before `day`: the
// week's last, both sides of each turn, the first and the last of all. Their places, ascending.
std::vector<size_t> WeeklyBefore(std::span<const WearSample> samples, int64_t day);

// At most `most` of the samples: both sides of turns first (the newest where they are too many),
// then the first and the last, then others evenly spread. Their places, ascending.
std::vector<size_t> EvenlyThinned(std::span<const WearSample> samples, size_t most);

}  // namespace storekeeper
