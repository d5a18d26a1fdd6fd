// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Reads the version of a device-mapper target. DM_LIST_VERSIONS is the only ioctl in here; it knows
// neither devices nor keys.

#pragma once

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Finds `target` in the answer to DM_LIST_VERSIONS: 0, or -1 where it is not listed. The last entry
// has a `next` of 0 (list_version_get_info() in drivers/md/dm-ioctl.c) and counts like the others.
static inline int storekeeper_target_version(const struct dm_ioctl* io, const char* target,
                                             int version[3]) {
    const size_t head = offsetof(struct dm_target_versions, name);
    size_t at = io->data_start;
    while (at + head < io->data_size) {
        const char* entry = (const char*)io + at;
        const size_t room = io->data_size - at - head;
        struct dm_target_versions found;
        memcpy(&found, entry, head);
        if (strlen(target) < room && strncmp(entry + head, target, room) == 0) {
            version[0] = (int)found.version[0];
            version[1] = (int)found.version[1];
            version[2] = (int)found.version[2];
            return 0;
        }
        if (found.next < head) return -1;
        at += found.next;
    }
    return -1;
}

// Returns 1 if the kernel's dm-crypt is 1.`minor` or newer, 0 if it is older or unknown.
static inline int storekeeper_dm_crypt_at_least(int minor) {
    union {
        struct dm_ioctl io;
        char room[16384];
    } answer;
    int version[3];
    int result = -1;
    const int fd = open("/dev/device-mapper", O_RDWR | O_CLOEXEC);
    if (fd < 0) return 0;
    memset(&answer, 0, sizeof(answer));
    answer.io.version[0] = 4;  // the interface's major number since Linux 2.6
    answer.io.data_size = sizeof(answer);
    answer.io.data_start = sizeof(answer.io);
    if (ioctl(fd, DM_LIST_VERSIONS, &answer) == 0) {
        result = storekeeper_target_version(&answer.io, "crypt", version);
    }
    close(fd);
    if (result != 0) return 0;
    return version[0] > 1 || (version[0] == 1 && version[1] >= minor);
}
