// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/fake_crypto_kernel.h"

#include <android-base/strings.h>
#include <errno.h>
#include <fcntl.h>

#include <algorithm>

#include "crypto/inventory.h"
#include "crypto/qcrypto_driver.h"

namespace storekeeper {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

FakeCryptoKernel::FakeCryptoKernel(Tree& tree) : tree_(tree) {
    tree_.MakeDirectory("/sys/bus/platform/devices");
    Publish();
}

void FakeCryptoKernel::Register(const Algorithm& algorithm) {
    algorithms_.insert(algorithms_.begin(), algorithm);
    Publish();
}

void FakeCryptoKernel::SetUsers(const std::string& driver, uint32_t refcount) {
    for (Algorithm& algorithm : algorithms_) {
        if (algorithm.driver == driver) algorithm.refcount = refcount;
    }
    Publish();
}

void FakeCryptoKernel::AddDevice(const std::string& device) {
    devices_.insert(device);
    tree_.MakeDirectory("/sys/bus/platform/devices/" + device);
}

void FakeCryptoKernel::LoadDriver() {
    driver_ = true;
    bound_ = devices_;
    Publish();
}

bool FakeCryptoKernel::LoadDriverAgain() {
    for (const std::string& device : devices_) {
        if (Bind(device) != 0) return false;
    }
    Publish();
    return true;
}

void FakeCryptoKernel::AddSoftwareLimit(uint32_t bytes, bool writable) {
    limit_writable_ = writable;
    tree_.Write(kSoftwareLimitPath, std::to_string(bytes) + "\n");
}

std::string FakeCryptoKernel::proc_crypto() const {
    std::string text;
    for (const Algorithm& a : algorithms_) {
        text += "name         : " + a.name + "\ndriver       : " + a.driver +
                "\nmodule       : kernel\npriority     : " + std::to_string(a.priority) +
                "\nrefcnt       : " + std::to_string(a.refcount) +
                "\nselftest     : passed\ntype         : " + a.type + "\n\n";
    }
    return text;
}

void FakeCryptoKernel::Publish() {
    tree_.Write("/proc/crypto", proc_crypto());
    if (!driver_) return;
    tree_.Remove(kEngineDriverFolder);
    for (const char* attribute : {"bind", "uevent", "unbind"}) {
        tree_.Write(std::string(kEngineDriverFolder) + "/" + attribute, "");
    }
    for (const std::string& device : bound_) {
        tree_.MakeDirectory(std::string(kEngineDriverFolder) + "/" + device);
    }
}

int FakeCryptoKernel::Unbind(const std::string& device) {
    if (bound_.erase(device) == 0) return ENODEV;
    if (!bound_.empty() || keeps_algorithms) return 0;
    // In _qcrypto_remove() of drivers/crypto/msm/qcrypto.c, the last device takes the algorithms
    // along.
    for (const Algorithm& algorithm : algorithms_) {
        if (!IsHardware(EngineOf(algorithm.driver))) continue;
        bug_ = bug_ || algorithm.refcount != 1;
        taken_away_.push_back(algorithm);
    }
    std::erase_if(algorithms_, [](const Algorithm& a) { return IsHardware(EngineOf(a.driver)); });
    return 0;
}

int FakeCryptoKernel::Bind(const std::string& device) {
    if (devices_.count(device) == 0) return ENODEV;
    bound_.insert(device);
    algorithms_.insert(algorithms_.begin(), taken_away_.begin(), taken_away_.end());
    taken_away_.clear();
    return 0;
}

Result<void> FakeCryptoKernel::Set(const std::string& driver, uint32_t priority) {
    const auto error = errors.find("priority " + driver);
    if (error != errors.end()) return Error(error->second) << "cannot set a priority";
    const auto found = std::find_if(algorithms_.begin(), algorithms_.end(),
                                    [&](const Algorithm& a) { return a.driver == driver; });
    if (found == algorithms_.end()) return Error(ENOENT) << "no driver " << driver;
    calls_.push_back("priority " + driver + "=" + std::to_string(priority));
    if (ignores_priorities) return {};
    found->priority = static_cast<int>(priority);
    // crypto_remove_spawns() removes the instances that use the driver.
    std::erase_if(algorithms_, [&](const Algorithm& a) {
        return a.driver.find("(" + driver) != std::string::npos;
    });
    Publish();
    return {};
}

Result<unique_fd> FakeCryptoKernel::Open(const std::string& path, int flags) {
    const bool ours = path.starts_with(kEngineDriverFolder) || path == kSoftwareLimitPath;
    if (!ours || !tree_.files().Exists(path)) return FakeSyscalls::Open(path, flags);
    const auto error = errors.find("open " + path);
    if (error != errors.end()) return Error(error->second) << "cannot open " << path;
    unique_fd fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    attributes_[fd.get()] = path;
    return fd;
}

Result<size_t> FakeCryptoKernel::Pwrite(borrowed_fd fd, const void* buffer, size_t size,
                                        off_t offset) {
    const auto attribute = attributes_.find(fd.get());
    if (attribute == attributes_.end()) return FakeSyscalls::Pwrite(fd, buffer, size, offset);
    const std::string text(static_cast<const char*>(buffer), size);
    const std::string path = attribute->second;
    attributes_.erase(attribute);
    if (path == kSoftwareLimitPath) {
        calls_.push_back("limit " + text);
        if (limit_writable_) tree_.Write(path, text + "\n");
        return size;
    }
    const std::string call = path.substr(path.rfind('/') + 1) + " " + text;
    int error = errors.count(call) == 0 ? 0 : errors.at(call);
    if (error == 0) error = call.starts_with("unbind ") ? Unbind(text) : Bind(text);
    if (error != 0) return Error(error) << "cannot write";
    calls_.push_back(call);
    Publish();
    return size;
}

}  // namespace storekeeper
