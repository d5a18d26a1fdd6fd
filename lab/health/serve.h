// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android/binder_ibinder.h>
#include <android/binder_manager.h>
#include <android/binder_process.h>
#include <stdio.h>
#include <sysexits.h>

// Registers a service of the virtual phone, prints "ready" and serves it until it is killed.
// Returns an exit code: EX_UNAVAILABLE, with a line on stderr, when servicemanager refuses the
// name.
inline int Serve(AIBinder* service, const char* name) {
    ABinderProcess_setThreadPoolMaxThreadCount(1);
    if (AServiceManager_addService(service, name) != EX_NONE) {
        fprintf(stderr, "servicemanager refuses %s\n", name);
        return EX_UNAVAILABLE;
    }
    // The program that started this one waits for the line.
    puts("ready");
    fflush(stdout);
    ABinderProcess_startThreadPool();
    ABinderProcess_joinThreadPool();
    return EX_SOFTWARE;
}
