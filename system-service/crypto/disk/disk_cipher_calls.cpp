// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/disk/disk_cipher_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "crypto/benchmark.h"
#include "crypto/dm_control.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// The last of 16, as many as kernels have that are not asked for another number, so that nobody
// else may want it. Android's name of the node, and everybody else's; the number is the same
// everywhere (Documentation/admin-guide/devices.txt).
constexpr const char* kDisks[] = {"/dev/block/ram15", "/dev/ram15"};
constexpr char kDiskNumber[] = "1:15";
// sepolicy/private/file_contexts names it.
constexpr char kMapping[] = "storekeeper-cipher";
constexpr size_t kSector = 512;
constexpr size_t kMaxRequest = 64 * 1024;
// A request begins at one of so many units, so that few IVs need a table of their own.
constexpr uint64_t kUnits = 256;
constexpr size_t kNumberBytes = 6;
// 2 s.
constexpr int kTries = 200;

// Alone, so that nobody has mounted or mapped it.
Result<unique_fd> OpenAlone(Syscalls& syscalls, const char* path) {
    return syscalls.Open(path, O_RDWR | O_EXCL);
}

Result<unique_fd> OpenDisk(Syscalls& syscalls) {
    for (const char* path : kDisks) {
        Result<unique_fd> disk = OpenAlone(syscalls, path);
        if (disk.ok()) {
            // dm-crypt then must have it as well.
            disk->reset();
            disk = syscalls.Open(path, O_RDWR | O_DIRECT);
        }
        if (disk.ok() || disk.error().code() != ENOENT) return disk;
    }
    return Error(ENOENT) << "no RAM disk ram15 to measure on: CONFIG_BLK_DEV_RAM is needed";
}

void XorIv(const CipherIv& iv, uint8_t* data) {
    for (size_t i = 0; i < iv.size(); ++i) data[i] ^= iv[i];
}

uint64_t UnitOf(const CipherIv& iv) {
    uint64_t unit = 0;
    for (size_t i = kNumberBytes; i > 0; --i) unit = unit << 8 | iv[i - 1];
    return unit;
}

// "-" for none, as dm-crypt has it.
void AppendKey(const SecretBytes* key, std::string* to) {
    constexpr char kDigits[] = "0123456789abcdef";
    if (key == nullptr || key->size() == 0) {
        *to += "-";
        return;
    }
    for (size_t i = 0; i < key->size(); ++i) {
        to->push_back(kDigits[key->data()[i] >> 4]);
        to->push_back(kDigits[key->data()[i] & 0xf]);
    }
}

Result<void> Whole(const Result<size_t>& done, size_t size, const char* what) {
    if (!done.ok()) return Error(done.error().code()) << what << ": " << done.error().message();
    if (*done != size) return Error(EIO) << what << ": " << *done << " of " << size << " bytes";
    return {};
}

}  // namespace

Result<std::unique_ptr<DiskCipherCalls>> DiskCipherCalls::Open(const Seams& seams,
                                                               const std::string& name,
                                                               size_t unit_bytes) {
    unique_fd disk = TRY(OpenDisk(seams.syscalls));
    return std::unique_ptr<DiskCipherCalls>(
            new DiskCipherCalls(seams, name == "xts(aes)", unit_bytes, std::move(disk)));
}

DiskCipherCalls::DiskCipherCalls(const Seams& seams, bool xts, size_t unit_bytes, unique_fd disk)
      : seams_(seams),
        xts_(xts),
        unit_bytes_(unit_bytes),
        disk_(std::move(disk)),
        pages_(AllocatePages(kMaxRequest)) {}

DiskCipherCalls::~DiskCipherCalls() {
    mapping_.reset();
    device_.reset();
    WaitUntilUnmapped();
    uint64_t range[] = {0, kUnits * unit_bytes_ + kMaxRequest};
    // Linux before 6.10 keeps it until the next boot.
    static_cast<void>(seams_.syscalls.Ioctl(disk_, BLKDISCARD, range, "discard of a RAM disk"));
}

// The kernel removes the mapping in a worker once it is closed, and wipes the key there.
void DiskCipherCalls::WaitUntilUnmapped() const {
    for (int i = 0; i < kTries; ++i) {
        const bool busy = std::any_of(std::begin(kDisks), std::end(kDisks), [&](const char* path) {
            const Result<unique_fd> disk = OpenAlone(seams_.syscalls, path);
            return !disk.ok() && disk.error().code() == EBUSY;
        });
        if (!busy) return;
        seams_.pause();
    }
}

