// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storekeeper {

// The words of `text` between any of `delimiters`, empty ones left out. libbase has its like since
// Android 13.
std::vector<std::string> Tokenize(std::string_view text, std::string_view delimiters);

// Two lower-case hexadecimal digits a byte. libbase has its like since Android 12.
std::string HexString(const void* bytes, size_t count);

}  // namespace storekeeper
