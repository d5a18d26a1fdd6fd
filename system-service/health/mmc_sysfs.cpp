// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/mmc_sysfs.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <vector>

#include "base/tokens.h"
#include "base/try.h"
#include "health/ext_csd.h"
#include "health/sysfs_items.h"
#include "mounts/chip_id.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

struct Spelling {
    const char* a;
    const char* b;
};
// Spellings of vendors' kernels.
constexpr Spelling kApart[] = {{"life_time_est_typ_a", "life_time_est_typ_b"},
                               {"life_time_A", "life_time_B"},
                               {"life_time_a", "life_time_b"},
                               {"device_life_time_est_typ_a", "device_life_time_est_typ_b"}};

// CID_MANFID_SANDISK_MMC of drivers/mmc/core/card.h.
constexpr uint64_t kSanDisk = 0x45;

// The year in the CID has 4 bits, whose meaning has moved by 16 years each time:
//   - JESD84-B451: from revision 5 on, years before 2010 are 16 years later;
//   - JESD84-B51B: from revision 9 on, years before 2023 are 16 years later still;
//   - SanDisk's chips of 2026 to 2028 may keep an older revision and reuse 2010 to 2012. From
//     revision 7 on the older meaning is impossible, because eMMC 5.0 is of 2013.
// Kernels apply the first rule since 2014 and the others since 2026 (mmc_decode_ext_csd() of
// drivers/mmc/core/mmc.c). Applying a rule twice changes nothing.
unsigned YearOf(unsigned shown, uint8_t rev, bool is_sandisk) {
    unsigned year = shown;
    if (rev >= 5 && year < 2010) year += 16;
    if (rev >= 9 && year < 2023) year += 16;
    if (rev >= 7 && is_sandisk && year <= 2012) year += 16;
    return year;
}

Result<void> AsDate(uint8_t rev, bool is_sandisk, const std::string& text, HealthItem* item) {
    constexpr unsigned kFirstYear = 1997;
    constexpr size_t kMonth = 3;  // "05/"
    unsigned shown = 0;
    if (text.size() != kMonth + 4 || !android::base::ParseUint(text.substr(kMonth), &shown) ||
        shown < kFirstYear) {
        return {};
    }
    const unsigned year = YearOf(shown, rev, is_sandisk);
    if (year == shown) return {};
    item->value = text.substr(0, kMonth) + std::to_string(year);
    item->explanation = "shown as " + text + ", an older meaning of the year's code";
    return {};
}

void AddMmcIdentity(const SysfsItems& items) {
    StorageHealth* const health = items.health;
    items.Add("name");
    std::optional<uint64_t> maker;
    items.Add("manfid", AsHex(EmmcMaker, &maker));
    items.Add("oemid", AsHex());
    // The date's meaning depends on the revision, which becomes an item further below.
    const Result<std::string> rev_text = items.Read("rev");
    // Older kernels lack `rev`. No phone with Android 11 has an eMMC older than revision 5 (2010).
    const uint8_t rev = items.Has("rev") ? ParseHexByte(rev_text.value_or("")).value_or(0) : 5;
    items.Add("date", [rev, maker](const std::string& text, HealthItem* item) {
        return AsDate(rev, maker == kSanDisk, text, item);
    });
    for (const char* name : {"prv", "hwrev", "fwrev"}) items.Add(name, AsHex());
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
    // Mainline's attribute holds both life times. Vendors' attributes hold one each, or only one
    // value.
    const auto* apart = items.Has("life_time") ? std::end(kApart)
                                               : std::find_if(std::begin(kApart), std::end(kApart),
                                                              [&items](const Spelling& spelling) {
                                                                  return items.Has(spelling.a) ||
                                                                         items.Has(spelling.b);
                                                              });
    if (apart != std::end(kApart)) {
        items.AddLifeTime(apart->a, AsByte(&wear->life_time_a, LifeTimeText));
        items.AddLifeTime(apart->b, AsByte(&wear->life_time_b, LifeTimeText));
    } else {
        const ItemParser parse = [wear](const std::string& text, HealthItem* item) -> Result<void> {
            const std::vector<std::string> values = Tokenize(text, " \t,");
            if (values.size() > 2) {
                return Error() << "'" << text << "' is not one or two numbers";
            }
            const uint8_t a = TRY(ParseHexByte(values[0]));
            item->explanation = "A: " + LifeTimeText(a);
            if (values.size() == 2) {
                const uint8_t b = TRY(ParseHexByte(values[1]));
                wear->life_time_b = b;
                item->explanation += ", B: " + LifeTimeText(b);
            }
            wear->life_time_a = a;
            return {};
        };
        items.AddLifeTime("life_time", parse);
    }
    items.Add("pre_eol_info", AsByte(&wear->pre_eol_info, PreEolText));
}

// MMC_DEV_ATTR of drivers/mmc/core/mmc.c, Linux 4.13 and later. Other fields about commands in the
// card (CMDQ_SUPPORT, CMDQ_DEPTH, BKOPS_STATUS, CACHE_CTRL) are in its EXT_CSD only.
void AddMmcQueue(const SysfsItems& items) {
    items.AddUnlessRefused("cmdq_en",
                           AsDecimal(1,
                                     [](uint64_t on) {
                                         return on == 0 ? "command queuing is off"
                                                        : "command queuing is on";
                                     }),
                           true);
}

// True for mmcblk0, false for mmcblk0boot0: hardware partitions are separate disks.
bool IsWholeCard(const std::string& name) {
    constexpr std::string_view kPrefix = "mmcblk";
    return android::base::StartsWith(name, kPrefix) && name.size() > kPrefix.size() &&
           std::all_of(name.begin() + kPrefix.size(), name.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

Result<void> CheckMmcDisk(const FileReader& files, const std::string& disk) {
    if (!IsWholeCard(disk)) return Error() << disk << " is no memory card";
    // An SD card is also named mmcblk; its type is "SD".
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
    AddMmcQueue(items);
    return health;
}

}  // namespace storekeeper
