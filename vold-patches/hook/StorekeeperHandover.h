// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Whether vold may leave the trims of idle maintenance to storekeeperd. It may while both hold:
//
//     storekeeper.trim.owner = storekeeper
//     storekeeper.trim.beat  = <seconds of CLOCK_BOOTTIME>, not older than a day
//
// storekeeperd renews the beat; where it is dead, stopped, stuck or absent the beat grows old and
// vold trims as if this file were not there. vold asks only these two and never waits.

#pragma once

#include <android/log.h>
#include <cutils/properties.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The framework asks for a trim about once a day: at most one of vold's is lost to a dead owner.
#define STOREKEEPER_BEAT_MAX_S 86400

static inline int storekeeper_owns_trim_at(long long now_s) {
    char text[PROPERTY_VALUE_MAX];
    char* end;
    long long beat_s;
    property_get("storekeeper.trim.owner", text, "");
    if (strcmp(text, "storekeeper") != 0) return 0;
    property_get("storekeeper.trim.beat", text, "");
    if (text[0] < '0' || text[0] > '9') return 0;
    errno = 0;
    beat_s = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0') return 0;
    return beat_s <= now_s && now_s - beat_s <= STOREKEEPER_BEAT_MAX_S;
}

static inline int storekeeper_owns_trim(void) {
    struct timespec now = {0, 0};
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0 || !storekeeper_owns_trim_at(now.tv_sec)) return 0;
    __android_log_write(ANDROID_LOG_INFO, "storekeeper", "storekeeperd trims instead of vold");
    return 1;
}
