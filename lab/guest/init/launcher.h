// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>
#include <sys/types.h>

#include <string>
#include <vector>

#include "rc_script.h"

namespace storekeeper::lab {

struct LaunchedProcess {
    pid_t pid = 0;
    /** Its standard output and error. */
    android::base::unique_fd output;
};

/**
 * Starts a service's program in a session of its own with its user, groups, capabilities and
 * priorities, in the order of SetProcessAttributesAndCaps in system/core/init/service.cpp: with
 * `capabilities` it has exactly those, without and not root it has none.
 * Names the cause when a name is unknown, a call is refused or the program cannot be executed.
 */
android::base::Result<LaunchedProcess> LaunchService(const ServiceConfig& service);

/** Looks up a user or a group of /etc/passwd and /etc/group, or reads a number. */
android::base::Result<uid_t> DecodeUser(const std::string& name);
android::base::Result<gid_t> DecodeGroup(const std::string& name);

}  // namespace storekeeper::lab
