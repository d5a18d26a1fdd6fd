// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <string>

#include "base/syscalls.h"

namespace storekeeper {

// Progress of a scenario: the number of the last step that it has begun, of the last one that the
// product has acknowledged, and a count of its effects outside of the disk.
struct CrashMarks {
    int64_t begun = 0;
    int64_t kept = 0;
    int64_t done = 0;

    bool operator==(const CrashMarks&) const = default;
};

// The disk of a scenario: one folder, reached by the product's file calls.
class ScenarioDisk : public LinuxSyscalls {
  public:
    // Path of a file in the folder.
    virtual std::string Path(const std::string& name) const = 0;
    // Sets the marks from now on.
    virtual void Mark(const CrashMarks& marks) = 0;
    // True if SQLite must reach its files by these calls (sqlite_on.h), not by its own.
    virtual bool TakesSqlite() const { return true; }
};

}  // namespace storekeeper
