// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <hidl-util/FQName.h>

namespace android {

class FqInstance {
  public:
    bool setTo(const std::string&) { return false; }
    FQName getFqName() const { return {}; }
};

}  // namespace android
