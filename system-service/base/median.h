// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <vector>

namespace storekeeper {

// The value in the middle, or the mean of the two there; absent for no values. Changes the order of
// the values: who computes many medians needs no copies.
std::optional<double> MedianInPlace(std::vector<double>* values);

std::optional<double> Median(std::vector<double> values);

}  // namespace storekeeper
