// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Reports the mapping of a volume in a property, for `dumpsys storekeeper` to show. Callers
// pass names, never a key. Silent unless ro.storekeeper.enabled is true.
//
//     vold.storekeeper.dm.<label> = <device>,<target>,<sector size>,<discards>,<cipher>
//
// <label> is what follows the last colon, at most its last 11 characters, others than letters,
// digits, '_' and '-' as '_': a name may have 31 (Android 7.1 and older), a value 91.
// <sector size> is the encryption's unit in bytes, 0 if the caller does not know it. <discards> is
// "discard", "nodiscard" (the trims of the volume never reach the chip) or "unknown". The cipher
// comes last because it may have commas in it.

#pragma once

#include <ctype.h>
#include <cutils/properties.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STOREKEEPER_DM_PREFIX "vold.storekeeper.dm."
#define STOREKEEPER_DM_LABEL_MAX 11

// dm-default-key with a key that only the storage host can unwrap; others have a raw key
// (CryptoOptions::use_hw_wrapped_key).
static inline const char* storekeeper_default_key(int hw_wrapped) {
    return hw_wrapped ? "default-key-wrapped" : "default-key";
}

static inline void storekeeper_dm_property(const char* label, char* name, size_t size) {
    const char* colon = strrchr(label, ':');
    const char* end = label + strlen(label);
    char* c;
    if (colon != NULL) label = colon + 1;
    if (end - label > STOREKEEPER_DM_LABEL_MAX) label = end - STOREKEEPER_DM_LABEL_MAX;
    snprintf(name, size, STOREKEEPER_DM_PREFIX "%s", label);
    for (c = name + strlen(STOREKEEPER_DM_PREFIX); c < name + size && *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c) && *c != '-') *c = '_';
    }
}

// `root` is "" but in tests. Documentation/ABI/stable/sysfs-block: discard_max_bytes is 0 where the
// device takes no discards.
static inline const char* storekeeper_discards(const char* root, const char* device) {
    char path[128];
    char text[32];
    ssize_t got;
    int fd;
    snprintf(path, sizeof(path), "%s/sys/block/%s/queue/discard_max_bytes", root, device);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return "unknown";
    got = read(fd, text, sizeof(text));
    close(fd);
    if (got < 1 || !isdigit((unsigned char)text[0])) return "unknown";
    return text[0] == '0' ? "nodiscard" : "discard";
}

static inline void storekeeper_report_dm_in(const char* root, const char* label, const char* path,
                                            const char* target, unsigned sector_size,
                                            const char* cipher) {
    const char* slash = strrchr(path, '/');
    const char* device = slash != NULL ? slash + 1 : path;
    char enabled[PROPERTY_VALUE_MAX];
    char name[sizeof(STOREKEEPER_DM_PREFIX) + STOREKEEPER_DM_LABEL_MAX];
    char value[PROPERTY_VALUE_MAX];
    property_get("ro.storekeeper.enabled", enabled, "");
    if (strcmp(enabled, "true") != 0) return;
    storekeeper_dm_property(label, name, sizeof(name));
    snprintf(value, sizeof(value), "%s,%s,%u,%s,%s", device, target, sector_size,
             storekeeper_discards(root, device), cipher);
    property_set(name, value);
}

// Call it once the mapping is active. `label` is the mapping's name, `path` its device
// (/dev/block/dm-0).
static inline void storekeeper_report_dm(const char* label, const char* path, const char* target,
                                         unsigned sector_size, const char* cipher) {
    storekeeper_report_dm_in("", label, path, target, sector_size, cipher);
}
