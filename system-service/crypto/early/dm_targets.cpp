// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/dm_targets.h"

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <string.h>

#include <algorithm>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// Android's name of the node, and everybody else's.
constexpr const char* kNodes[] = {"/dev/device-mapper", "/dev/mapper/control"};
// A kernel has about 20 targets of 32 bytes.
constexpr size_t kBytes = 16 * 1024;

Result<unique_fd> OpenControl(Syscalls& syscalls) {
    Result<unique_fd> fd = syscalls.Open(kNodes[0], O_RDWR);
    return fd.ok() ? std::move(fd) : syscalls.Open(kNodes[1], O_RDWR);
}

}  // namespace

Result<std::vector<DmTarget>> ListDmTargets(Syscalls& syscalls) {
    const unique_fd fd = TRY(OpenControl(syscalls));
    std::vector<uint8_t> buffer(kBytes);
    dm_ioctl header = {};
    // The oldest interface there is: the kernel takes any version of the same major number.
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

}  // namespace storekeeper
