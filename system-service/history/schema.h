// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <span>

#include "history/database.h"

namespace storekeeper {

// "StKp" in the file's header: what makes it ours (fileformat2 1.3.13).
inline constexpr int64_t kHistoryApplicationId = 0x53744b70;

// What leads from each version of the tables to the next, the first from an empty file. A version
// that has been released is never changed.
std::span<const char* const> HistoryMigrations();

// Makes an empty file one of the newest version, or brings an older one there, in one transaction.
// A file that is not ours, of a later version or damaged is refused unchanged, with the reason.
android::base::Result<void> BringUpToDate(Database* database, uint64_t max_bytes);

}  // namespace storekeeper
