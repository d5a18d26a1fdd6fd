// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/mechanism.h"

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <string.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr KernelVersion kFirstWithNames{4, 12};
constexpr uint32_t kFirstMinorWithNames = 17;

// Size of the buffer. A kernel has about 20 targets of 32 bytes.
constexpr size_t kBytes = 16 * 1024;

}  // namespace

std::string_view RefusalName(MechanismRefusal refusal) {
    // Names in the order of the enumeration, from kNoDriver on.
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

Result<unique_fd> OpenDmControl(Syscalls& syscalls) {
    // Android's name of the node comes first, then the usual one.
    Result<unique_fd> fd = syscalls.Open("/dev/device-mapper", O_RDWR);
    return fd.ok() ? std::move(fd) : syscalls.Open("/dev/mapper/control", O_RDWR);
}

Result<std::vector<DmTarget>> ListDmTargets(Syscalls& syscalls) {
    const unique_fd fd = TRY(OpenDmControl(syscalls));
    std::vector<uint8_t> buffer(kBytes);
    dm_ioctl header = {};
    // The oldest version of the interface: the kernel accepts any version of the same major number.
    header.version[0] = DM_VERSION_MAJOR;
    header.data_size = kBytes;
    header.data_start = sizeof(header);
    memcpy(buffer.data(), &header, sizeof(header));
    TRY(syscalls.Ioctl(fd, DM_LIST_VERSIONS, buffer.data(),
                       "cannot list the targets of the device mapper"));
    memcpy(&header, buffer.data(), sizeof(header));
    std::vector<DmTarget> targets;
    size_t at = header.data_start;
    for (;;) {
        dm_target_versions entry = {};
        if (at + sizeof(entry) >= std::min<size_t>(header.data_size, kBytes)) {
            return Error() << "the device mapper's list of targets has no end";
        }
        memcpy(&entry, &buffer[at], sizeof(entry));
        const char* name = reinterpret_cast<const char*>(&buffer[at + sizeof(entry)]);
        DmTarget target{.name = std::string(name, strnlen(name, kBytes - at - sizeof(entry)))};
        std::copy(std::begin(entry.version), std::end(entry.version), target.version.begin());
        targets.push_back(std::move(target));
        if (entry.next == 0) return targets;
        at += entry.next;
    }
}

bool EarlyFacts::TakesDriverNames() const {
    if (dm_crypt.has_value()) {
        return (*dm_crypt)[0] > 1 || (*dm_crypt)[1] >= kFirstMinorWithNames;
    }
    return !kernel.has_value() || *kernel >= kFirstWithNames;
}

}  // namespace storekeeper
