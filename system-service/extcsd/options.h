// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <vector>

namespace storekeeper {

struct ExtCsdOptions {
    enum class Source { kDefaultDevice, kDevice, kFile, kStandardInput };

    bool help = false;
    bool json = false;
    bool send = false;
    Source source = Source::kDefaultDevice;
    std::string path;  // path of the device or file
};

// Parses the command line of storekeeper_extcsd, without the program's name.
android::base::Result<ExtCsdOptions> ParseExtCsdOptions(const std::vector<std::string>& arguments);

}  // namespace storekeeper
