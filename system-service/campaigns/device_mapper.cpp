// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/device_mapper.h"

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr char kControl[] = "/dev/mapper/control";
constexpr uint64_t kSector = 512;
// Of a target's specification (drivers/md/dm-ioctl.c).
constexpr size_t kAlignment = 8;

template <typename T>
std::string BytesOf(const T& structure) {
    return {reinterpret_cast<const char*>(&structure), sizeof(structure)};
}

// With its end, and filled up.
std::string Terminated(const std::string& text) {
    std::string bytes = text;
    bytes.resize((text.size() / kAlignment + 1) * kAlignment);
    return bytes;
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

Result<uint64_t> MappedDevice::Request(unsigned long request, const std::string& extra,
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
    TRY(calls_->Ioctl(control_, request, buffer.data(),
                      "device mapper's request " + std::to_string(_IOC_NR(request)) + " for " +
                              name_));
    memcpy(&header, buffer.data(), sizeof(header));
    return header.dev;
}

Result<MappedDevice> MappedDevice::Create(Syscalls& calls, const Table& table) {
    MappedDevice device(calls, TRY(calls.Open(kControl, O_RDWR)), table.name);
    Result<uint64_t> number = device.Request(DM_DEV_CREATE);
    if (!number.ok()) {
        // Another one of that name is not ours to remove.
        device.name_.clear();
        return android::base::unexpected(number.error());
    }
    // As huge_encode_dev() of the kernel has it.
    const uint64_t minor = (*number & 0xff) | (*number >> 12 & 0xfff00);
    device.node_ = "/dev/dm-" + std::to_string(minor);
    const std::string parameters = Terminated(table.parameters);
    dm_target_spec target = {};
    target.length = table.bytes / kSector;
    target.next = static_cast<uint32_t>(sizeof(target) + parameters.size());
    if (table.target.size() >= sizeof(target.target_type)) return Error() << "target's name";
    std::copy(table.target.begin(), table.target.end(), target.target_type);
    TRY(device.Request(DM_TABLE_LOAD, BytesOf(target) + parameters, 1));
    TRY(device.Request(DM_DEV_SUSPEND));  // without DM_SUSPEND_FLAG: resume
    return device;
}

Result<void> MappedDevice::Send(const std::string& message) {
    const dm_target_msg header = {};
    // The text begins where the structure's last member does.
    TRY(Request(DM_TARGET_MSG,
                BytesOf(header).substr(0, offsetof(dm_target_msg, message)) + Terminated(message)));
    return {};
}

Result<void> MappedDevice::Remove() {
    TRY(Request(DM_DEV_REMOVE));
    name_.clear();
    return {};
}

}  // namespace storekeeper
