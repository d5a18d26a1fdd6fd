// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ufs_sysfs.h"

#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <array>
#include <vector>

#include "base/tokens.h"
#include "base/try.h"
#include "health/chip_id.h"
#include "health/sysfs_items.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::StringPrintf;

constexpr char kSource[] = "ufs";

struct Spelling {
    const char* probe;  // is there only with this spelling
    const char* eol;
    const char* life_a;
    const char* life_b;
};

constexpr std::array kSpellings = {
        // Linux 4.17 and later.
        Spelling{"health_descriptor", "health_descriptor/eol_info",
                 "health_descriptor/life_time_estimation_a",
                 "health_descriptor/life_time_estimation_b"},
        // As proposed before, and shipped by some vendors.
        Spelling{"health/eol", "health/eol", "health/lifetimeA", "health/lifetimeB"},
};
constexpr char kHealthFile[] = "health";

// The host controller stands above its SCSI host, target and logical unit; a wrapping controller
// may be between.
constexpr int kMaxLevels = 6;

Result<std::string> FindHost(const FileReader& files, const std::string& disk) {
    std::string directory = "/sys/block/" + disk + "/device";
    for (int level = 0; level < kMaxLevels; ++level) {
        directory += "/..";
        if (files.Exists(directory + "/string_descriptors")) return directory;
        for (const Spelling& spelling : kSpellings) {
            if (files.Exists(directory + "/" + spelling.probe)) return directory;
        }
        // Of a vendor's kernel: a host's own directory has this name beside the file.
        if (files.Exists(directory + "/" + kHealthFile) && files.Exists(directory + "/host0")) {
            return directory;
        }
    }
    return Error() << disk << " is not a UFS: no health_descriptor above /sys/block/" << disk
                   << "/device";
}

// What the kernel prints where the chip has no such string.
constexpr char kNoString[] = "(null)";

Result<void> AsString(const std::string& text, HealthItem* item) {
    if (text == kNoString) item->value.reset();
    return {};
}

// wSpecVersion of the device descriptor (JESD220): 0x0310 is 3.1.
std::string VersionText(uint64_t version) {
    return StringPrintf("UFS %llx.%llx", static_cast<unsigned long long>(version >> 8),
                        static_cast<unsigned long long>(version >> 4 & 0xf));
}

// wManufactureDate: 0x0520 is May 2020.
std::string DateText(uint64_t date) {
    const unsigned month = date >> 8 & 0xff;
    const bool is_month = (month >= 0x01 && month <= 0x09) || (month >= 0x10 && month <= 0x12);
    if (date == 0) return "not set";
    if (date > 0xffff || !is_month) return "";
    return StringPrintf("%02x/20%02llx", month, static_cast<unsigned long long>(date & 0xff));
}

// dAvailableWriteBoosterBufferSize: steps of 10 %.
std::string AvailableText(uint64_t tenths) {
    if (tenths > 10) return "reserved value";
    return std::to_string(tenths * 10) + " % of the buffer is free";
}

std::string BufferLifeText(uint64_t life) {
    return life > 0xff ? "reserved value" : LifeTimeText(static_cast<uint8_t>(life));
}

std::string PercentText(uint64_t percent) {
    if (percent > 100) return "reserved value";
    return std::to_string(percent) + " % used by the vendor's count";
}

void AddIdentity(SysfsItems& items, StorageHealth* health) {
    const std::string strings = "string_descriptors/";
    for (const char* name : {"manufacturer_name", "product_name", "product_revision"}) {
        items.Add(strings + name, AsString);
    }
    items.Add("device_descriptor/specification_version", SysfsItems::AsNumber(VersionText));
    items.Add("device_descriptor/manufacturing_date", SysfsItems::AsNumber(DateText));
    const std::string serial = items.Read(strings + "serial_number").value_or("");
    health->chip = UfsChipId(items.Read(strings + "manufacturer_name").value_or(""),
                             items.Read(strings + "product_name").value_or(""),
                             serial == kNoString ? "" : serial);
}

void AddIfThere(const std::string& path, std::string (*explain)(uint64_t), SysfsItems* items) {
    if (items->Has(path)) items->Add(path, SysfsItems::AsNumber(explain), true);
}

