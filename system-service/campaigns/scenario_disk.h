// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <string>

#include "base/syscalls.h"

namespace storekeeper {

// Where a scenario was at a moment: the number of the last step that it has begun, of the last one
// that the product has reported as kept, and what it has done in the world outside of the disk.
struct CrashMarks {
    int64_t begun = 0;
    int64_t kept = 0;
    int64_t done = 0;

    bool operator==(const CrashMarks&) const = default;
};

// The disk that a scenario works on: one folder, by the product's file calls.
class ScenarioDisk : public LinuxSyscalls {
  public:
    // Of a file in the folder.
    virtual std::string Path(const std::string& name) const = 0;
    // `marks` from now on.
    virtual void Mark(const CrashMarks& marks) = 0;
    // Whether SQLite is to reach its files by these calls (sqlite_on.h); else by its own.
    virtual bool TakesSqlite() const { return true; }
};

}  // namespace storekeeper
