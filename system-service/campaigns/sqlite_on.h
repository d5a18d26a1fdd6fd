// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "campaigns/scenario_disk.h"

namespace storekeeper {

// While an object exists, SQLite in the thread that made it reaches files by the disk's calls. It
// is a VFS that becomes the default one. It acts like SQLite's own VFS for Linux on files that
// nobody else has open: the first sync of a log or journal syncs the folder as well, and locks do
// nothing. It has no shared memory. For a disk that does not take SQLite it changes nothing.
class SqliteOn {
  public:
    // `trust_log` corrects a log's checksums before SQLite reads them, as if the log had none.
    explicit SqliteOn(ScenarioDisk& disk, bool trust_log = false);
    ~SqliteOn();
    SqliteOn(const SqliteOn&) = delete;

  private:
    const bool installed_;
};

}  // namespace storekeeper
