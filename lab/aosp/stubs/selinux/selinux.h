// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// The guest has no SELinux policy: no context exists, nothing is refused.
#pragma once

#include <stddef.h>

static inline void freecon(char*) {}

static inline int is_selinux_enabled() {
    return 0;
}

static inline int getfilecon(const char*, char** context) {
    *context = nullptr;
    return -1;
}

static inline int selinux_check_access(const char*, const char*, const char*, const char*, void*) {
    return 0;
}
