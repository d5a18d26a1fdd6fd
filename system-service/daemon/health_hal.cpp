// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/health_hal.h"

#include <aidl/android/hardware/health/IHealth.h>
#include <android/binder_manager.h>

#include <memory>
#include <string>

#include "base/try.h"

namespace storekeeper {
namespace {

using aidl::android::hardware::health::HealthInfo;
using aidl::android::hardware::health::IHealth;
using aidl::android::hardware::health::StorageInfo;
using android::base::Error;
using android::base::Result;

std::string Instance() {
    return std::string(IHealth::descriptor) + "/default";
}

Result<std::shared_ptr<IHealth>> Connect() {
    const std::string instance = Instance();
    ndk::SpAIBinder binder(AServiceManager_checkService(instance.c_str()));
    if (binder.get() == nullptr) {
        return Error() << (AServiceManager_isDeclared(instance.c_str())
                                   ? "the health HAL is declared and not running"
                                   : "this device has no AIDL health HAL");
    }
    std::shared_ptr<IHealth> health = IHealth::fromBinder(binder);
    if (health == nullptr) return Error() << instance << " is not a health HAL";
    return health;
}

Result<void> Check(const ndk::ScopedAStatus& status, const char* what) {
    if (status.isOk()) return {};
    if (status.getExceptionCode() == EX_UNSUPPORTED_OPERATION) {
        return Error() << what << " is not supported by the health HAL";
    }
    return Error() << "the health HAL fails at " << what << ": " << status.getDescription();
}

class AidlHealthHal : public DeviceHal {
  public:
    Result<std::vector<HalStorageInfo>> Storage() override {
        std::shared_ptr<IHealth> health = TRY(Connect());
        std::vector<StorageInfo> answer;
        TRY(Check(health->getStorageInfo(&answer), "getStorageInfo"));
        return StoragesOf(answer);
    }

    Result<std::vector<HalDiskStats>> Disks() override {
        std::shared_ptr<IHealth> health = TRY(Connect());
        std::vector<aidl::android::hardware::health::DiskStats> answer;
        TRY(Check(health->getDiskStats(&answer), "getDiskStats"));
        return DisksOf(answer);
    }

    Result<HalBattery> Battery() override {
        std::shared_ptr<IHealth> health = TRY(Connect());
        HealthInfo info;
        TRY(Check(health->getHealthInfo(&info), "getHealthInfo"));
        return HalBattery{.present = info.batteryPresent,
                          .level = info.batteryLevel,
                          .charger_online = info.chargerAcOnline || info.chargerUsbOnline ||
                                            info.chargerWirelessOnline || info.chargerDockOnline,
                          .temperature = info.batteryTemperatureTenthsCelsius};
    }
};

}  // namespace

std::shared_ptr<DeviceHal> MakeHealthHal() {
// The virtual phone has no HIDL.
#ifdef __ANDROID__
    if (!AServiceManager_isDeclared(Instance().c_str())) return MakeHidlHealthHal();
#endif
    return std::make_shared<AidlHealthHal>();
}

}  // namespace storekeeper
