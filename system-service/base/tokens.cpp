// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/tokens.h"

#include <algorithm>

namespace storekeeper {

std::vector<std::string> Tokenize(std::string_view text, std::string_view delimiters) {
    std::vector<std::string> words;
    size_t begin = 0;
    while ((begin = text.find_first_not_of(delimiters, begin)) != std::string_view::npos) {
        const size_t end = std::min(text.find_first_of(delimiters, begin), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

std::string PropertyList(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) {
        const std::string more = (list.empty() ? "" : ",") + word;
        if (list.size() + more.size() > kMaxPropertyBytes) break;
        list += more;
    }
    return list;
}

std::string_view NextLine(std::string_view* text) {
    const size_t end = std::min(text->find('\n'), text->size());
    const std::string_view line = text->substr(0, end);
    text->remove_prefix(std::min(end + 1, text->size()));
    return line;
}

std::optional<uint8_t> HexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

std::string HexString(const void* bytes, size_t count) {
    constexpr char kDigits[] = "0123456789abcdef";
    const auto* byte = static_cast<const uint8_t*>(bytes);
    std::string text;
    text.reserve(2 * count);
    for (size_t i = 0; i < count; ++i) {
        text += kDigits[byte[i] >> 4];
        text += kDigits[byte[i] & 0xf];
    }
    return text;
}

}  // namespace storekeeper
