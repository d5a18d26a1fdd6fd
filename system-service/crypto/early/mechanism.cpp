// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/mechanism.h"

#include <android-base/parseint.h>
#include <sys/utsname.h>

#include <iterator>

namespace storekeeper {
namespace {

constexpr KernelVersion kFirstWithNames{4, 12};
constexpr uint32_t kFirstMinorWithNames = 17;
constexpr char kDigits[] = "0123456789";

}  // namespace

std::string_view RefusalName(MechanismRefusal refusal) {
    // From kNoDriver on, in their order.
    constexpr std::string_view kNames[] = {"no_driver",       "no_device",       "other_driver",
                                           "engine_in_use",   "no_cpu_aes",      "no_unbind",
                                           "unbind_failed",   "no_effect",       "driver_loaded",
                                           "no_triggers",     "no_cpu_driver",   "no_netlink",
                                           "not_permitted",   "priority_failed", "no_dm_crypt",
                                           "old_dm_crypt",    "new_kernel",      "no_parameter",
                                           "parameter_failed"};
    constexpr size_t kFirst = static_cast<size_t>(MechanismRefusal::kNoDriver);
    static_assert(kFirst + std::size(kNames) - 1 ==
                  static_cast<size_t>(MechanismRefusal::kParameterFailed));
    return refusal == MechanismRefusal::kNone ? "none"
                                              : kNames[static_cast<size_t>(refusal) - kFirst];
}

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
    // Fails for a wrong pointer alone.
    return uname(&kernel) == 0 ? kernel.release : "";
}

bool EarlyFacts::TakesDriverNames() const {
    if (dm_crypt.has_value()) {
        return (*dm_crypt)[0] > 1 || (*dm_crypt)[1] >= kFirstMinorWithNames;
    }
    return !kernel.has_value() || *kernel >= kFirstWithNames;
}

}  // namespace storekeeper
