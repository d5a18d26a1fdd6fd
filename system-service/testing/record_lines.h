// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>

#include "base/atomic_file.h"

namespace storekeeper {

// The content of a record file, written down independently of RecordFile::Format().

inline constexpr char kRecordHeader[] = "storekeeper-records 1\n";

// A line as a version writes it that knows this kind.
inline std::string RecordLine(const std::string& kind, const std::string& payload) {
    return kind + " " + Fnv1aHex(kind + " " + payload) + " " + payload + "\n";
}

}  // namespace storekeeper
