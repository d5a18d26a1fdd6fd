// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/native_packages.h"

#include <aidl/android/content/pm/IPackageManagerNative.h>
#include <android/binder_manager.h>
#include <errno.h>

#include <memory>

namespace storekeeper {

using aidl::android::content::pm::IPackageManagerNative;
using android::base::Error;
using android::base::Result;

namespace {

constexpr char kService[] = "package_native";

}  // namespace

Result<std::vector<std::string>> NativePackages::NamesOf(const std::vector<uint32_t>& uids) {
    ndk::SpAIBinder binder(AServiceManager_checkService(kService));
    if (binder.get() == nullptr) return Error(ENODEV) << "the package service is not running";
    std::shared_ptr<IPackageManagerNative> packages = IPackageManagerNative::fromBinder(binder);
    if (packages == nullptr) {
        return Error() << "the service '" << kService << "' is not the package service";
    }
    std::vector<std::string> names;
    const ndk::ScopedAStatus status =
            packages->getNamesForUids(std::vector<int32_t>(uids.begin(), uids.end()), &names);
    if (!status.isOk()) {
        return Error() << "the package service fails at getNamesForUids: "
                       << status.getDescription();
    }
    return names;
}

}  // namespace storekeeper
