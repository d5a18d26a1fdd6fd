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

// Splits `text` at any of `delimiters` and drops empty words. libbase has a similar function since
// Android 13.
std::vector<std::string> Tokenize(std::string_view text, std::string_view delimiters);

// Longest value of a system property: PROP_VALUE_MAX without the terminating NUL.
inline constexpr size_t kMaxPropertyBytes = 91;

// The first words, comma-separated, as many as fit into the value of a property.
std::string PropertyList(const std::vector<std::string>& words);

// Escapes bytes that are no printable UTF-8 as \x0a, for one line of a terminal, a log or JSON.
// Backslashes stay, so that a second pass changes nothing.
std::string Printable(std::string_view text);
// Applies Printable() to each line of a text.
std::string PrintableLines(std::string_view text);

// Removes the first line from `text` and returns it without its newline.
std::string_view NextLine(std::string_view* text);

// The value of a hexadecimal digit; nullopt for any other character.
std::optional<uint8_t> HexDigit(char c);

// Two lower-case hexadecimal digits per byte. libbase has a similar function since Android 12.
std::string HexString(const void* bytes, size_t count);

}  // namespace storekeeper
