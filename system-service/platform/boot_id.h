// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

namespace storekeeper {

// Another text at each boot of the kernel (random(4)).
inline constexpr char kBootIdPath[] = "/proc/sys/kernel/random/boot_id";

}  // namespace storekeeper
