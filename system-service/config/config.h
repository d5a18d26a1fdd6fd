// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "maintenance/policy/policy_config.h"

namespace storekeeper {

// All that the configuration files can set, by section.
struct Config {
    PolicyConfig maintenance;
};

}  // namespace storekeeper
