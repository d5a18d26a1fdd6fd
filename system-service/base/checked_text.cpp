// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/checked_text.h"

#include <android-base/stringprintf.h>

#include <cstdint>

#include "base/atomic_file.h"

namespace storekeeper {
namespace {

constexpr char kChecksum[] = "checksum ";

}  // namespace

using android::base::Error;
using android::base::Result;

std::string Fnv1aHex(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
    return android::base::StringPrintf("%016llx", static_cast<unsigned long long>(hash));
}

std::string WithChecksum(std::string_view body) {
    return std::string(body) + kChecksum + Fnv1aHex(body) + "\n";
}

Result<std::string_view> CheckedBody(std::string_view text) {
    text = WithoutPadding(text);
    const size_t at = text.rfind(kChecksum);
    if (at == std::string_view::npos) return Error() << "it has no checksum";
    const std::string_view body = text.substr(0, at);
    if (text != WithChecksum(body)) return Error() << "its checksum does not match";
    return body;
}

}  // namespace storekeeper
