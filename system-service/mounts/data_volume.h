// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include "base/file_reader.h"
#include "mounts/mountinfo.h"

namespace storekeeper {

// Where the user's data lies: what is mounted on /data, and the whole disk that it is on in the
// end.
struct DataVolume {
    Mount mount;
    dev_t disk = 0;
};

// An error says what is not there: the mount table, /data, or one disk below it.
android::base::Result<DataVolume> FindDataVolume(const FileReader& files);

}  // namespace storekeeper