Result<unique_fd> DiskCipherCalls::Add(Session session) {
    unique_fd fd = TRY(OpenDmControl(seams_.syscalls));
    if (mapped_ == fd.get()) mapped_ = -1;
    sessions_.insert_or_assign(fd.get(), std::move(session));
    return fd;
}

// Android's ueventd makes it a moment later.
Result<unique_fd> DiskCipherCalls::OpenNode(const MappedDevice& device) {
    for (int i = 0;; ++i) {
        for (const std::string& node : {device.android_node(), device.node()}) {
            Result<unique_fd> fd = seams_.syscalls.Open(node, O_RDWR | O_DIRECT);
            if (fd.ok() || fd.error().code() != ENOENT || i == kTries) return fd;
        }
        seams_.pause();
    }
}

Result<void> DiskCipherCalls::Map(int number) {
    mapped_ = -1;
    const Session& session = sessions_[number];
    MappedDevice::Table table{.name = kMapping,
                              .bytes = kUnits * unit_bytes_ + kMaxRequest,
                              .target = "crypt"};
    std::string& parameters = table.parameters;
    // What grows leaves copies behind.
    parameters.reserve(session.driver.size() + 2 * (session.key ? session.key->size() : 0) + 128);
    parameters += "capi:" + session.driver;
    // The null cipher has no IV.
    if (session.key != nullptr && session.key->size() != 0) {
        parameters += xts_ ? "-plain64" : "-null";
    }
    parameters += " ";
    AppendKey(session.key.get(), &parameters);
    parameters += " " + std::to_string(session.first_unit * (unit_bytes_ / kSector)) + " " +
                  kDiskNumber + " 0";
    if (unit_bytes_ != kSector) {
        parameters += " 2 sector_size:" + std::to_string(unit_bytes_) + " iv_large_sectors";
    }
    Result<void> done;
    if (device_.has_value()) {
        done = device_->Load(table);
    } else if (Result<MappedDevice> made = MappedDevice::Create(seams_.syscalls, table);
               made.ok()) {
        device_.emplace(std::move(*made));
    } else {
        done = Result<void>(made.error());
    }
    WipeBytes(parameters.data(), parameters.size());
    if (!done.ok()) {
        return Error(done.error().code())
               << "dm-crypt has no " << session.driver << ": " << done.error().message();
    }
    if (!mapping_.ok()) {
        mapping_ = TRY(OpenNode(*device_));
        TRY(device_->RemoveWhenClosed());
    }
    mapped_ = number;
    return {};
}

Result<unique_fd> DiskCipherCalls::Bind(const std::string& cipher) {
    unique_fd fd = TRY(Add({.driver = cipher}));
    // The only one that needs no key.
    if (cipher == kNullCipher) TRY(Map(fd.get()));
    return fd;
}

Result<unique_fd> DiskCipherCalls::SetKey(borrowed_fd bound, const uint8_t* key, size_t size) {
    unique_fd fd =
            TRY(Add({.driver = sessions_[bound.get()].driver,
                     .key = std::make_unique<SecretBytes>(std::vector<uint8_t>(key, key + size))}));
    TRY(Map(fd.get()));
    return fd;
}

Result<void> DiskCipherCalls::Crypt(borrowed_fd operation, bool encrypt, const CipherIv* iv,
                                    uint8_t* data, size_t size) {
    const size_t bytes = (size + unit_bytes_ - 1) / unit_bytes_ * unit_bytes_;
    if (size == 0 || bytes > kMaxRequest) return Error(EINVAL) << "a request of " << size;
    Session& session = sessions_[operation.get()];
    const uint64_t unit = xts_ && iv != nullptr ? UnitOf(*iv) : 0;
    const uint64_t first = unit / kUnits * kUnits;
    if (mapped_ != operation.get() || first != session.first_unit) {
        session.first_unit = first;
        TRY(Map(operation.get()));
    }
    uint8_t* buffer = pages_[0].data();
    std::copy_n(data, size, buffer);
    std::fill(buffer + size, buffer + bytes, 0);
    // With an IV of 0, which is the same.
    const bool chained = !xts_ && iv != nullptr;
    if (chained && encrypt) XorIv(*iv, buffer);
    const auto at = static_cast<off_t>((unit - first) * unit_bytes_);
    TRY(Whole(seams_.syscalls.Pwrite(encrypt ? mapping_ : disk_, buffer, bytes, at), bytes,
              "the cipher takes no data"));
    TRY(Whole(seams_.syscalls.Pread(encrypt ? disk_ : mapping_, buffer, bytes, at), bytes,
              "the cipher failed"));
    if (chained && !encrypt) XorIv(*iv, buffer);
    std::copy_n(buffer, size, data);
    return {};
}

}  // namespace storekeeper
