// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/storage_health.h"

#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <string_view>

#include "base/diskstats.h"
#include "health/mmc_sysfs.h"
#include "health/ufs_sysfs.h"
#include "mounts/chip_id.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::StartsWith;

constexpr char kHal[] = "health_hal";

StorageHealth ReadChip(const FileReader& files, const std::optional<std::string>& disk) {
    const std::string block = "/sys/block";
    Result<std::vector<std::string>> names = files.List(block);
    if (!names.ok()) return {.problem = names.error().message()};
    std::string emmc;
    std::string ufs;
    std::string problem = "neither eMMC nor UFS in /sys/block";
    for (const std::string& name : *names) {
        const std::string folder = block + "/" + name;
        const bool wanted =
                disk.has_value() && files.ReadAttribute(folder + "/dev").value_or("") == *disk;
        if (StartsWith(name, "mmcblk")) {
            const Result<void> mmc = CheckMmcDisk(files, name);
            if (mmc.ok() && wanted) return ReadMmcHealth(files, name);
            if (mmc.ok() && emmc.empty()) emmc = name;
            // A hardware partition has no device/type; it is not worth a problem text. An SD card
            // beside the disk of /data is no problem.
            if (!mmc.ok() && (wanted || !disk.has_value()) &&
                files.Exists(folder + "/device/type")) {
                problem = mmc.error().message();
            }
        } else if (StartsWith(name, "sd") && (wanted || ufs.empty())) {
            const Result<std::string> host = UfsHostOf(files, folder);
            if (host.ok() && wanted) return ReadUfsHealth(files, name);
            if (host.ok()) ufs = name;
            if (!host.ok() && wanted) problem = host.error().message();
        }
    }
    if (!emmc.empty()) return ReadMmcHealth(files, emmc);
    if (!ufs.empty()) return ReadUfsHealth(files, ufs);
    return {.problem = problem};
}

void AskHal(DeviceHal& hal, StorageHealth* health) {
    WearSource& source = health->hal.emplace();
    source.name = kHal;
    source.age = "as the health HAL answered when it was asked";
    Result<std::vector<HalStorageInfo>> answer = hal.Storage();
    Result<HalStorageInfo> storage =
            answer.ok() ? CheckedStorage(*answer) : Result<HalStorageInfo>(answer.error());
    if (!storage.ok()) {
        source.problem = storage.error().message();
        return;
    }
    WearReading& wear = source.wear;
    wear.pre_eol_info = static_cast<uint8_t>(storage->eol);
    wear.life_time_a = static_cast<uint8_t>(storage->lifetime_a);
    wear.life_time_b = static_cast<uint8_t>(storage->lifetime_b);
    std::vector<HealthItem>& items = health->items;
    items.push_back(ByteItem("StorageInfo.eol", wear.pre_eol_info, PreEolText, kHal));
    items.push_back(ByteItem("StorageInfo.lifetimeA", wear.life_time_a, LifeTimeText, kHal));
    items.push_back(ByteItem("StorageInfo.lifetimeB", wear.life_time_b, LifeTimeText, kHal));
    if (!storage->version.empty()) {
        items.push_back({.name = "StorageInfo.version", .value = storage->version, .source = kHal});
    }
}

}  // namespace

std::string KindName(StorageHealth::Kind kind) {
    constexpr const char* kNames[] = {"unknown", "emmc", "ufs"};
    return kNames[static_cast<size_t>(kind)];
}

ChipFacts ChipFactsOf(const StorageHealth& health) {
    const auto value = [&health](std::string_view name) -> std::optional<std::string> {
        for (const HealthItem& item : health.items) {
            if (item.name != name) continue;
            // A maker number that is known appears as its name.
            if (name == "manfid" && !item.explanation.empty()) return item.explanation;
            return item.value;
        }
        return {};
    };
    const bool ufs = health.kind == StorageHealth::Kind::kUfs;
    ChipFacts facts = {.maker = value(ufs ? "manufacturer_name" : "manfid"),
                       .model = value(ufs ? "product_name" : "name"),
                       .firmware = value(ufs ? "product_revision" : "fwrev")};
    if (health.sectors.has_value() && *health.sectors <= UINT64_MAX / kSectorBytes) {
        facts.capacity_bytes = *health.sectors * kSectorBytes;
    }
    return facts;
}

HealthItem ByteItem(const std::string& name, std::optional<uint8_t> value,
                    std::string (*explain)(uint8_t), const std::string& source) {
    HealthItem item{.name = name, .source = source};
    if (!value.has_value()) return item;
    item.value = android::base::StringPrintf("0x%02x", *value);
    item.explanation = explain(*value);
    return item;
}

StorageHealth ReadStorageHealth(const FileReader& files, const std::optional<std::string>& disk,
                                DeviceHal* hal) {
    StorageHealth health = ReadChip(files, disk);
    if (hal != nullptr) AskHal(*hal, &health);
    return health;
}

}  // namespace storekeeper
