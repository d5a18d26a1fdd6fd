// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/wear_sample.h"

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr uint64_t kBytesPerKbyte = 1024;
// A pebibyte, which no phone's flash outlives. f2fs has shown negative counts as huge ones.
constexpr uint64_t kMaxKbytes = uint64_t{1} << 40;

}  // namespace

Result<uint64_t> ReadLifetimeWrites(const FileReader& files, const std::string& type,
                                    const std::string& device) {
    if (type != "ext4" && type != "f2fs") {
        return Error() << type << " on " << device << " does not count what it writes";
    }
    const std::string path = "/sys/fs/" + type + "/" + device + "/lifetime_write_kbytes";
    const uint64_t kbytes = TRY(ReadNumber(files, path));
    if (kbytes > kMaxKbytes) {
        return Error() << path << ": " << kbytes << " KiB are more than any flash can bear";
    }
    return kbytes * kBytesPerKbyte;
}

}  // namespace storekeeper
