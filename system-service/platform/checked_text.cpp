// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/checked_text.h"

#include "platform/atomic_file.h"
#include "platform/fnv.h"

namespace storekeeper {
namespace {

constexpr char kChecksum[] = "checksum ";

}  // namespace

using android::base::Error;
using android::base::Result;

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
