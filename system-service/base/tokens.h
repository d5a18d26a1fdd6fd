// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace storekeeper {

// The words of `text` between any of `delimiters`, empty ones left out. libbase has its like since
// Android 13.
std::vector<std::string> Tokenize(std::string_view text, std::string_view delimiters);

// Of a property's value: PROP_VALUE_MAX without the end of the text.
inline constexpr size_t kMaxPropertyBytes = 91;

// The first of the words, comma-separated: as many as the value of a property holds.
std::string PropertyList(const std::vector<std::string>& words);

// For one line of a terminal or a log, and for JSON: bytes that are no printable UTF-8 as \x0a.
// Backslashes stay, so that escaping twice changes nothing more.
std::string Printable(std::string_view text);
// For text of several lines: Printable() of each.
std::string PrintableLines(std::string_view text);

// Takes the first line off `text`, without its newline.
std::string_view NextLine(std::string_view* text);

// The value of a hexadecimal digit.
std::optional<uint8_t> HexDigit(char c);

// Two lower-case hexadecimal digits a byte. libbase has its like since Android 12.
std::string HexString(const void* bytes, size_t count);

}  // namespace storekeeper
