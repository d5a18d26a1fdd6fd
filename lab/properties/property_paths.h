// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

namespace storekeeper::lab {

// Folders of the virtual phone's properties. Only the unit tests are built with other folders.
#ifdef STOREKEEPER_PROPERTY_ROOT
inline constexpr char kPropertyRoot[] = STOREKEEPER_PROPERTY_ROOT;
inline constexpr char kPersistRoot[] = STOREKEEPER_PERSIST_ROOT;
#else
inline constexpr char kPropertyRoot[] = "/dev/lab_properties";
inline constexpr char kPersistRoot[] = "/data/property";
#endif

}  // namespace storekeeper::lab
