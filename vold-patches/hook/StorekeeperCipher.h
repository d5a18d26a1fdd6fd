// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Names the CPU's driver in the string for dm-crypt, where Qualcomm's engine would serve otherwise:
// the same mode, IV, key and sectors, so the same bytes on the disk; the string itself never gets
// there. Only where storekeeper.crypto.choice asks for it (StorekeeperCrypto.h).

#pragma once

#include <sys/utsname.h>

#include "StorekeeperCrypto.h"
#include "StorekeeperDmVersions.h"

// dm-crypt 1.17.0, Linux 4.12, is the first that takes a driver's name (commit 33d2f09fcb35).
#define STOREKEEPER_CAPI_MINOR 17

struct storekeeper_cipher {
    const char* driver;
    const char* cipher;
};

// Drivers in constant time only; cbc(aes-generic) and cbc(aes-asm) look up tables.
static const struct storekeeper_cipher kStorekeeperCiphers[] = {
        {"cbc-aes-ce", "capi:cbc-aes-ce-essiv:sha256"},
        {"cbc-aes-neonbs", "capi:cbc-aes-neonbs-essiv:sha256"},
        {"cbc-aes-neon", "capi:cbc-aes-neon-essiv:sha256"},
};

static inline const struct storekeeper_cipher* storekeeper_find_cipher(const char* driver) {
    size_t i;
    for (i = 0; i < sizeof(kStorekeeperCiphers) / sizeof(kStorekeeperCiphers[0]); i++) {
        if (strcmp(kStorekeeperCiphers[i].driver, driver) == 0) return &kStorekeeperCiphers[i];
    }
    return NULL;
}

// From Linux 5.10 on dm-crypt passes over drivers that allocate memory for each request (commit
// cd74693870fb), and what is left does not gain by another name.
static inline int storekeeper_kernel_before_5_10(const char* release) {
    char* end;
    const unsigned long major = strtoul(release, &end, 10);
    if (end == release || *end != '.') return 0;
    return major < 5 || (major == 5 && strtoul(end + 1, NULL, 10) < 10);
}

// The string to use instead, or NULL and why not.
static inline const char* storekeeper_pick_cipher(const char* root, const char** why) {
    struct storekeeper_alg alg;
    struct storekeeper_server cbc;
    struct storekeeper_server essiv;  // the whole of it, from Linux 5.4 on
    const struct storekeeper_cipher* found;
    const struct storekeeper_cipher* best = NULL;
    unsigned long best_priority = 0;
    int more;
    FILE* file = storekeeper_open_algs(root);
    *why = "refused:no_proc_crypto";
    if (file == NULL) return NULL;
    memset(&cbc, 0, sizeof(cbc));
    memset(&essiv, 0, sizeof(essiv));
    while ((more = storekeeper_next_alg(file, &alg)) > 0) {
        if (strcmp(alg.name, "essiv(cbc(aes),sha256)") == 0) storekeeper_consider(&essiv, &alg);
        if (strcmp(alg.name, "cbc(aes)") != 0) continue;
        storekeeper_consider(&cbc, &alg);
        found = storekeeper_find_cipher(alg.driver);
        if (found != NULL && (best == NULL || alg.priority > best_priority)) {
            best = found;
            best_priority = alg.priority;
        }
    }
    fclose(file);
    *why = "refused:bad_proc_crypto";
    if (more < 0) return NULL;
    if (essiv.who == STOREKEEPER_NOBODY) essiv = cbc;
    *why = "refused:no_engine";
    if (essiv.who == STOREKEEPER_NOBODY) return NULL;
    *why = "refused:cpu_already";
    if (essiv.who == STOREKEEPER_CPU) return NULL;
    *why = "refused:no_cpu_driver";
    return best != NULL ? best->cipher : NULL;
}

// 1 once a mapping failed with a driver's name: this vold tries no other.
static inline int* storekeeper_given_up(void) {
    static int given_up;
    return &given_up;
}

static inline const char* storekeeper_cipher_in(const char* root, const char* label,
                                                const char* cipher, int takes_capi,
                                                const char* release) {
    const char* why;
    const char* instead = NULL;
    if (!storekeeper_kernel_chosen(label)) return NULL;
    if (__atomic_load_n(storekeeper_given_up(), __ATOMIC_RELAXED)) return NULL;
    if (strcmp(cipher, STOREKEEPER_LEGACY_CIPHER) != 0) {
        why = "refused:other_cipher";
    } else if (!takes_capi) {
        why = "refused:old_dm_crypt";
    } else if (!storekeeper_kernel_before_5_10(release)) {
        why = "refused:new_kernel";
    } else {
        instead = storekeeper_pick_cipher(root, &why);
    }
    storekeeper_report_choice(label, instead != NULL ? instead : why);
    return instead;
}

static inline int storekeeper_takes_capi(void) {
    return storekeeper_dm_crypt_at_least(STOREKEEPER_CAPI_MINOR);
}

// The string to give to dm-crypt instead of `cipher` for the volume `label`, or NULL: as it is.
static inline const char* storekeeper_cipher(const char* label, const char* cipher) {
    struct utsname kernel;
    if (uname(&kernel) != 0) return NULL;
    return storekeeper_cipher_in("", label, cipher,
                                 storekeeper_kernel_chosen(label) && storekeeper_takes_capi(),
                                 kernel.release);
}

// A mapping with `instead` could not be made. 1: try again, storekeeper_cipher() keeps out of it
// from now on; 0: it had nothing to do with it.
static inline int storekeeper_give_up(const char* label, const char* instead) {
    if (instead == NULL) return 0;
    __atomic_store_n(storekeeper_given_up(), 1, __ATOMIC_RELAXED);
    storekeeper_report_choice(label, "refused:mapping_failed");
    return 1;
}
