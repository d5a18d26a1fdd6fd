// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The common part of the patches that choose between Qualcomm's crypto engine and the CPU: the
// owner's choice, what /proc/crypto says, and the report.
//
// - storekeeper.crypto.choice: "kernel" has the CPU encrypt; anything else changes nothing.
// - persist.storekeeper.crypto: the same for adopted storage; "auto" in the former outranks it.
// - vold.storekeeper.aes.userdata, vold.storekeeper.aes.adopted: the outcome, "unbound", "capi:..."
//   or "refused:<why>".
//
// The choice is read anew for each volume. It does not outlive a boot: who sets it (before /data is
// mounted) counts the boots that failed with it.

#pragma once

#include <android/log.h>
#include <cutils/properties.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// CRYPTO_MAX_ALG_NAME in include/linux/crypto.h, 64 before Linux 4.12.
#define STOREKEEPER_ALG_NAME_MAX 128

// The one string that vold gives to dm-crypt for AES. Everything else stays untouched.
#define STOREKEEPER_LEGACY_CIPHER "aes-cbc-essiv:sha256"

struct storekeeper_alg {
    char name[STOREKEEPER_ALG_NAME_MAX];
    char driver[STOREKEEPER_ALG_NAME_MAX];
    unsigned long priority;
    unsigned long refcnt;
    unsigned fields;  // one bit for each of the four above
};

// vold calls /data's mapping "userdata" on every branch.
static inline int storekeeper_is_userdata(const char* label) {
    return strcmp(label, "userdata") == 0;
}

static inline int storekeeper_kernel_chosen(const char* label) {
    char choice[PROPERTY_VALUE_MAX];
    char adopted[PROPERTY_VALUE_MAX];
    property_get("storekeeper.crypto.choice", choice, "");
    if (strcmp(choice, "auto") != 0 && !storekeeper_is_userdata(label)) {
        property_get("persist.storekeeper.crypto", adopted, choice);
        return strcmp(adopted, "kernel") == 0;
    }
    return strcmp(choice, "kernel") == 0;
}

static inline void storekeeper_report_choice(const char* label, const char* outcome) {
    property_set(storekeeper_is_userdata(label) ? "vold.storekeeper.aes.userdata"
                                                : "vold.storekeeper.aes.adopted",
                 outcome);
    __android_log_print(ANDROID_LOG_INFO, "storekeeper", "AES of %s by the CPU: %s", label,
                        outcome);
}

// Qualcomm's engine by its drivers' names: "qcrypto-cbc-aes" (vendor kernels), "cbc-aes-qce"
// (drivers/crypto/qce), alone or inside a template.
static inline int storekeeper_is_engine(const char* driver) {
    return strstr(driver, "qcrypto-") != NULL || strstr(driver, "-qce") != NULL;
}

static inline int storekeeper_alg_number(const char* text, unsigned long* number) {
    char* end;
    if (*text < '0' || *text > '9') return -1;
    errno = 0;
    *number = strtoul(text, &end, 10);
    return errno == 0 && *end == '\0' ? 0 : -1;
}

// Takes one line of /proc/crypto without its end: 0, or -1 if it makes no sense. c_show() in
// crypto/proc.c: the key, filled up with blanks to 13, ": ", the value.
static inline int storekeeper_alg_line(char* line, struct storekeeper_alg* alg) {
    char* value = strchr(line, ':');
    char* end;
    if (value == NULL || value[1] != ' ') return -1;
    for (end = value; end > line && end[-1] == ' '; end--) {
    }
    *end = '\0';
    value += 2;
    if (strcmp(line, "name") == 0 || strcmp(line, "driver") == 0) {
        const int is_name = line[0] == 'n';
        if (strlen(value) >= STOREKEEPER_ALG_NAME_MAX) return -1;  // a larva has no driver
        memcpy(is_name ? alg->name : alg->driver, value, strlen(value) + 1);
        alg->fields |= is_name ? 1u : 2u;
    } else if (strcmp(line, "priority") == 0) {
        if (storekeeper_alg_number(value, &alg->priority) != 0) return -1;
        alg->fields |= 4u;
    } else if (strcmp(line, "refcnt") == 0) {
        if (storekeeper_alg_number(value, &alg->refcnt) != 0) return -1;
        alg->fields |= 8u;
    }
    return 0;
}

// The next algorithm: 1; the end: 0; what cannot be understood, and a read error: -1.
static inline int storekeeper_next_alg(FILE* file, struct storekeeper_alg* alg) {
    char line[64 + STOREKEEPER_ALG_NAME_MAX];
    memset(alg, 0, sizeof(*alg));
    while (fgets(line, sizeof(line), file) != NULL) {
        const size_t length = strlen(line);
        if (length == 0 || line[length - 1] != '\n') return -1;
        if (length == 1) {
            if (alg->fields != 0) break;
            continue;
        }
        line[length - 1] = '\0';
        if (storekeeper_alg_line(line, alg) != 0) return -1;
    }
    if (ferror(file)) return -1;
    if (alg->fields == 0) return 0;
    return alg->fields == 15u ? 1 : -1;
}

// `root` is "" but in tests.
static inline FILE* storekeeper_open_algs(const char* root) {
    char path[256];
    snprintf(path, sizeof(path), "%s/proc/crypto", root);
    return fopen(path, "re");
}

// The driver that serves an algorithm. Among equal priorities the kernel takes the one registered
// last, which /proc/crypto lists first (__crypto_alg_lookup() in crypto/api.c).
enum storekeeper_who { STOREKEEPER_NOBODY, STOREKEEPER_ENGINE, STOREKEEPER_CPU };

struct storekeeper_server {
    enum storekeeper_who who;
    unsigned long priority;
};

static inline void storekeeper_consider(struct storekeeper_server* server,
                                        const struct storekeeper_alg* alg) {
    if (server->who != STOREKEEPER_NOBODY && alg->priority <= server->priority) return;
    server->who = storekeeper_is_engine(alg->driver) ? STOREKEEPER_ENGINE : STOREKEEPER_CPU;
    server->priority = alg->priority;
}
