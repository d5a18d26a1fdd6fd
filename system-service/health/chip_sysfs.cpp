// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/chip_sysfs.h"

#include <android-base/file.h>
#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/tokens.h"
#include "base/try.h"
#include "health/ext_csd.h"
#include "mounts/chip_id.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::StringPrintf;

// Kernels print these numbers with and without "0x", always in hexadecimal.
Result<uint64_t> ParseHexNumber(const std::string& text) {
    bool prefixed = android::base::StartsWithIgnoreCase(text, "0x");
    uint64_t number = 0;
    // ParseUint takes a leading minus for wrapped, and a prefix may stand only once.
    if (text.empty() || std::isxdigit(static_cast<unsigned char>(text.back())) == 0 ||
        !android::base::ParseUint(prefixed ? text : "0x" + text, &number)) {
        return Error() << "'" << text << "' is not a hexadecimal number";
    }
    return number;
}

Result<uint8_t> ParseHexByte(const std::string& text) {
    uint64_t number = TRY(ParseHexNumber(text));
    if (number > std::numeric_limits<uint8_t>::max()) {
        return Error() << "'" << text << "' does not fit a byte";
    }
    return static_cast<uint8_t>(number);
}

// Checks what was read; may change the value to be shown and explain it.
using Parser = std::function<Result<void>(const std::string& text, HealthItem* item)>;

Result<void> AsText(const std::string&, HealthItem*) {
    return {};
}

Parser AsNumber(std::string (*explain)(uint64_t number) = nullptr) {
    return [explain](const std::string& text, HealthItem* item) -> Result<void> {
        const uint64_t number = TRY(ParseHexNumber(text));
        if (explain != nullptr) item->explanation = explain(number);
        return {};
    };
}

// A byte, which also goes to the reading.
Parser AsByte(std::optional<uint8_t>* target, std::string (*explain)(uint8_t byte)) {
    return [target, explain](const std::string& text, HealthItem* item) -> Result<void> {
        *target = TRY(ParseHexByte(text));
        item->explanation = explain(**target);
        return {};
    };
}

// Reads attributes below a directory of sysfs into a chip's items. Each stands for itself: one that
// is missing or garbage leaves the rest as it is.
struct SysfsItems {
    const FileReader& files;
    const std::string directory;
    const std::string source;  // HealthItem::source of all
    StorageHealth* const health;

    bool Has(const std::string& path) const { return files.Exists(directory + "/" + path); }
    Result<std::string> Read(const std::string& path) const {
        return files.ReadAttribute(directory + "/" + path);
    }

    // The item has the attribute's name; `path` is below the directory. An attribute that is not
    // there is an item too. `refusable`: what drivers show of every chip and chips without it
    // refuse, EINVAL being "not reported".
    void Add(const std::string& path, const Parser& parse = AsText, bool refusable = false) const {
        HealthItem item{.name = android::base::Basename(path), .source = source};
        if (Has(path)) {
            Result<std::string> text = Read(path);
            if (text.ok()) {
                item.value = *text;
                if (Result<void> parsed = parse(*text, &item); !parsed.ok()) {
                    item.value.reset();
                    item.explanation.clear();
                    item.problem = directory + "/" + path + ": " + parsed.error().message();
                }
            } else if (!refusable || text.error().code() != EINVAL) {
                item.problem = text.error().message();
            }
        }
        health->items.push_back(std::move(item));
    }
};

void AddMmcIdentity(const SysfsItems& items) {
    StorageHealth* const health = items.health;
    items.Add("name");
    items.Add("manfid", AsNumber(EmmcMaker));
    items.Add("oemid", AsNumber());
    items.Add("date");
    for (const char* name : {"prv", "hwrev", "fwrev"}) items.Add(name, AsNumber());
    items.Add("rev", AsByte(&health->wear.ext_csd_rev,
                            [](uint8_t rev) { return "eMMC " + std::string(StandardOf(rev)); }));
    items.Add("cid", [health](const std::string& text, HealthItem* item) -> Result<void> {
        item->value = TRY(MaskedCid(text));
        health->chip = ChipId(text);
        item->explanation = "serial number hidden";
        return {};
    });
}

