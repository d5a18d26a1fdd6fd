// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Takes the crypto engine of Qualcomm's vendor kernels away from dm-crypt before the first volume
// asks for AES, by unbinding its driver. Up to Linux 4.11 dm-crypt cannot be given the driver to
// use. Only where storekeeper.crypto.choice asks for it (StorekeeperCrypto.h), and only while no
// algorithm of the engine has a user: crypto_unregister_alg() of those kernels is a BUG otherwise.

#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "StorekeeperCrypto.h"

#define STOREKEEPER_QCRYPTO "/sys/bus/platform/drivers/qcrypto"

// Returns NULL if the engine may be unbound, else the reason against it.
static inline const char* storekeeper_may_unbind(const char* root) {
    struct storekeeper_alg alg;
    struct storekeeper_server cbc;
    int more;
    int cpu_has_aes = 0;
    const char* why = NULL;
    FILE* file = storekeeper_open_algs(root);
    if (file == NULL) return "refused:no_proc_crypto";
    memset(&cbc, 0, sizeof(cbc));
    while ((more = storekeeper_next_alg(file, &alg)) > 0) {
        if (strcmp(alg.name, "cbc(aes)") == 0) storekeeper_consider(&cbc, &alg);
        // The cbc template builds cbc(aes) from aes, and dm-crypt computes IVs with it.
        if (strcmp(alg.name, "aes") == 0 && !storekeeper_is_engine(alg.driver)) cpu_has_aes = 1;
        // 1 is the registration itself.
        if (strstr(alg.driver, "qcrypto-") != NULL && alg.refcnt != 1) {
            why = "refused:engine_in_use";
        }
        // Encryption in hardware (req-crypt, ICE) asks for these names, and cannot do without.
        if (strncmp(alg.name, "qcom-", 5) == 0 && alg.refcnt > 1) why = "refused:qcom_in_use";
    }
    fclose(file);
    if (more < 0) return "refused:bad_proc_crypto";
    if (cbc.who == STOREKEEPER_NOBODY) return "refused:no_engine";
    if (cbc.who == STOREKEEPER_CPU) return "refused:cpu_already";
    if (!cpu_has_aes) return "refused:no_cpu_aes";
    return why;
}

static inline int storekeeper_ends_with(const char* text, const char* end) {
    const size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

// Unbinds each device of the driver: "qcrypto.0" of a board file, "fd440000.qcrypto" of a device
// tree.
static inline const char* storekeeper_unbind_devices(const char* root) {
    char path[256];
    const struct dirent* entry;
    const char* outcome = "refused:no_device";
    int fd;
    DIR* folder;
    snprintf(path, sizeof(path), "%s" STOREKEEPER_QCRYPTO, root);
    folder = opendir(path);
    if (folder == NULL) return "refused:no_driver";
    snprintf(path, sizeof(path), "%s" STOREKEEPER_QCRYPTO "/unbind", root);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) outcome = "refused:no_unbind";
    while (fd >= 0 && (entry = readdir(folder)) != NULL) {
        const char* name = entry->d_name;
        const ssize_t length = (ssize_t)strlen(name);
        if (strncmp(name, "qcrypto.", 8) != 0 && !storekeeper_ends_with(name, ".qcrypto")) continue;
        if (write(fd, name, (size_t)length) != length) {
            outcome = "refused:unbind_failed";
            break;
        }
        outcome = "unbound";
    }
    if (fd >= 0) close(fd);
    closedir(folder);
    return outcome;
}

static inline void storekeeper_unbind_engine_in(const char* root, const char* label,
                                                const char* cipher) {
    const char* outcome;
    if (!storekeeper_kernel_chosen(label)) return;
    if (strcmp(cipher, "aes-xts") == 0) {
        outcome = "refused:hardware_key";
    } else if (strcmp(cipher, STOREKEEPER_LEGACY_CIPHER) != 0) {
        outcome = "refused:other_cipher";
    } else {
        outcome = storekeeper_may_unbind(root);
        if (outcome == NULL) outcome = storekeeper_unbind_devices(root);
    }
    storekeeper_report_choice(label, outcome);
}

// Call it before the device-mapper device of `label` exists; `cipher` is dm-crypt's string.
// Whatever happens, the caller goes on: the data can be read by either.
static inline void storekeeper_unbind_engine(const char* label, const char* cipher) {
    storekeeper_unbind_engine_in("", label, cipher);
}
