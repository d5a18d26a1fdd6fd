// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// What the patched functions of vold's C files use of the rest of vold and of Android, for
// typecheck.py. Declarations only: nothing here can run.

#pragma once

#include <cutils/properties.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/dm-ioctl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// log/log.h
__attribute__((format(printf, 1, 2))) int stub_log(const char* format, ...);
#define SLOGE stub_log
#define SLOGI stub_log
void LOG_EVENT_LONG(int tag, unsigned long long value);

// cryptfs.h, cryptfs_hw.h, cryptfs.c
#define DM_CRYPT_BUF_SIZE 4096
struct crypt_mnt_ftr {
    unsigned long long fs_size;
    unsigned keysize;
    unsigned char crypto_type_name[64];
};
void ioctl_init(struct dm_ioctl* io, size_t size, const char* name, unsigned flags);
int is_hw_disk_encryption(const char* type);
int is_ice_enabled(void);
int load_crypto_mapping_table(struct crypt_mnt_ftr* footer, const unsigned char* key,
                              const char* device, const char* name, int fd, const char* params);

// fs_mgr.h, hardware_legacy/power.h, fstrim.c
struct fstab_rec {
    char* mount_point;
    char* fs_type;
    unsigned long flags;
};
struct fstab {
    int num_entries;
    struct fstab_rec* recs;
};
int fs_mgr_is_voldmanaged(struct fstab_rec* entry);
enum { PARTIAL_WAKE_LOCK = 1, LOG_FSTRIM_START, LOG_FSTRIM_FINISH };
int acquire_wake_lock(int lock, const char* id);
int release_wake_lock(const char* id);
#define FSTRIM_WAKELOCK "stub"
#define FIDTRIM FITRIM
unsigned long long get_boot_time_ms(void);
