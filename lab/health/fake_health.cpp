// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// A health HAL that answers as its mode says: storekeeper_fake_health MODE.

#include <aidl/android/hardware/health/BnHealth.h>
#include <sysexits.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "serve.h"

namespace {

using aidl::android::hardware::health::BnHealth;
using aidl::android::hardware::health::DiskStats;
using aidl::android::hardware::health::HealthInfo;
using aidl::android::hardware::health::StorageInfo;
using ndk::ScopedAStatus;

constexpr char kUsage[] =
        "Usage: storekeeper_fake_health well|wrong|slow|dead|unsupported\n"
        "  well         30-40 % of type A and 50-60 % of type B used, pre-EOL warning; a battery\n"
        "               of 91 % and 28.7 C on a charger\n"
        "  wrong        lifetime -7, a negative count, a battery of -1 %\n"
        "  slow         as well, after 5 seconds\n"
        "  dead         takes calls and never answers\n"
        "  unsupported  as AOSP's default HAL\n";
constexpr unsigned kSlowSeconds = 5;

class FakeHealth : public BnHealth {
  public:
    explicit FakeHealth(std::string mode) : mode_(std::move(mode)) {}

    ScopedAStatus getStorageInfo(std::vector<StorageInfo>* out) override {
        if (mode_ == "unsupported") return Unsupported();
        Delay();
        StorageInfo info;
        info.eol = 2;
        info.lifetimeA = mode_ == "wrong" ? -7 : 4;
        info.lifetimeB = 6;
        info.version = "emmc 5.1";
        *out = {info};
        return ScopedAStatus::ok();
    }
    ScopedAStatus getDiskStats(std::vector<DiskStats>* out) override {
        if (mode_ == "unsupported") return Unsupported();
        Delay();
        DiskStats disk;
        disk.reads = mode_ == "wrong" ? -1 : 1;
        *out = {disk};
        return ScopedAStatus::ok();
    }
    ScopedAStatus getHealthInfo(HealthInfo* out) override {
        Delay();
        out->chargerUsbOnline = true;
        out->batteryPresent = true;
        out->batteryLevel = mode_ == "wrong" ? -1 : 91;
        out->batteryTemperatureTenthsCelsius = 287;
        return ScopedAStatus::ok();
    }

    ScopedAStatus registerCallback(const ndk::SpAIBinder&) override { return Unsupported(); }
    ScopedAStatus unregisterCallback(const ndk::SpAIBinder&) override { return Unsupported(); }
    ScopedAStatus update() override { return Unsupported(); }
    ScopedAStatus getChargeCounterUah(int32_t*) override { return Unsupported(); }
    ScopedAStatus getCurrentNowMicroamps(int32_t*) override { return Unsupported(); }
    ScopedAStatus getCurrentAverageMicroamps(int32_t*) override { return Unsupported(); }
    ScopedAStatus getCapacity(int32_t*) override { return Unsupported(); }
    ScopedAStatus getEnergyCounterNwh(int64_t*) override { return Unsupported(); }
    ScopedAStatus getChargeStatus(int32_t*) override { return Unsupported(); }

  private:
    static ScopedAStatus Unsupported() {
        return ScopedAStatus::fromExceptionCode(EX_UNSUPPORTED_OPERATION);
    }
    void Delay() {
        if (mode_ == "slow") sleep(kSlowSeconds);
        while (mode_ == "dead") pause();
    }

    const std::string mode_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc == 2 ? argv[1] : "";
    if (mode != "well" && mode != "wrong" && mode != "slow" && mode != "dead" &&
        mode != "unsupported") {
        fputs(kUsage, stderr);
        return EX_USAGE;
    }
    auto health = ndk::SharedRefBase::make<FakeHealth>(mode);
    const std::string instance = std::string(FakeHealth::descriptor) + "/default";
    return Serve(health->asBinder().get(), instance.c_str());
}
