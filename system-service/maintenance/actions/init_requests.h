// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

#include "base/file_reader.h"
#include "base/stop_signal.h"
#include "base/try.h"
#include "mounts/block_device.h"

// Writes to sysfs that only init may do. The daemon sets properties, storekeeperd_trim.rc turns
// them into writes, and sysfs, not the property, shows whether they were done.
namespace storekeeper {

struct InitProperties {
    std::function<std::string(const std::string& name)> get;
    std::function<bool(const std::string& name, const std::string& value)> set;
};

inline android::base::Result<void> SetRequest(const InitProperties& properties,
                                              const std::string& name, const std::string& value) {
    if (properties.set(name, value)) return {};
    return android::base::Error() << "cannot set property " << name
                                  << ": check the policy of storekeeperd";
}

// The link to the disk below /data. AOSP's init.rc makes it from Android 13 on,
// storekeeper_links.rc before.
inline constexpr char kRootDisk[] = "/dev/sys/block/by-name/rootdisk";

// An error unless `disk` is the disk below /data. `what` names init's operation on it: "set the
// queue of".
inline android::base::Result<void> CheckIsRootDisk(const FileReader& files, dev_t disk,
                                                   const std::string& what) {
    const std::string number = NumberText(disk);
    const std::string known = TRY(files.ReadAttribute(std::string(kRootDisk) + "/dev"));
    if (known == number) return {};
    return android::base::Error() << "init can " << what << " " << known << " only, this is "
                                  << number;
}

// Polls `read`, which returns a Result, until `is_done` accepts its value or a second has passed,
// and returns the last answer. init acts within milliseconds; a device that is busy booting may
// take longer. A stop request does not interrupt it, so that a stopped run leaves everything
// restored.
template <typename Read, typename IsDone>
auto ReadWhenDone(Pauser& pauser, const Read& read, const IsDone& is_done) {
    constexpr std::chrono::milliseconds kStep(2);
    constexpr std::chrono::seconds kLimit(1);
    const StopSignal never;
    auto now = read();
    for (auto waited = kStep; now.ok() && !is_done(*now) && waited <= kLimit; waited += kStep) {
        pauser.Pause(kStep, never);
        now = read();
    }
    return now;
}

}  // namespace storekeeper
