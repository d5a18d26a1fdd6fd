// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <cstdint>
#include <string_view>

#include "latency/histogram.h"
#include "latency/probe_budget.h"

using namespace storekeeper;

// An accepted value is equal when it is written and read again, and percentiles ascend.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto budget = ProbeBudget::Decode(text);
    if (budget.ok()) {
        auto again = ProbeBudget::Decode(budget->Encode());
        if (!again.ok() || *again != *budget) __builtin_trap();
    }
    auto histogram = Histogram::Decode(text);
    if (!histogram.ok()) return 0;
    auto again = Histogram::Decode(histogram->Encode());
    if (!again.ok() || *again != *histogram) __builtin_trap();
    if (histogram->Percentile(50) > histogram->Percentile(99)) __builtin_trap();
    return 0;
}
