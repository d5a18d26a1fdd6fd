// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/written.h"

#include <sys/sysmacros.h>

#include <set>

#include "base/try.h"
#include "health/wear_sample.h"
#include "maintenance/trim/selection.h"
#include "mounts/block_device.h"
#include "mounts/members.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

Result<void> Add(const FileReader& files, const Mount& mount, WrittenReading* sum) {
    const std::string name = TRY(NameOf(files, mount.device));
    const uint64_t bytes = TRY(ReadLifetimeWrites(files, mount.type, name));
    const std::vector<dev_t> devices = MembersOf(files, mount).devices;
    if (const std::string why = WhyNotCounted(files, devices); !why.empty()) return Error() << why;
    sum->bytes += bytes;
    for (const dev_t device : devices) sum->size_bytes += BytesOf(files, device).value_or(0);
    return {};
}

}  // namespace

Result<WrittenReading> ReadWritten(const FileReader& files,
                                   const std::vector<std::string>& configured) {
    const MountTable table = ParseMountinfo(TRY(files.ReadTable(kMountinfoPath)));
    WrittenReading sum;
    const Mount* data = table.FindVisible("/data");
    std::set<dev_t> seen;
    std::string problem = "no file system that may be trimmed has a size";
    for (const std::string& path : ExpandConfigured(configured, table)) {
        const Mount* mount = table.FindVisible(path);
        if (mount == nullptr || mount->read_only || major(mount->device) == 0 ||
            !seen.insert(mount->device).second) {
            continue;
        }
        const Result<void> added = Add(files, *mount, &sum);
        if (added.ok()) continue;
        if (data != nullptr && data->device == mount->device) return added.error();
        problem = added.error().message();
    }
    if (sum.size_bytes == 0) return Error() << problem;
    return sum;
}

}  // namespace storekeeper
