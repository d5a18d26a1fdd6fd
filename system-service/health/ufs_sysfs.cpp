// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ufs_sysfs.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "health/sysfs_items.h"
#include "health/ufs_fields.h"
#include "mounts/chip_id.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kUfs[] = "ufs";
constexpr uint64_t kMaxInt = std::numeric_limits<int32_t>::max();
constexpr uint64_t kMaxPercent = 100;
constexpr uint64_t kMaxWord = std::numeric_limits<uint32_t>::max();
// Value of HealthItem::detail for items that only JSON shows.
constexpr bool kDetail = true;

struct Spelling {
    const char* probe;  // file that exists only with this spelling
    const char* eol;
    const char* life_a;
    const char* life_b;
};

constexpr Spelling kSpellings[] = {
        // Names in Linux 4.17 and later.
        {"health_descriptor", "health_descriptor/eol_info",
         "health_descriptor/life_time_estimation_a", "health_descriptor/life_time_estimation_b"},
        // Names of an earlier proposal, which some vendors shipped.
        {"health/eol", "health/eol", "health/lifetimeA", "health/lifetimeB"},
};
constexpr char kHealthFile[] = "health";

// String descriptors that identify the chip, and the disk's attributes with the same text from the
// SCSI inquiry, for kernels without string descriptors.
constexpr std::pair<const char*, const char*> kNames[] = {{"manufacturer_name", "vendor"},
                                                          {"product_name", "model"},
                                                          {"product_revision", "rev"}};

Result<void> AsString(const std::string& text, HealthItem* item) {
    if (text == kNoUfsString) item->value.reset();
    return {};
}

// Returns wSpecVersion.
std::optional<uint64_t> AddIdentity(const SysfsItems& items, const SysfsItems& unit) {
    const std::string strings = "string_descriptors";
    const bool has_strings = items.Has(strings);
    for (const auto& [name, inquiry] : kNames) {
        if (has_strings) {
            items.Add(strings + "/" + name, AsString);
        } else {
            unit.AddUnlessRefused(inquiry, AsText, false, name);
        }
    }
    std::optional<uint64_t> version;
    items.Add("device_descriptor/specification_version", AsHex(UfsVersionText, &version));
    items.Add("device_descriptor/manufacturing_date", AsHex(UfsDateText));
    items.health->chip = ReadUfsChipId(items.files, items.directory);
    return version;
}

void AddTextForm(const SysfsItems& items) {
    const std::string path = items.directory + "/" + kHealthFile;
    Result<std::string> text = items.files.ReadTable(path);
    Result<WearReading> wear = text.ok() ? ParseUfsHealthText(*text) : text.error();
    std::vector<HealthItem>& to = items.health->items;
    if (!wear.ok()) {
        std::string problem = (text.ok() ? path + ": " : "") + wear.error().message();
        to.push_back({.name = kHealthFile, .problem = problem, .source = kUfs});
        items.health->wear_problem = std::move(problem);
        return;
    }
    items.health->wear = *wear;
    to.push_back(ByteItem("bPreEOLInfo", wear->pre_eol_info, PreEolText, kUfs));
    to.push_back(ByteItem("bDeviceLifeTimeEstA", wear->life_time_a, LifeTimeText, kUfs));
    to.push_back(ByteItem("bDeviceLifeTimeEstB", wear->life_time_b, LifeTimeText, kUfs));
}

void AddWear(const SysfsItems& items) {
    WearReading* const wear = &items.health->wear;
    const Spelling* known =
            std::find_if(std::begin(kSpellings), std::end(kSpellings),
                         [&](const Spelling& spelling) { return items.Has(spelling.probe); });
    if (known == std::end(kSpellings) && items.Has(kHealthFile)) {
        AddTextForm(items);
        return;
    }
    // One hexadecimal digit, 0 to b. These kernels show neither life time B nor pre-EOL.
    if (known == std::end(kSpellings) && items.Has(kSamsungLifeTime)) {
        items.AddLifeTime(kSamsungLifeTime, AsByte(&wear->life_time_a, LifeTimeText));
        items.health->wear_is_cached = true;
        return;
    }
    if (known == std::end(kSpellings)) {
        known = kSpellings;
        items.health->wear_problem = "this kernel shows no health descriptor";
    }
    items.Add(known->eol, AsByte(&wear->pre_eol_info, PreEolText));
    items.AddLifeTime(known->life_a, AsByte(&wear->life_time_a, LifeTimeText));
    items.AddLifeTime(known->life_b, AsByte(&wear->life_time_b, LifeTimeText));
    // A vendor's figure in percent, which vold prefers; JEDEC does not define it.
    items.AddUnlessRefused("health_descriptor/life_time_estimation_c", AsHex(UfsPercentText));
}

void AddEvents(const SysfsItems& items, std::optional<uint64_t> version) {
    std::optional<uint64_t> count;
    const Explain explain = [version](uint64_t n) { return CriticalHealthText(n, version); };
    items.AddUnlessRefused("critical_health", AsDecimal(kMaxInt, explain, &count));
    if (count.value_or(0) != 0 || version.value_or(0) >= kUfsVersionWithCriticalHealth) {
        items.health->critical_health = count;
    }
    items.AddUnlessRefused("device_lvl_exception_count", AsDecimal(kMaxWord), kDetail);
    items.AddUnlessRefused("device_lvl_exception_id",
                           AsDecimal(std::numeric_limits<uint64_t>::max()), kDetail);
    items.AddUnlessRefused("attributes/bkops_status", AsHex(BkopsText), kDetail);
    items.AddUnlessRefused("flags/bkops_enable", AsFlag("off", "on"), kDetail);
}

