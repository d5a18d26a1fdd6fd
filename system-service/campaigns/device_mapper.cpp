// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/device_mapper.h"

#include <linux/dm-ioctl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.h"
#include "crypto/early/mechanism.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr uint64_t kSector = 512;
// Alignment of a target's specification (drivers/md/dm-ioctl.c).
constexpr size_t kAlignment = 8;

// Size of a text with its terminator, padded to the alignment.
size_t Padded(size_t size) {
    return (size / kAlignment + 1) * kAlignment;
}

}  // namespace

MappedDevice::MappedDevice(MappedDevice&& other) noexcept
      : calls_(other.calls_),
        control_(std::move(other.control_)),
        name_(std::exchange(other.name_, "")),
        node_(std::move(other.node_)) {}

MappedDevice::~MappedDevice() {
    if (!name_.empty()) static_cast<void>(Remove());
}

Result<uint64_t> MappedDevice::Request(unsigned long request, std::string_view extra,
                                       uint32_t targets) {
    dm_ioctl header = {};
    if (name_.size() >= sizeof(header.name)) return Error() << name_ << " is too long";
    header.version[0] = DM_VERSION_MAJOR;
    header.data_size = static_cast<uint32_t>(sizeof(header) + extra.size());
    header.data_start = sizeof(header);
    header.target_count = targets;
    std::copy(name_.begin(), name_.end(), header.name);
    std::vector<char> buffer(header.data_size);
    memcpy(buffer.data(), &header, sizeof(header));
    std::copy(extra.begin(), extra.end(), buffer.begin() + sizeof(header));
    const Result<int> done =
            calls_->Ioctl(control_, request, buffer.data(),
                          "device mapper's request " + std::to_string(_IOC_NR(request)) + " for " +
                                  name_);
    memcpy(&header, buffer.data(), sizeof(header));
    if (!done.ok()) return android::base::unexpected(done.error());
    return header.dev;
}

Result<MappedDevice> MappedDevice::Create(Syscalls& calls, const Table& table) {
    MappedDevice device(calls, TRY(OpenDmControl(calls)), table.name);
    Result<uint64_t> number = device.Request(DM_DEV_CREATE);
    if (!number.ok()) {
        // An existing device of that name is not ours to remove.
        device.name_.clear();
        return android::base::unexpected(number.error());
    }
    // The minor number, as the kernel's huge_encode_dev() encodes it.
    const uint64_t minor = (*number & 0xff) | (*number >> 12 & 0xfff00);
    device.node_ = "/dev/dm-" + std::to_string(minor);
    TRY(device.Load(table));
    return device;
}

Result<void> MappedDevice::Load(const Table& table) {
    dm_target_spec target = {};
    target.length = table.bytes / kSector;
    const size_t parameters = Padded(table.parameters.size());
    target.next = static_cast<uint32_t>(sizeof(target) + parameters);
    if (table.target.size() >= sizeof(target.target_type)) return Error() << "target's name";
    std::copy(table.target.begin(), table.target.end(), target.target_type);
    std::string specification(target.next, 0);
    memcpy(specification.data(), &target, sizeof(target));
    std::copy(table.parameters.begin(), table.parameters.end(),
              specification.begin() + sizeof(target));
    TRY(Request(DM_TABLE_LOAD, specification, 1));
    TRY(Request(DM_DEV_SUSPEND));  // without DM_SUSPEND_FLAG: resume
    return {};
}

Result<void> MappedDevice::Send(const std::string& message) {
    // The text begins at the structure's last member, after a sector number of 0.
    std::string bytes(offsetof(dm_target_msg, message) + Padded(message.size()), 0);
    std::copy(message.begin(), message.end(), bytes.begin() + offsetof(dm_target_msg, message));
    TRY(Request(DM_TARGET_MSG, bytes));
    return {};
}

Result<void> MappedDevice::Remove() {
    TRY(Request(DM_DEV_REMOVE));
    name_.clear();
    return {};
}

}  // namespace storekeeper
