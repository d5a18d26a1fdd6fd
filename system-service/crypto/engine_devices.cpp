// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/engine_devices.h"

#include <android-base/result.h>

#include <algorithm>

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kDevices[] = "/sys/bus/platform/devices";

// "qcrypto.0", "fd440000.qcrypto", "fd440000.qcom,qcrypto".
bool IsEngine(const std::string& device) {
    return device.starts_with("qcrypto.") || device.ends_with(".qcrypto") ||
           device.ends_with(",qcrypto");
}

}  // namespace

std::vector<std::string> BoundEngineDevices(const FileReader& files) {
    std::vector<std::string> devices =
            files.List(kEngineDriverFolder).value_or(std::vector<std::string>());
    // Everything else in there is a file without a dot.
    std::erase_if(devices,
                  [](const std::string& name) { return name.find('.') == std::string::npos; });
    return devices;
}

bool EngineWaits(const FileReader& files) {
    if (files.Exists(kEngineDriverFolder)) return false;
    const Result<std::vector<std::string>> devices = files.List(kDevices);
    return devices.ok() && std::any_of(devices->begin(), devices->end(), IsEngine);
}

}  // namespace storekeeper