bool IsReported(const StorageHealth& health, const std::string& name) {
    return std::any_of(health.items.begin(), health.items.end(), [&](const HealthItem& item) {
        return item.name == name && item.value.has_value();
    });
}

void AddWriteBooster(const SysfsItems& items, const SysfsItems& unit) {
    std::optional<uint64_t> segments;
    std::optional<uint64_t> segment_size;
    items.AddUnlessRefused("geometry_descriptor/allocation_unit_size", AsHex(nullptr, &segments),
                           kDetail);
    items.AddUnlessRefused("geometry_descriptor/segment_size", AsHex(nullptr, &segment_size),
                           kDetail);
    const std::optional<uint64_t> unit_bytes =
            AllocationUnitBytes(segments.value_or(0), segment_size.value_or(0));
    const Explain size = [unit_bytes](uint64_t units) { return UnitsText(units, unit_bytes); };
    items.AddUnlessRefused("device_descriptor/wb_type", AsHex(WbTypeText), kDetail);
    items.AddUnlessRefused("device_descriptor/wb_shared_alloc_units", AsHex(size), kDetail);
    unit.AddUnlessRefused("unit_descriptor/wb_buf_alloc_units", AsHex(size), kDetail);
    items.AddUnlessRefused("attributes/wb_cur_buf", AsHex(size));
    items.AddUnlessRefused("attributes/wb_avail_buf", AsHex(WbAvailableText));
    items.AddUnlessRefused("attributes/wb_life_time_est", AsHex(WbLifeText));
    items.AddUnlessRefused("flags/wb_enable", AsFlag("off", "on"));
    // wb_on is the driver's copy of this flag. vold writes it, so its label may be vold's.
    if (!IsReported(*items.health, "wb_enable")) {
        items.AddUnlessRefused("wb_on",
                               AsDecimal(1, [](uint64_t on) { return on == 0 ? "off" : "on"; }));
    }
    items.AddUnlessRefused("flags/wb_flush_en", AsFlag("off", "on"), kDetail);
    items.AddUnlessRefused("flags/wb_flush_during_h8", AsFlag("off", "on"), kDetail);
    items.AddUnlessRefused("attributes/wb_resize_hint", AsResizeHint, kDetail);
}

// Temperatures of the chip's case and its limits. The kernel chooses the number in hwmonN.
void AddTemperatures(const SysfsItems& items) {
    const std::string folder = "hwmon";
    const Result<std::vector<std::string>> names = items.files.List(items.directory + "/" + folder);
    if (!names.ok()) return;
    for (const std::string& name : *names) {
        const std::string path = folder + "/" + name + "/";
        if (items.Read(path + "name").value_or("") != kUfs) continue;
        items.AddUnlessRefused(path + "temp1_input", AsTemperature);
        items.AddUnlessRefused(path + "temp1_crit", AsTemperature, kDetail);
        items.AddUnlessRefused(path + "temp1_lcrit", AsTemperature, kDetail);
    }
}

void AddHid(const SysfsItems& items) {
    std::optional<HidState> state;
    const ItemParser parse = [&state](const std::string& text, HealthItem* item) -> Result<void> {
        state = TRY(ParseHidState(text));
        item->explanation = HidStateText(*state);
        return {};
    };
    // The path is the item's name, because "state" alone is ambiguous.
    const auto add = [&items](const std::string& path, const ItemParser& parser, bool detail) {
        items.AddUnlessRefused(path, parser, detail, path);
    };
    add("hid/state", parse, false);
    add("hid/fragmented_size", AsFragmentedSize, false);
    add("hid/defrag_size", AsDefragSize, kDetail);
    if (state == HidState::kDefrag) add("hid/progress_ratio", AsDecimal(kMaxPercent), kDetail);
    for (const char* vendors : {"ufshid", "motohid"}) {
        if (!items.Has(vendors)) continue;
        items.health->items.push_back(
                {.name = vendors,
                 .value = "present",
                 .explanation = "a vendor's host-initiated defragmentation, not used",
                 .source = kUfs});
    }
}

}  // namespace

StorageHealth ReadUfsHealth(const FileReader& files, const std::string& disk) {
    StorageHealth health;
    const std::string node = "/sys/block/" + disk;
    Result<std::string> host = UfsHostOf(files, node);
    if (!host.ok()) {
        health.problem = host.error().message();
        return health;
    }
    health.kind = StorageHealth::Kind::kUfs;
    health.device = disk;
    health.sectors = ReadCount(files, node + "/size");
    const SysfsItems items{files, *host, kUfs, &health};
    const SysfsItems unit{files, node + "/device", kUfs, &health};
    const std::optional<uint64_t> version = AddIdentity(items, unit);
    AddWear(items);
    AddEvents(items, version);
    unit.AddUnlessRefused("unit_descriptor/provisioning_type", AsHex(ProvisioningText), kDetail);
    unit.AddUnlessRefused("unit_descriptor/logical_block_size", AsHex(BlockSizeText), kDetail);
    AddWriteBooster(items, unit);
    AddTemperatures(items);
    AddHid(items);
    return health;
}

}  // namespace storekeeper
