// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

namespace storekeeper::lab {

// Where the properties of the virtual phone are. Only the unit tests are built with other places.
#ifdef STOREKEEPER_PROPERTY_ROOT
inline constexpr char kPropertyRoot[] = STOREKEEPER_PROPERTY_ROOT;
inline constexpr char kPersistRoot[] = STOREKEEPER_PERSIST_ROOT;
#else
inline constexpr char kPropertyRoot[] = "/dev/__properties__";
inline constexpr char kPersistRoot[] = "/data/property";
#endif

}  // namespace storekeeper::lab
