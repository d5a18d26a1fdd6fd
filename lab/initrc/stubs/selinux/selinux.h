// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Functions that init calls when it starts a service or makes a file. The verifier does neither.

#pragma once

static inline void freecon(char*) {}

static inline int getcon(char**) {
    return -1;
}

static inline int getfilecon(const char*, char**) {
    return -1;
}

static inline int setexeccon(const char*) {
    return -1;
}

static inline int setfscreatecon(const char*) {
    return -1;
}

static inline int setsockcreatecon(const char*) {
    return -1;
}

static inline unsigned short string_to_security_class(const char*) {
    return 0;
}

static inline int security_compute_create(const char*, const char*, unsigned short, char**) {
    return -1;
}
