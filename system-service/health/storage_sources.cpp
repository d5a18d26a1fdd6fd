// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/storage_sources.h"

#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <utility>
#include <vector>

#include "base/device_hal.h"
#include "health/mmc_sysfs.h"
#include "health/ufs_sysfs.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::StringPrintf;

constexpr char kBlock[] = "/sys/block";
constexpr char kHal[] = "health_hal";

struct Found {
    std::string emmc;
    std::string ufs;
    std::string problem = "neither eMMC nor UFS in /sys/block";
};

void Look(const FileReader& files, const std::string& name, Found* found) {
    if (android::base::StartsWith(name, "mmcblk")) {
        Result<void> mmc = CheckMmcDisk(files, name);
        if (mmc.ok() && found->emmc.empty()) found->emmc = name;
        // "No memory card" is a hardware partition: nothing to remark.
        if (!mmc.ok() && files.Exists(std::string(kBlock) + "/" + name + "/device/type")) {
            found->problem = mmc.error().message();
        }
    } else if (android::base::StartsWith(name, "sd") && found->ufs.empty() &&
               IsUfsDisk(files, name)) {
        found->ufs = name;
    }
}

StorageHealth ReadChip(const FileReader& files, const std::optional<std::string>& disk) {
    Result<std::vector<std::string>> names = files.List(kBlock);
    if (!names.ok()) return {.problem = names.error().message()};
    Found first;
    for (const std::string& name : *names) {
        Found found;
        Look(files, name, &found);
        if (!disk.has_value() ||
            files.ReadAttribute(std::string(kBlock) + "/" + name + "/dev").value_or("") != *disk) {
            Look(files, name, &first);
            continue;
        }
        if (!found.emmc.empty()) return ReadMmcHealth(files, name);
        if (!found.ufs.empty()) return ReadUfsHealth(files, name);
    }
    if (!first.emmc.empty()) return ReadMmcHealth(files, first.emmc);
    if (!first.ufs.empty()) return ReadUfsHealth(files, first.ufs);
    return {.problem = first.problem};
}

void AddHalItem(const char* name, int32_t value, std::string (*explain)(uint8_t),
                StorageHealth* health) {
    health->items.push_back({.name = name,
                             .value = StringPrintf("0x%02x", static_cast<unsigned>(value)),
                             .explanation = explain(static_cast<uint8_t>(value)),
                             .source = kHal});
}

void AskHal(DeviceHal& hal, StorageHealth* health) {
    WearSource source{.name = kHal, .age = "as the health HAL answered when it was asked"};
    Result<std::vector<HalStorageInfo>> answer = hal.Storage();
    Result<HalStorageInfo> storage =
            answer.ok() ? CheckedStorage(*answer) : Result<HalStorageInfo>(answer.error());
    if (!storage.ok()) {
        source.problem = storage.error().message();
        health->hal = std::move(source);
        return;
    }
    source.wear = {.life_time_a = static_cast<uint8_t>(storage->lifetime_a),
                   .life_time_b = static_cast<uint8_t>(storage->lifetime_b),
                   .pre_eol_info = static_cast<uint8_t>(storage->eol)};
    AddHalItem("StorageInfo.eol", storage->eol, PreEolText, health);
    AddHalItem("StorageInfo.lifetimeA", storage->lifetime_a, LifeTimeText, health);
    AddHalItem("StorageInfo.lifetimeB", storage->lifetime_b, LifeTimeText, health);
    if (!storage->version.empty()) {
        health->items.push_back(
                {.name = "StorageInfo.version", .value = storage->version, .source = kHal});
    }
    health->hal = std::move(source);
}

}  // namespace

StorageHealth ReadStorageHealth(const FileReader& files, const std::optional<std::string>& disk,
                                DeviceHal* hal) {
    StorageHealth health = ReadChip(files, disk);
    if (hal != nullptr) AskHal(*hal, &health);
    return health;
}

}  // namespace storekeeper
