// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>

#include "base/file_reader.h"
#include "maintenance/inputs/maintenance_inputs.h"

namespace storekeeper {

// Whether vold holds a checkpoint open, by what anybody may see of it: an f2fs mounted with
// checkpoint=disable, or a dm-bow device that is not committed (AOSP: Checkpoint.cpp of vold).
// `committed` is the property vold.checkpoint_committed, which vold sets to 1 after a commit; it
// stays unset in a boot that needed none, so by itself it proves nothing.
android::base::Result<CheckpointReading> ReadCheckpoint(const FileReader& files,
                                                        const std::string& committed);

}  // namespace storekeeper
