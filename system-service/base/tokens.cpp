// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/tokens.h"

#include <algorithm>

namespace storekeeper {
namespace {

// Lead bytes of UTF-8 sequences: mask, bits, and the smallest printable character of that length.
struct Sequence {
    size_t bytes;
    uint8_t mask;
    uint8_t lead;
    uint32_t first;
};
// Two-byte sequences begin at U+00A0, because U+0080 to U+009F are control characters.
constexpr Sequence kSequences[] = {{2, 0xe0, 0xc0, 0xa0},
                                   {3, 0xf0, 0xe0, 0x800},
                                   {4, 0xf8, 0xf0, 0x10000}};

// Length in bytes of the printable character at the start of `text`; 0 if there is none.
size_t CharacterBytes(std::string_view text) {
    const auto lead = static_cast<uint8_t>(text[0]);
    if (lead >= ' ' && lead <= '~') return 1;
    for (const Sequence& sequence : kSequences) {
        if ((lead & sequence.mask) != sequence.lead || text.size() < sequence.bytes) continue;
        uint32_t character = lead & static_cast<uint8_t>(~sequence.mask);
        for (size_t i = 1; i < sequence.bytes; ++i) {
            const auto byte = static_cast<uint8_t>(text[i]);
            if ((byte & 0xc0) != 0x80) return 0;
            character = character << 6 | (byte & 0x3fU);
        }
        const bool is_surrogate = character >= 0xd800 && character <= 0xdfff;
        return character < sequence.first || character > 0x10ffff || is_surrogate ? 0
                                                                                  : sequence.bytes;
    }
    return 0;
}

}  // namespace

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

std::string Printable(std::string_view text) {
    std::string line;
    line.reserve(text.size());
    while (!text.empty()) {
        const size_t size = CharacterBytes(text);
        if (size == 0) {
            line += "\\x" + HexString(text.data(), 1);
        } else {
            line += text.substr(0, size);
        }
        text.remove_prefix(std::max<size_t>(size, 1));
    }
    return line;
}

std::string PrintableLines(std::string_view text) {
    std::string lines;
    lines.reserve(text.size());
    for (;;) {
        const size_t end = text.find('\n');
        lines += Printable(text.substr(0, end));
        if (end == std::string_view::npos) return lines;
        lines += '\n';
        text.remove_prefix(end + 1);
    }
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
