// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/data_volume.h"

#include "base/try.h"
#include "mounts/block_device.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

Result<DataVolume> FindDataVolume(const FileReader& files) {
    const MountTable mounts = ParseMountinfo(TRY(files.ReadTable(kMountinfoPath)));
    const Mount* mount = mounts.At("/data");
    if (mount == nullptr) return Error() << "nothing is mounted on /data";
    return DataVolume{.mount = *mount, .disk = TRY(DiskOf(files, mount->device))};
}

}  // namespace storekeeper
