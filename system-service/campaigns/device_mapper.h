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

// A device of one target, by the device mapper's control node (linux/dm-ioctl.h), which is removed
// with the object.
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
    // A device that is in use stays.
    ~MappedDevice();

    // Path of the node that devtmpfs makes.
    const std::string& node() const { return node_; }
    // Fails while the device is in use.
    android::base::Result<void> Remove();
    // To the target.
    android::base::Result<void> Send(const std::string& message);

  private:
    MappedDevice(Syscalls& calls, android::base::unique_fd control, std::string name)
          : calls_(&calls), control_(std::move(control)), name_(std::move(name)) {}
    // `extra` follows the header. The answer's device number.
    android::base::Result<uint64_t> Request(unsigned long request, std::string_view extra = "",
                                            uint32_t targets = 0);
    android::base::Result<void> Load(const Table& table);

    Syscalls* calls_;
    android::base::unique_fd control_;
    std::string name_;  // "" when it is gone
    std::string node_;
};

}  // namespace storekeeper
