// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/qcrypto_driver.h"

#include <android-base/result.h>

#include <algorithm>

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kDevices[] = "/sys/bus/platform/devices";

// True for "qcrypto.0", "fd440000.qcrypto" and "fd440000.qcom,qcrypto".
bool IsEngine(const std::string& device) {
    return device.starts_with("qcrypto.") || device.ends_with(".qcrypto") ||
           device.ends_with(",qcrypto");
}

}  // namespace

std::vector<std::string> BoundEngineDevices(const FileReader& files) {
    std::vector<std::string> devices =
            files.List(kEngineDriverFolder).value_or(std::vector<std::string>());
    // The other entries of the folder are files without a dot.
    std::erase_if(devices,
                  [](const std::string& name) { return name.find('.') == std::string::npos; });
    return devices;
}

bool HasUnloadedEngine(const FileReader& files) {
    if (files.Exists(kEngineDriverFolder)) return false;
    const Result<std::vector<std::string>> devices = files.List(kDevices);
    return devices.ok() && std::any_of(devices->begin(), devices->end(), IsEngine);
}

}  // namespace storekeeper
