// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The life of the internal storage where vold's own way, health_descriptor of a UFS, has no answer.
// Silent (-1) unless ro.storekeeper.enabled is true. First the kernel is asked for the one eMMC:
//
//     /sys/block/mmcblk<n>/device/life_time = 0x03 0x07
//
// JESD84-B51, DEVICE_LIFE_TIME_EST_TYP_A and _B: 1 to 10 are steps of 10 % used, 11 is past the
// rated life, 0 is not defined, others are reserved. Then storekeeperd, which knows older kernels
// and the health HAL as well:
//
//     storekeeper.status.life_used_pct, storekeeper.status.life_remaining_pct = 0 to 100
//
// The worse of A and B counts, as vold counts those of a UFS: life used is the upper end of its
// step, remaining life what remains at its lower end.

#pragma once

#include <cutils/properties.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A phone has one eMMC and perhaps a card in a slot, which has no such file.
#define STOREKEEPER_MMC_MAX 8

static inline int storekeeper_life_step_of(const char* path) {
    char text[32];
    char* at = text;
    char* end;
    int step = 0;
    int i;
    ssize_t got;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    got = read(fd, text, sizeof(text) - 1);
    close(fd);
    if (got < 0) return 0;
    text[got] = '\0';
    for (i = 0; i < 2; i++, at = end) {
        long value = strtol(at, &end, 16);
        if (end == at) return 0;
        if (value >= 1 && value <= 11 && value > step) step = (int)value;
    }
    return strspn(at, " \n") == strlen(at) ? step : 0;
}

// 1 to 11; 0 where no eMMC or more than one reports it. `root` is "" but in tests.
static inline int storekeeper_life_step(const char* root) {
    char path[128];
    int found = 0;
    int i;
    for (i = 0; i < STOREKEEPER_MMC_MAX; i++) {
        int step;
        snprintf(path, sizeof(path), "%s/sys/block/mmcblk%d/device/life_time", root, i);
        step = storekeeper_life_step_of(path);
        if (step != 0 && found != 0) return 0;
        if (step != 0) found = step;
    }
    return found;
}

static inline int storekeeper_life_status(const char* name) {
    char text[PROPERTY_VALUE_MAX];
    char* end;
    long value;
    property_get(name, text, "");
    if (text[0] < '0' || text[0] > '9') return -1;
    value = strtol(text, &end, 10);
    return *end == '\0' && value <= 100 ? (int)value : -1;
}

static inline int storekeeper_life_enabled(void) {
    char enabled[PROPERTY_VALUE_MAX];
    property_get("ro.storekeeper.enabled", enabled, "");
    return strcmp(enabled, "true") == 0;
}

static inline int storekeeper_life_used_in(const char* root) {
    int step;
    if (!storekeeper_life_enabled()) return -1;
    step = storekeeper_life_step(root);
    return step != 0 ? step * 10 : storekeeper_life_status("storekeeper.status.life_used_pct");
}

static inline int storekeeper_life_remaining_in(const char* root) {
    int step;
    if (!storekeeper_life_enabled()) return -1;
    step = storekeeper_life_step(root);
    return step != 0 ? 100 - (step - 1) * 10
                     : storekeeper_life_status("storekeeper.status.life_remaining_pct");
}

// Percent; -1 if unknown.
static inline int storekeeper_life_used(void) {
    return storekeeper_life_used_in("");
}
static inline int storekeeper_life_remaining(void) {
    return storekeeper_life_remaining_in("");
}
