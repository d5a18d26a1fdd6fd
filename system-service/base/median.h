// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <vector>

namespace storekeeper {

// The middle value, or the mean of the two middle ones; nullopt for no values. Reorders the values,
// so that many medians need no copies.
std::optional<double> MedianInPlace(std::vector<double>* values);

std::optional<double> Median(std::vector<double> values);

}  // namespace storekeeper
