// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/strings.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "crypto/disk_request.h"

using namespace storekeeper;

namespace {

using Properties = std::map<std::string, std::string>;

CryptoMeasured Drivers() {
    return {.name = "cbc(aes)", .key_bytes = 16, .hardware = "qcrypto-cbc-aes", .cpu = "cbc-aes"};
}

// Where nobody has set a property it is the next of `lines`.
android::base::Result<void> Read(const DiskRequest& request, const std::vector<std::string>& lines,
                                 Properties properties, CryptoMeasured* to) {
    size_t next = 0;
    return ReadDiskAnswer(
            request,
            [&](const std::string& name) {
                const auto [property, is_new] = properties.try_emplace(name, "");
                if (is_new && next < lines.size()) property->second = lines[next++];
                return property->second;
            },
            to);
}

}  // namespace

// The first line is a request, and each of the others what the next property says.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::vector<std::string> lines =
            android::base::Split(std::string(reinterpret_cast<const char*>(data), size), "\n");
    auto request = ParseDiskRequest(lines[0]);
    if (request.ok()) {
        const auto text = FormatDiskRequest(*request);
        if (!text.ok() || !ParseDiskRequest(*text).ok()) __builtin_trap();
    } else {
        request =
                DiskRequest{.number = "7", .name = "cbc(aes)", .key_bytes = 16, .unit_bytes = 512};
    }
    lines.erase(lines.begin());
    CryptoMeasured measured = Drivers();
    if (!Read(*request, lines, {{kDiskDoneProperty, request->number}}, &measured).ok()) {
        if (!measured.figures.empty()) __builtin_trap();
        return 0;
    }
    // What was read is published as it was.
    Properties published;
    const auto set = [&](const std::string& name, const std::string& value) {
        published[name] = value;
        return true;
    };
    CryptoMeasured again = Drivers();
    if (!PublishDiskAnswer(*request, measured, set).ok() ||
        !Read(*request, {}, published, &again).ok() ||
        again.figures.size() != measured.figures.size()) {
        __builtin_trap();
    }
    return 0;
}
