// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>

#include "history/database.h"

namespace storekeeper {

// Copies the readable rows of a damaged history into a new one, within the caller's transaction.
// Returns the losses with their time span as a text, "rows of latency from 2026-01-03 to 2026-02-11
// are lost", or "no row is lost". An error means that `to` cannot be written.
//
// A damaged page of a table hides the rows after it from a sequential read. Each table is therefore
// read twice, forwards to the first damaged page and backwards to the last one. Rows between the
// two are lost. SQLite's own recovery (sqlite3_recover) also finds rows whose place in the tree is
// lost, but neither Android's libsqlite nor Debian's includes it or the virtual table of raw pages
// that it needs.
android::base::Result<std::string> RescueRows(Database* from, Database* to);

}  // namespace storekeeper
