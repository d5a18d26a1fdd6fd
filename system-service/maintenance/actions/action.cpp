// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/action.h"

namespace storekeeper {

std::string_view NameOf(ActionOutcome outcome) {
    constexpr std::string_view kNames[] = {"done", "nothing", "stopped", "failed"};
    return kNames[static_cast<size_t>(outcome)];
}

}  // namespace storekeeper
