// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <string_view>

namespace storekeeper {

// 64-bit FNV-1a as 16 hexadecimal digits: distinguishes accidents and different things, keeps
// nobody out.
std::string Fnv1aHex(std::string_view text);

// Text of lines with a checksum in a last line, so that a torn or foreign file is recognised.
std::string WithChecksum(std::string_view body);

// The body, once the checksum has been found right. Padding behind it is passed over.
android::base::Result<std::string_view> CheckedBody(std::string_view text);

}  // namespace storekeeper