void AddTextForm(const FileReader& files, const std::string& path, StorageHealth* health) {
    Result<std::string> text = files.ReadTable(path);
    Result<WearReading> wear = text.ok() ? ParseUfsHealthText(*text) : text.error();
    if (!wear.ok()) {
        std::string problem = (text.ok() ? path + ": " : "") + wear.error().message();
        health->items.push_back({.name = kHealthFile, .problem = problem, .source = kSource});
        return;
    }
    health->wear = *wear;
    health->items.push_back(ByteItem("bPreEOLInfo", wear->pre_eol_info, PreEolText, kSource));
    health->items.push_back(
            ByteItem("bDeviceLifeTimeEstA", wear->life_time_a, LifeTimeText, kSource));
    health->items.push_back(
            ByteItem("bDeviceLifeTimeEstB", wear->life_time_b, LifeTimeText, kSource));
}

void AddWear(SysfsItems& items, const FileReader& files, const std::string& host,
             StorageHealth* health) {
    WearReading* wear = &health->wear;
    const Spelling* known = nullptr;
    for (const Spelling& spelling : kSpellings) {
        if (known == nullptr && items.Has(spelling.probe)) known = &spelling;
    }
    if (known == nullptr && items.Has(kHealthFile)) {
        AddTextForm(files, host + "/" + kHealthFile, health);
        return;
    }
    if (known == nullptr) known = kSpellings.data();
    items.Add(known->eol, SysfsItems::AsByte(&wear->pre_eol_info, PreEolText));
    items.Add(known->life_a, SysfsItems::AsByte(&wear->life_time_a, LifeTimeText));
    items.Add(known->life_b, SysfsItems::AsByte(&wear->life_time_b, LifeTimeText));
    // A vendor's own, in percent: vold prefers it. It is no JEDEC figure.
    constexpr char kVendors[] = "health_descriptor/life_time_estimation_c";
    if (items.Has(kVendors)) items.Add(kVendors, SysfsItems::AsNumber(PercentText));
}

}  // namespace

Result<WearReading> ParseUfsHealthText(std::string_view text) {
    WearReading wear;
    bool found = false;
    for (const std::string& line : android::base::Split(std::string(text), "\n")) {
        const size_t equals = line.rfind('=');
        if (equals == std::string::npos) continue;
        const std::string left = line.substr(0, equals);
        const std::vector<std::string> words = Tokenize(left, " \t:");
        if (words.empty()) continue;
        std::optional<uint8_t>* target = words.back() == "bPreEOLInfo" ? &wear.pre_eol_info
                                         : words.back() == "bDeviceLifeTimeEstA" ? &wear.life_time_a
                                         : words.back() == "bDeviceLifeTimeEstB" ? &wear.life_time_b
                                                                                 : nullptr;
        if (target == nullptr) continue;
        Result<uint8_t> value = ParseHexByte(android::base::Trim(line.substr(equals + 1)));
        if (!value.ok()) return Error() << words.back() << ": " << value.error().message();
        if (target->has_value() && *target != *value) {
            return Error() << words.back() << " stands there twice, with different values";
        }
        *target = *value;
        found = true;
    }
    if (!found) return Error() << "no field of a UFS health descriptor in it";
    return wear;
}

bool IsUfsDisk(const FileReader& files, const std::string& disk) {
    return FindHost(files, disk).ok();
}

StorageHealth ReadUfsHealth(const FileReader& files, const std::string& disk) {
    StorageHealth health;
    Result<std::string> host = FindHost(files, disk);
    if (!host.ok()) {
        health.problem = host.error().message();
        return health;
    }
    health.kind = StorageHealth::Kind::kUfs;
    health.device = disk;
    health.sectors = ReadCount(files, "/sys/block/" + disk + "/size");
    SysfsItems items(files, *host, kSource, &health);
    AddIdentity(items, &health);
    AddWear(items, files, *host, &health);
    AddIfThere("attributes/wb_avail_buf", AvailableText, &items);
    AddIfThere("attributes/wb_life_time_est", BufferLifeText, &items);
    return health;
}

}  // namespace storekeeper
