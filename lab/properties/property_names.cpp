// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "property_names.h"

#include <climits>
#include <cstddef>
#include <cstdint>

namespace storekeeper::lab {

using android::base::Error;
using android::base::Result;

namespace {

constexpr size_t kValueMax = 92;              // PROP_VALUE_MAX of bionic's sys/system_properties.h
constexpr size_t kReadOnlyValueMax = 0xffff;  // SocketConnection::RecvString of init

bool IsNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '@' || c == ':' || c == '_';
}

// How many bytes the UTF-8 sequence at the start of text has (RFC 3629), 0 if there is none.
size_t Utf8SequenceLength(std::string_view text) {
    const auto byte = [text](size_t at) { return static_cast<uint8_t>(text[at]); };
    const uint8_t lead = byte(0);
    if (lead < 0x80) return 1;
    size_t length = 0;
    uint8_t second_min = 0x80;
    uint8_t second_max = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
        length = 2;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        length = 3;
        if (lead == 0xe0) second_min = 0xa0;  // shorter form exists
        if (lead == 0xed) second_max = 0x9f;  // UTF-16 surrogates
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        length = 4;
        if (lead == 0xf0) second_min = 0x90;  // shorter form exists
        if (lead == 0xf4) second_max = 0x8f;  // beyond U+10FFFF
    } else {
        return 0;
    }
    if (text.size() < length) return 0;
    if (byte(1) < second_min || byte(1) > second_max) return 0;
    for (size_t at = 2; at < length; ++at) {
        if (byte(at) < 0x80 || byte(at) > 0xbf) return 0;
    }
    return length;
}

bool IsUtf8(std::string_view text) {
    while (!text.empty()) {
        const size_t length = Utf8SequenceLength(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace

Result<void> CheckPropertyName(std::string_view name) {
    if (name.empty()) return Error() << "property name is empty; give it a name like debug.x.y";
    if (name.size() > NAME_MAX) {
        return Error() << "property name of " << name.size() << " bytes: at most " << NAME_MAX
                       << " are possible; choose a shorter one";
    }
    for (const char c : name) {
        if (!IsNameCharacter(c)) {
            return Error() << "property name '" << name
                           << "': only letters, digits and ._-@: may stand in a name";
        }
    }
    if (name.front() == '.' || name.back() == '.' || name.find("..") != std::string_view::npos) {
        return Error() << "property name '" << name << "': a part between two dots is empty";
    }
    return {};
}

Result<void> CheckPropertyValue(std::string_view name, std::string_view value) {
    const size_t max = IsReadOnlyProperty(name) ? kReadOnlyValueMax : kValueMax - 1;
    if (value.size() > max) {
        return Error() << "property " << name << ": value of " << value.size()
                       << " bytes is too long; at most " << max << " are allowed";
    }
    if (value.find('\0') != std::string_view::npos || !IsUtf8(value)) {
        return Error() << "property " << name << ": value is not UTF-8 text";
    }
    return {};
}

bool IsReadOnlyProperty(std::string_view name) {
    return name.starts_with("ro.");
}

bool IsPersistentProperty(std::string_view name) {
    return name.starts_with("persist.");
}

}  // namespace storekeeper::lab
