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
// with the object. What a table's parameters were is overwritten, here and in the kernel's buffers:
// it may hold a key.
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

    // Where devtmpfs makes its node, and where Android's ueventd does, a moment later.
    const std::string& node() const { return node_; }
    std::string android_node() const;
    // Another table in place of the one it has; its name stays.
    android::base::Result<void> Load(const Table& table);
    // To the target.
    android::base::Result<void> Send(const std::string& message);
    // Fails while the device is in use.
    android::base::Result<void> Remove();
    // The kernel removes it when the last who has it open closes it, however that comes about.
    android::base::Result<void> RemoveWhenClosed();

  private:
    MappedDevice(Syscalls& calls, android::base::unique_fd control, std::string name)
          : calls_(&calls), control_(std::move(control)), name_(std::move(name)) {}
    // `extra` follows the header. The answer's device number.
    android::base::Result<uint64_t> Request(unsigned long request, std::string_view extra = "",
                                            uint32_t targets = 0, uint32_t flags = 0);

    Syscalls* calls_;
    android::base::unique_fd control_;
    std::string name_;  // "" when it is gone
    std::string node_;
};

}  // namespace storekeeper
