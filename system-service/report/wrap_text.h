// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace storekeeper {

// What a terminal shows without scrolling or wrapping.
inline constexpr size_t kScreenColumns = 80;
inline constexpr size_t kScreenLines = 24;

// `text` with its longer lines broken at blanks into lines of at most 80 columns. Continued lines
// are indented by `indent`, by default four columns more than the line they continue. Each line
// ends in a newline, and none in a blank.
std::string WrapText(const std::string& text, std::optional<size_t> indent = std::nullopt);

}  // namespace storekeeper
