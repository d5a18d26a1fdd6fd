// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Preloaded into mmc-utils: each opened file acts as a card whose EXT_CSD is the content, 512
// bytes, of the file in EXTCSD. Only reading that register works.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/major.h>
#include <linux/mmc/ioctl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SIZE 512
// CMD8, SEND_EXT_CSD: JESD84-B51 table "Basic commands".
#define SEND_EXT_CSD 8

static int Refuse(int error) {
    errno = error;
    return -1;
}

int open(const char* path, int flags, ...) {
    (void)path;
    (void)flags;
    const char* file = getenv("EXTCSD");
    return file ? openat(AT_FDCWD, file, O_RDONLY | O_CLOEXEC) : Refuse(ENOENT);
}

int open64(const char* path, int flags, ...) {
    return open(path, flags);
}

int ioctl(int fd, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    struct mmc_ioc_cmd* command = va_arg(arguments, struct mmc_ioc_cmd*);
    va_end(arguments);
    if (request != MMC_IOC_CMD) return Refuse(ENOTTY);
    if (command->opcode != SEND_EXT_CSD || command->write_flag) return Refuse(EPERM);
    if (command->blksz * command->blocks != SIZE) return Refuse(EINVAL);
    return pread(fd, (void*)(uintptr_t)command->data_ptr, SIZE, 0) == SIZE ? 0 : Refuse(EIO);
}
