// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/kernel_version.h"

#include <android-base/parseint.h>
#include <sys/utsname.h>

namespace storekeeper {
namespace {

constexpr char kDigits[] = "0123456789";

}  // namespace

std::optional<KernelVersion> ParseKernelRelease(std::string_view release) {
    const size_t dot = release.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const std::string_view rest = release.substr(dot + 1);
    const std::string first(release.substr(0, dot));
    const std::string second(rest.substr(0, rest.find_first_not_of(kDigits)));
    KernelVersion version;
    if (!android::base::ParseUint(first, &version.major) ||
        !android::base::ParseUint(second, &version.minor)) {
        return std::nullopt;
    }
    return version;
}

std::string KernelRelease() {
    utsname kernel = {};
    // uname(2) fails only for an invalid pointer.
    static_cast<void>(uname(&kernel));
    return kernel.release;
}

}  // namespace storekeeper
