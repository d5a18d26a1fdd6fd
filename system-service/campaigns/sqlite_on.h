// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "campaigns/scenario_disk.h"

namespace storekeeper {

// While there is one, SQLite reaches files by these calls, in the thread that has made it: a VFS
// that becomes the default one. It does what SQLite's own for Linux does with files that nobody
// else has open: the first sync of a log or journal syncs the folder as well, and a lock costs
// nothing. Memory that processes share it has none. On a disk that does not take SQLite it changes
// nothing.
class SqliteOn {
  public:
    // With `trust_log` a log's checksums are made right before SQLite sees them, as if it had none.
    explicit SqliteOn(ScenarioDisk& disk, bool trust_log = false);
    ~SqliteOn();
    SqliteOn(const SqliteOn&) = delete;

  private:
    const bool installed_;
};

}  // namespace storekeeper
