// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The start of a dynamic program on bionic, after bionic/libc/arch-common/bionic/crtbegin.c: the
// output of a build has no crtbegin_dynamic.o. The linker has run the constructors by now, and
// clang registers destructors by __cxa_atexit(), so all arrays are absent.

typedef void Function(void);
typedef int Main(int, char**, char**);
typedef struct {
    Function** preinit;
    Function** init;
    Function** fini;
} Arrays;

extern Main main;
extern void __libc_init(void* arguments, void* unused, Main* main, const Arrays* arrays)
        __attribute__((noreturn));
extern int __cxa_atexit(void (*)(void*), void*, void*);

__attribute__((visibility("hidden"))) void* __dso_handle = &__dso_handle;

__attribute__((visibility("hidden"))) int atexit(Function* function) {
    return __cxa_atexit((void (*)(void*))function, 0, &__dso_handle);
}

__attribute__((used)) static void Start(void* arguments) {
    static const Arrays kNone = {0, 0, 0};
    __libc_init(arguments, 0, &main, &kNone);
}

__asm__(".globl _start\n_start:\n xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call Start\n");
