// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>

#include "history/database.h"

namespace storekeeper {

// Copies what can be read of a damaged history into a new one, within a transaction of the
// caller's. Returns what is lost, with its span, for people: "rows of latency from 2026-01-03 to
// 2026-02-11 are lost", or that no row is. An error means that `to` takes no rows.
//
// A damaged page of a table hides the rows behind it from a reader that goes by their order. Each
// table is therefore read twice, forwards to the first damaged page and backwards to the last one:
// what lies between the two is lost. SQLite's own recovery (sqlite3_recover) also finds rows whose
// place in the tree is lost; neither Android's libsqlite nor Debian's has it, or the virtual table
// of raw pages that it needs.
android::base::Result<std::string> RescueRows(Database* from, Database* to);

}  // namespace storekeeper
