// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace storekeeper {

// The middle value, or the mean of the two middle ones; nullopt for no values. Reorders the values,
// so that many medians need no copies.
inline std::optional<double> MedianInPlace(std::vector<double>* values) {
    if (values->empty()) return std::nullopt;
    const auto half = values->begin() + static_cast<std::ptrdiff_t>(values->size() / 2);
    std::nth_element(values->begin(), half, values->end());
    if (values->size() % 2 == 1) return *half;
    return (*std::max_element(values->begin(), half) + *half) / 2;
}

inline std::optional<double> Median(std::vector<double> values) {
    return MedianInPlace(&values);
}

}  // namespace storekeeper
