// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Names of HIDL interfaces, of which no init script of ours speaks: none is understood.

#pragma once

#include <string>

namespace android {

class FQName {
  public:
    static bool parse(const std::string&, FQName*) { return false; }
    bool setTo(const std::string&) { return false; }
    bool isFullyQualified() const { return false; }
    bool isValidValueName() const { return false; }
    std::string string() const { return ""; }
    bool operator<(const FQName&) const { return false; }
    bool operator==(const FQName&) const { return true; }
};

}  // namespace android
