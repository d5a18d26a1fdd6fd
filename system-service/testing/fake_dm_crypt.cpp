// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/fake_dm_crypt.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/fs.h>

#include <algorithm>

#include "base/tokens.h"
#include "testing/fake_aes.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr char kControl[] = "/dev/device-mapper";
constexpr size_t kSector = 512;

}  // namespace

FakeDmCrypt::FakeDmCrypt(FakeCipherCalls& clock) : clock_(clock) {}

int FakeDmCrypt::Fate(const std::string& call) const {
    const auto error = errors.find(call);
    return error == errors.end() ? 0 : error->second;
}

Result<unique_fd> FakeDmCrypt::Open(const std::string& path, int flags) {
    const bool ours = path == kControl || path == kDisk || path == kNode;
    if (!ours) return LinuxSyscalls::Open(path, flags);
    int error = Fate(((flags & O_EXCL) != 0 ? "open alone " : "open ") + path);
    if (path == kNode && node_is_late > 0) {
        --node_is_late;
        error = ENOENT;
    }
    if ((flags & O_EXCL) != 0 && removed_ && removal_is_late > 0) {
        --removal_is_late;
        error = EBUSY;
    }
    if (error != 0) return Error(error) << path;
    unique_fd fd(open("/dev/null", O_RDWR | O_CLOEXEC));
    open_[fd.get()] = path;
    return fd;
}

int FakeDmCrypt::Load(const std::string& parameters) {
    table = parameters;
    const std::vector<std::string> words = Tokenize(parameters, " ");
    const std::string cipher = words[0].substr(words[0].find(':') + 1);
    // Of a driver's name the last dash begins the IV; the null cipher's has none.
    const size_t dash = cipher.ends_with("-null") || cipher.ends_with("-plain64")
                                ? cipher.rfind('-')
                                : std::string::npos;
    std::string without_key = words[0];
    for (size_t i = 2; i < words.size(); ++i) without_key += " " + words[i];
    said.push_back(without_key);
    const auto driver = drivers.find(cipher.substr(0, dash));
    if (driver == drivers.end()) return ENOENT;
    loaded_ = {.driver = driver->second, .with_iv = cipher.ends_with("-plain64")};
    if (words[1] != "-") {
        for (size_t i = 0; i < words[1].size(); i += 2) {
            loaded_.key.push_back(
                    static_cast<uint8_t>(*HexDigit(words[1][i]) << 4 | *HexDigit(words[1][i + 1])));
        }
    }
    if (words.size() > 5) loaded_.unit_bytes = 4096;
    loaded_.first_unit = std::stoull(words[2]) / (loaded_.unit_bytes / kSector);
    return 0;
}

Result<int> FakeDmCrypt::Ioctl(borrowed_fd, unsigned long request, void* argument,
                               const std::string& what) {
    if (request == BLKDISCARD) {
        const auto range = static_cast<uint64_t*>(argument);
        said.push_back("discard " + std::to_string(range[0]) + " " + std::to_string(range[1]));
        return 0;
    }
    const auto header = static_cast<dm_ioctl*>(argument);
    const char* name = request == DM_DEV_CREATE    ? "create"
                       : request == DM_TABLE_LOAD  ? "load"
                       : request == DM_DEV_SUSPEND ? "resume"
                                                   : "remove";
    int error = Fate(name);
    if (error == 0 && request == DM_TABLE_LOAD) {
        error = Load(static_cast<char*>(argument) + header->data_start + sizeof(dm_target_spec));
    } else {
        const bool later = (header->flags & DM_DEFERRED_REMOVE) != 0;
        said.push_back(std::string(later ? "later " : "") + name + " " + header->name);
        removed_ = request == DM_DEV_REMOVE && !later;
    }
    if (error != 0) return Error(error) << what;
    if (request == DM_DEV_SUSPEND) live_ = loaded_;
    if (request == DM_DEV_CREATE) header->dev = 254ULL << 8 | 5;
    return 0;
}

void FakeDmCrypt::Crypt(bool encrypt, uint8_t* data, size_t size, off_t offset) {
    const size_t unit_bytes = live_.unit_bytes;
    for (size_t at = 0; at < size; at += unit_bytes) {
        clock_.Pass(live_.driver.per_unit);
        if (live_.driver.name.empty()) continue;
        CipherIv iv{};
        uint64_t unit = live_.first_unit + (static_cast<size_t>(offset) + at) / unit_bytes;
        for (size_t i = 0; live_.with_iv && i < sizeof(unit); ++i, unit >>= 8) {
            iv[i] = static_cast<uint8_t>(unit);
        }
        // The first units alone, for time.
        if (at < 2 * unit_bytes) {
            (live_.driver.name == "xts(aes)" ? FakeXts : FakeCbc)(live_.key, encrypt, iv, data + at,
                                                                  unit_bytes);
        }
        if (encrypt ? live_.driver.wrong_writing : live_.driver.wrong_reading) data[at] ^= 1;
    }
}

Result<size_t> FakeDmCrypt::Pread(borrowed_fd fd, void* buffer, size_t size, off_t offset) {
    const bool mapped = open_[fd.get()] == kNode;
    const int error = Fate(mapped ? "read mapping" : "read disk");
    if (error != 0) return Error(error) << "pread";
    if (mapped && short_reads) return size / 2;
    const auto data = static_cast<uint8_t*>(buffer);
    std::copy_n(disk_.begin() + offset, size, data);
    if (mapped) Crypt(false, data, size, offset);
    return size;
}

Result<size_t> FakeDmCrypt::Pwrite(borrowed_fd fd, const void* buffer, size_t size, off_t offset) {
    const bool mapped = open_[fd.get()] == kNode;
    const int error = Fate(mapped ? "write mapping" : "write disk");
    if (error != 0) return Error(error) << "pwrite";
    std::copy_n(static_cast<const uint8_t*>(buffer), size, disk_.begin() + offset);
    if (mapped) Crypt(true, &disk_[static_cast<size_t>(offset)], size, offset);
    clock_.Pass(std::chrono::microseconds(5));
    return size;
}

}  // namespace storekeeper
