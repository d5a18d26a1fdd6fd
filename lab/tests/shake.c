// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Preloaded into the emulator: delays its vCPU thread randomly each time it leaves the guest's
// code, as a busy host may. Each delay writes one byte to the file in SHAKE_LOG.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef void (*Jump)(struct __jmp_buf_tag*, int) __attribute__((noreturn));

static int log_fd = -1;
static unsigned int seed;

__attribute__((constructor)) static void Begin(void) {
    const char* path = getenv("SHAKE_LOG");
    if (path) log_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    seed = (unsigned int)now.tv_nsec ^ (unsigned int)getpid();
}

static void Shake(void) {
    if (rand_r(&seed) % 50) return;
    usleep((useconds_t)(rand_r(&seed) % 200));
    if (log_fd >= 0 && write(log_fd, "x", 1) != 1) abort();
}

void siglongjmp(sigjmp_buf to, int value) {
    Shake();
    ((Jump)dlsym(RTLD_NEXT, "siglongjmp"))(to, value);
}

void __longjmp_chk(struct __jmp_buf_tag* to, int value) {
    Shake();
    ((Jump)dlsym(RTLD_NEXT, "__longjmp_chk"))(to, value);
}
