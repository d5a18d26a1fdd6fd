// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// selinux_tool load POLICY           gives the kernel a policy, in one write as it demands
// selinux_tool label TYPE PATH...    labels files u:object_r:TYPE:s0

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static int Load(const char* path) {
    const int in = open(path, O_RDONLY);
    struct stat info;
    if (in < 0 || fstat(in, &info) != 0) return perror(path), 1;
    void* policy = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, in, 0);
    const int out = open("/sys/fs/selinux/load", O_RDWR);
    if (policy == MAP_FAILED || out < 0) return perror("/sys/fs/selinux/load"), 1;
    if (write(out, policy, (size_t)info.st_size) != info.st_size) return perror("load"), 1;
    return 0;
}

static int Label(const char* type, char** paths) {
    char context[256];
    const int length = snprintf(context, sizeof(context), "u:object_r:%s:s0", type);
    for (; *paths != NULL; ++paths) {
        if (setxattr(*paths, "security.selinux", context, (size_t)length + 1, 0) != 0) {
            return perror(*paths), 1;
        }
    }
    return 0;
}

int main(int argc, char** argv) {
    if (argc == 3 && strcmp(argv[1], "load") == 0) return Load(argv[2]);
    if (argc > 3 && strcmp(argv[1], "label") == 0) return Label(argv[2], argv + 3);
    fprintf(stderr, "usage: selinux_tool load POLICY | label TYPE PATH...\n");
    return 64;
}
