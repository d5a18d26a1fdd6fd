// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/syscalls.h"

namespace storekeeper {

// A mapped device of one target, made by the device mapper's control node (linux/dm-ioctl.h). The
// destructor removes it.
class MappedDevice {
  public:
    struct Table {
        std::string name;
        uint64_t bytes = 0;
        std::string target;
        std::string parameters;
    };
    static android::base::Result<MappedDevice> Create(Syscalls& calls, const Table& table);
    MappedDevice(MappedDevice&& other) noexcept;
    MappedDevice& operator=(MappedDevice&&) = delete;
    // A device that is in use is not removed.
    ~MappedDevice();

    // Path of the node that devtmpfs makes.
    const std::string& node() const { return node_; }
    // An error if the device is in use.
    android::base::Result<void> Remove();
    // Sends a message to the target.
    android::base::Result<void> Send(const std::string& message);

  private:
    MappedDevice(Syscalls& calls, android::base::unique_fd control, std::string name)
          : calls_(&calls), control_(std::move(control)), name_(std::move(name)) {}
    // `extra` follows the header. Returns the device number of the answer.
    android::base::Result<uint64_t> Request(unsigned long request, std::string_view extra = "",
                                            uint32_t targets = 0);
    android::base::Result<void> Load(const Table& table);

    Syscalls* calls_;
    android::base::unique_fd control_;
    std::string name_;  // "" if it is removed
    std::string node_;
};

}  // namespace storekeeper
