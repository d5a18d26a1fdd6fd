// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <string_view>

namespace storekeeper {

// Lets go of the memory of a shared library's code and constants, which come back from its file
// when they are used: for one that is needed a few times a day. `name` is what the file's name
// begins with, such as "libsqlite". Returns the bytes of address space that were let go; 0 when
// there is no such library, or the kernel refuses (madvise(2), MADV_DONTNEED).
size_t GiveBackLibrary(std::string_view name);

}  // namespace storekeeper
