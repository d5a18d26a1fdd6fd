// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <vector>

#include "rc_script.h"

namespace storekeeper::lab {

/**
 * Applies one option line (`words[0]` is its keyword) to a service.
 * Returns a remark when the option has no meaning in this guest, else an empty string.
 */
android::base::Result<std::string> ApplyServiceOption(const std::vector<std::string>& words,
                                                      ServiceConfig* service);

}  // namespace storekeeper::lab
