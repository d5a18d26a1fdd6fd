// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "crypto/recommendation.h"

namespace storekeeper {

// What storekeeperd asks of storekeeper_crypto_measure, which may use the device mapper: the same
// with dm-crypt in place of AF_ALG. Both go by properties; no driver and no key is named in a
// request.
struct DiskRequest {
    std::string number;  // of this one; digits
    std::string name;    // "cbc(aes)" or "xts(aes)"
    size_t key_bytes = 0;
    size_t unit_bytes = 0;  // of the disk's encryption: 512 or 4096
};
inline constexpr char kDiskRequestProperty[] = "storekeeper.measure.cipher";
// The number of the request that the other answers belong to; set last.
inline constexpr char kDiskDoneProperty[] = "storekeeper.disk.done";

// An error names what dm-crypt cannot measure.
android::base::Result<std::string> FormatDiskRequest(const DiskRequest& request);
android::base::Result<DiskRequest> ParseDiskRequest(std::string_view text);

// Figures at the request's unit with one thread.
android::base::Result<void> PublishDiskAnswer(
        const DiskRequest& request, const CryptoMeasured& measured,
        const std::function<bool(const std::string& name, const std::string& value)>& set);
// Into `to`, whose drivers the answer must be of.
android::base::Result<void> ReadDiskAnswer(
        const DiskRequest& request,
        const std::function<std::string(const std::string& name)>& property, CryptoMeasured* to);

}  // namespace storekeeper
