// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <vector>

namespace android {

struct HidlInterfaceMetadata {
    std::string name;
    std::vector<std::string> inherited;

    static std::vector<HidlInterfaceMetadata> all() { return {}; }
};

}  // namespace android
