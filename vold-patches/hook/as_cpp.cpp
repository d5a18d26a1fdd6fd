// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The same headers as vold's C++ files see them.

#include "as_c.c"
