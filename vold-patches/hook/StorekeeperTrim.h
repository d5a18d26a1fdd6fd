// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Reports vold's own trims in properties, so that storekeeperd does not do the same work again.
// Silent unless ro.storekeeper.enabled is true.
//
//     vold.storekeeper.trim.<n> = <boot ms>,<bytes>,<ms>,<errno>,<mount point>
//
// <n> goes from 0 to 7 and round again. <boot ms> is when the FITRIM began, in milliseconds of
// CLOCK_BOOTTIME; <ms> how long it took; <bytes> what the filesystem said it trimmed. A value has
// at most 91 characters: a longer path is cut off at its end.

#pragma once

#include <cutils/properties.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define STOREKEEPER_TRIM_SLOTS 8

static inline int64_t storekeeper_boot_ns(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// Call it right after the ioctl; `error` is 0 or its errno, and errno survives the call.
static inline void storekeeper_report_trim(const char* path, uint64_t bytes, int64_t start_ns,
                                           int error) {
    static unsigned next;
    const int saved = errno;
    const int64_t took_ns = storekeeper_boot_ns() - start_ns;
    char enabled[PROPERTY_VALUE_MAX];
    char name[32];
    char value[PROPERTY_VALUE_MAX];
    property_get("ro.storekeeper.enabled", enabled, "");
    if (strcmp(enabled, "true") == 0) {
        snprintf(name, sizeof(name), "vold.storekeeper.trim.%u",
                 __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % STOREKEEPER_TRIM_SLOTS);
        snprintf(value, sizeof(value), "%lld,%llu,%lld,%d,%s", (long long)(start_ns / 1000000),
                 (unsigned long long)bytes, (long long)(took_ns / 1000000), error, path);
        property_set(name, value);
    }
    errno = saved;
}
