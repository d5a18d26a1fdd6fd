// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>

#include "rc_script.h"

namespace storekeeper::lab {

/** The number of a capability by its name in .rc files, without CAP_ ("SYS_ADMIN"). */
android::base::Result<int> LookUpCapability(const std::string& name);

/**
 * Leaves the calling process, still root and with SECBIT_KEEP_CAPS over its change of uid, exactly
 * `keep`: in the permitted, effective, inheritable, bounding and ambient sets. This is the order of
 * SetCapsForExec in system/core/init/capabilities.cpp. Safe between fork and exec: allocates
 * nothing. Returns 0 or the errno of the call that failed.
 */
int KeepCapabilitiesOverExec(const CapabilitySet& keep);

/** Empties the inheritable set of the calling process. Returns 0 or an errno. */
int DropInheritableCapabilities();

}  // namespace storekeeper::lab
