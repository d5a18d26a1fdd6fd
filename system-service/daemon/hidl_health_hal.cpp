// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The health HAL by HIDL. A HAL of version 2.1 also answers these calls of version 2.0.

#include <android/hardware/health/2.0/IHealth.h>

#include "base/try.h"
#include "daemon/health_hal.h"

namespace storekeeper {
namespace {

namespace health = android::hardware::health::V2_0;
using android::sp;
using android::base::Error;
using android::base::Result;
using android::hardware::hidl_vec;
using android::hardware::Return;

class HidlHealthHal : public DeviceHal {
  public:
    Result<std::vector<HalStorageInfo>> Storage() override {
        const sp<health::IHealth> hal = TRY(Connect());
        std::vector<HalStorageInfo> storages;
        health::Result result = health::Result::UNKNOWN;
        const Return<void> sent = hal->getStorageInfo(
                [&](health::Result said, const hidl_vec<health::StorageInfo>& answer) {
                    result = said;
                    storages = StoragesOf(answer);
                });
        TRY(Check(sent, result, "getStorageInfo"));
        return storages;
    }

    Result<std::vector<HalDiskStats>> Disks() override {
        const sp<health::IHealth> hal = TRY(Connect());
        std::vector<HalDiskStats> disks;
        health::Result result = health::Result::UNKNOWN;
        const Return<void> sent = hal->getDiskStats(
                [&](health::Result said, const hidl_vec<health::DiskStats>& answer) {
                    result = said;
                    disks = DisksOf(answer);
                });
        TRY(Check(sent, result, "getDiskStats"));
        return disks;
    }

    Result<HalBattery> Battery() override {
        const sp<health::IHealth> hal = TRY(Connect());
        HalBattery battery;
        health::Result result = health::Result::UNKNOWN;
        const Return<void> sent =
                hal->getHealthInfo([&](health::Result said, const health::HealthInfo& answer) {
                    result = said;
                    const auto& info = answer.legacy;
                    battery = {.present = info.batteryPresent,
                               .level = info.batteryLevel,
                               .charger_online = info.chargerAcOnline || info.chargerUsbOnline ||
                                                 info.chargerWirelessOnline,
                               .temperature = info.batteryTemperature};
                });
        TRY(Check(sent, result, "getHealthInfo"));
        return battery;
    }

  private:
    Result<sp<health::IHealth>> Connect() {
        // "backup" is healthd's instance, for devices without a vendor HAL.
        for (const char* instance : {"default", "backup"}) {
            // tryGetService() does not wait for a HAL that is not running.
            if (hal_ == nullptr) hal_ = health::IHealth::tryGetService(instance);
        }
        if (hal_ != nullptr) return hal_;
        return Error() << "this device has no health HAL, or it is not running";
    }

    // Checks each Return<>: an unchecked one ends the process if the HAL dies during the call.
    Result<void> Check(const Return<void>& sent, health::Result result, const char* what) {
        if (!sent.isOk()) {
            hal_ = nullptr;
            return Error() << "the health HAL fails at " << what << ": " << sent.description();
        }
        if (result == health::Result::NOT_SUPPORTED) {
            return Error() << what << " is not supported by the health HAL";
        }
        if (result != health::Result::SUCCESS) {
            return Error() << "the health HAL fails at " << what << ": result "
                           << static_cast<int32_t>(result);
        }
        return {};
    }

    // Kept while it answers: on products that do not enforce VINTF manifests libhidl sleeps for a
    // second in each look-up, longer than a caller of PatientHal waits. PatientHal makes one call
    // at a time.
    sp<health::IHealth> hal_;
};

}  // namespace

std::shared_ptr<DeviceHal> MakeHidlHealthHal() {
    return std::make_shared<HidlHealthHal>();
}

}  // namespace storekeeper
