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

// What only init may write to sysfs: it is asked by properties, which storekeeperd.rc turns into
// writes, and sysfs is believed, not the property.
namespace storekeeper {

struct InitProperties {
    std::function<std::string(const std::string& name)> get;
    std::function<bool(const std::string& name, const std::string& value)> set;
    // Waits until the property has this value; false when it has not for 30 s.
    std::function<bool(const std::string& name, const std::string& value)> await =
            [](const std::string&, const std::string&) { return false; };
};

inline android::base::Result<void> SetRequest(const InitProperties& properties,
                                              const std::string& name, const std::string& value) {
    if (properties.set(name, value)) return {};
    return android::base::Error() << "cannot set property " << name
                                  << ": check the policy of storekeeperd";
}

// AOSP's init.rc makes this link to the disk below /data (Android 14 and later).
inline constexpr char kRootDisk[] = "/dev/sys/block/by-name/rootdisk";

// An error unless `disk` is that one. `what` is what init can do to it: "set the queue of".
inline android::base::Result<void> CheckIsRootDisk(const FileReader& files, dev_t disk,
                                                   const std::string& what) {
    const std::string number = NumberText(disk);
    const std::string known = TRY(files.ReadAttribute(std::string(kRootDisk) + "/dev"));
    if (known == number) return {};
    return android::base::Error() << "init can " << what << " " << known << " only, this is "
                                  << number;
}

// init acts within milliseconds; a device that is busy booting may take longer.
inline constexpr std::chrono::milliseconds kInitStep{2};
inline constexpr std::chrono::milliseconds kInitPatience{1000};

// What `read` answers once init has done what `is_done` asks of it, or at the end of the patience.
// Not to be interrupted: whoever stops a run must find everything put back.
template <typename Read, typename IsDone>
auto ReadWhenDone(Pauser& pauser, const Read& read, const IsDone& is_done) {
    const StopSignal never;
    auto now = read();
    for (auto waited = kInitStep; now.ok() && !is_done(*now) && waited <= kInitPatience;
         waited += kInitStep) {
        pauser.Pause(kInitStep, never);
        now = read();
    }
    return now;
}

}  // namespace storekeeper