void AddMmcWear(const SysfsItems& items) {
    WearReading* const wear = &items.health->wear;
    // A vendor's tree has two attributes where mainline has one.
    if (!items.Has("life_time") && items.Has("life_time_est_typ_a")) {
        items.Add("life_time_est_typ_a", AsByte(&wear->life_time_a, LifeTimeText));
        items.Add("life_time_est_typ_b", AsByte(&wear->life_time_b, LifeTimeText));
    } else {
        items.Add("life_time", [wear](const std::string& text, HealthItem* item) -> Result<void> {
            std::vector<std::string> values = Tokenize(text, " ");
            if (values.size() != 2) return Error() << "'" << text << "' is not two numbers";
            uint8_t a = TRY(ParseHexByte(values[0]));
            uint8_t b = TRY(ParseHexByte(values[1]));
            wear->life_time_a = a;
            wear->life_time_b = b;
            item->explanation = "A: " + LifeTimeText(a) + ", B: " + LifeTimeText(b);
            return {};
        });
    }
    items.Add("pre_eol_info", AsByte(&wear->pre_eol_info, PreEolText));
}

// mmcblk0, but not mmcblk0boot0: hardware partitions are disks of their own.
bool IsWholeCard(const std::string& name) {
    constexpr std::string_view kPrefix = "mmcblk";
    return android::base::StartsWith(name, kPrefix) && name.size() > kPrefix.size() &&
           std::all_of(name.begin() + kPrefix.size(), name.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

constexpr char kUfs[] = "ufs";

struct Spelling {
    const char* probe;  // is there only with this spelling
    const char* eol;
    const char* life_a;
    const char* life_b;
};

constexpr Spelling kSpellings[] = {
        // Linux 4.17 and later.
        {"health_descriptor", "health_descriptor/eol_info",
         "health_descriptor/life_time_estimation_a", "health_descriptor/life_time_estimation_b"},
        // As proposed before, and shipped by some vendors.
        {"health/eol", "health/eol", "health/lifetimeA", "health/lifetimeB"},
};
constexpr char kHealthFile[] = "health";

Result<void> AsString(const std::string& text, HealthItem* item) {
    if (text == kNoUfsString) item->value.reset();
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

void AddUfsIdentity(const SysfsItems& items) {
    const std::string strings = "string_descriptors/";
    for (const char* name : {"manufacturer_name", "product_name", "product_revision"}) {
        items.Add(strings + name, AsString);
    }
    items.Add("device_descriptor/specification_version", AsNumber(VersionText));
    items.Add("device_descriptor/manufacturing_date", AsNumber(DateText));
    items.health->chip = ReadUfsChipId(items.files, items.directory);
}

void AddIfThere(const std::string& path, std::string (*explain)(uint64_t),
                const SysfsItems& items) {
    if (items.Has(path)) items.Add(path, AsNumber(explain), true);
}

void AddTextForm(const SysfsItems& items) {
    const std::string path = items.directory + "/" + kHealthFile;
    Result<std::string> text = items.files.ReadTable(path);
    Result<WearReading> wear = text.ok() ? ParseUfsHealthText(*text) : text.error();
    std::vector<HealthItem>& to = items.health->items;
    if (!wear.ok()) {
        std::string problem = (text.ok() ? path + ": " : "") + wear.error().message();
        to.push_back({.name = kHealthFile, .problem = problem, .source = kUfs});
        return;
    }
    items.health->wear = *wear;
    to.push_back(ByteItem("bPreEOLInfo", wear->pre_eol_info, PreEolText, kUfs));
    to.push_back(ByteItem("bDeviceLifeTimeEstA", wear->life_time_a, LifeTimeText, kUfs));
    to.push_back(ByteItem("bDeviceLifeTimeEstB", wear->life_time_b, LifeTimeText, kUfs));
}

void AddUfsWear(const SysfsItems& items) {
    WearReading* const wear = &items.health->wear;
    const Spelling* known =
            std::find_if(std::begin(kSpellings), std::end(kSpellings),
                         [&](const Spelling& spelling) { return items.Has(spelling.probe); });
    if (known == std::end(kSpellings) && items.Has(kHealthFile)) {
        AddTextForm(items);
        return;
    }
    if (known == std::end(kSpellings)) known = kSpellings;
    items.Add(known->eol, AsByte(&wear->pre_eol_info, PreEolText));
    items.Add(known->life_a, AsByte(&wear->life_time_a, LifeTimeText));
    items.Add(known->life_b, AsByte(&wear->life_time_b, LifeTimeText));
    // A vendor's own, in percent: vold prefers it. It is no JEDEC figure.
    constexpr char kVendors[] = "health_descriptor/life_time_estimation_c";
    if (items.Has(kVendors)) items.Add(kVendors, AsNumber(PercentText));
}

}  // namespace

Result<void> CheckMmcDisk(const FileReader& files, const std::string& disk) {
    if (!IsWholeCard(disk)) return Error() << disk << " is no memory card";
    // An SD card is a mmcblk as well; its type is "SD".
    std::string type = TRY(files.ReadAttribute("/sys/block/" + disk + "/device/type"));
    if (type != "MMC") return Error() << disk << " is of type " << type << ", not MMC";
    return {};
}

StorageHealth ReadMmcHealth(const FileReader& files, const std::string& disk) {
    StorageHealth health{.kind = StorageHealth::Kind::kEmmc, .device = disk};
    const std::string base = "/sys/block/" + disk;
    health.sectors = ReadCount(files, base + "/size");
    const SysfsItems items{files, base + "/device", "sysfs", &health};
    AddMmcIdentity(items);
    AddMmcWear(items);
    return health;
}

Result<WearReading> ParseUfsHealthText(std::string_view text) {
    WearReading wear;
    const std::map<std::string, std::optional<uint8_t>*> fields =
            {{"bPreEOLInfo", &wear.pre_eol_info},
             {"bDeviceLifeTimeEstA", &wear.life_time_a},
             {"bDeviceLifeTimeEstB", &wear.life_time_b}};
    bool found = false;
    for (const std::string& line : android::base::Split(std::string(text), "\n")) {
        const size_t equals = line.rfind('=');
        if (equals == std::string::npos) continue;
        const std::vector<std::string> words = Tokenize(line.substr(0, equals), " \t:");
        if (words.empty()) continue;
        const auto field = fields.find(words.back());
        if (field == fields.end()) continue;
        Result<uint8_t> value = ParseHexByte(android::base::Trim(line.substr(equals + 1)));
        if (!value.ok()) return Error() << words.back() << ": " << value.error().message();
        if (field->second->value_or(*value) != *value) {
            return Error() << words.back() << " stands there twice, with different values";
        }
        *field->second = *value;
        found = true;
    }
    if (!found) return Error() << "no field of a UFS health descriptor in it";
    return wear;
}

bool IsUfsDisk(const FileReader& files, const std::string& disk) {
    return UfsHostOf(files, "/sys/block/" + disk).ok();
}

StorageHealth ReadUfsHealth(const FileReader& files, const std::string& disk) {
    StorageHealth health;
    Result<std::string> host = UfsHostOf(files, "/sys/block/" + disk);
    if (!host.ok()) {
        health.problem = host.error().message();
        return health;
    }
    health.kind = StorageHealth::Kind::kUfs;
    health.device = disk;
    health.sectors = ReadCount(files, "/sys/block/" + disk + "/size");
    const SysfsItems items{files, *host, kUfs, &health};
    AddUfsIdentity(items);
    AddUfsWear(items);
    AddIfThere("attributes/wb_avail_buf", AvailableText, items);
    AddIfThere("attributes/wb_life_time_est", BufferLifeText, items);
    return health;
}

}  // namespace storekeeper
