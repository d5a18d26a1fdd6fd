// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/median.h"

#include <algorithm>
#include <cstddef>

namespace storekeeper {

std::optional<double> MedianInPlace(std::vector<double>* values) {
    if (values->empty()) return std::nullopt;
    const auto half = values->begin() + static_cast<std::ptrdiff_t>(values->size() / 2);
    std::nth_element(values->begin(), half, values->end());
    if (values->size() % 2 == 1) return *half;
    return (*std::max_element(values->begin(), half) + *half) / 2;
}

std::optional<double> Median(std::vector<double> values) {
    return MedianInPlace(&values);
}

}  // namespace storekeeper
