// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/action.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace storekeeper {
namespace {

// Names in the order of the enumeration.
constexpr std::string_view kNames[] = {"done", "nothing", "stopped", "failed"};

}  // namespace

std::string_view NameOf(ActionOutcome outcome) {
    return kNames[static_cast<size_t>(outcome)];
}

std::optional<ActionOutcome> ActionOutcomeNamed(std::string_view name) {
    const auto* const found = std::find(std::begin(kNames), std::end(kNames), name);
    if (found == std::end(kNames)) return std::nullopt;
    return static_cast<ActionOutcome>(found - std::begin(kNames));
}

}  // namespace storekeeper
