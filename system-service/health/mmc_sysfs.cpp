// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/mmc_sysfs.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "health/ext_csd.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

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
    uint64_t number = OR_RETURN(ParseHexNumber(text));
    if (number > std::numeric_limits<uint8_t>::max()) {
        return Error() << "'" << text << "' does not fit a byte";
    }
    return static_cast<uint8_t>(number);
}

// Makers of eMMC by manufacturer id, as drivers/mmc/core/card.h and quirks.h of the kernel know
// them. An id is not proof: brands share them.
std::string_view MakerOf(uint64_t manfid) {
    switch (manfid) {
        case 0x02:
        case 0x45:
            return "SanDisk";
        case 0x11:
            return "Toshiba/Kioxia";
        case 0x13:
            return "Micron";
        case 0x15:
            return "Samsung";
        case 0x70:
            return "Kingston";
        case 0x90:
            return "SK Hynix";
        case 0xfe:
            return "Numonyx/Micron";
        default:
            return "";
    }
}

// CID register: bytes 10 to 13 are the serial number PSN, byte 15 its checksum among others
// (JESD84-B51 section 7.2). Both are hidden.
Result<std::string> HideSerial(std::string cid) {
    constexpr size_t kDigits = 32;
    bool is_hex = std::all_of(cid.begin(), cid.end(),
                              [](unsigned char c) { return std::isxdigit(c) != 0; });
    if (cid.size() != kDigits || !is_hex) return Error() << "it is not a CID of 32 digits";
    cid.replace(2 * 10, 2 * 4, "********");
    cid.replace(2 * 15, 2, "**");
    return cid;
}

class Reader {
  public:
    Reader(const FileReader& files, std::string directory, MmcHealth* health)
          : files_(files), directory_(std::move(directory)), health_(health) {}

    // Parses an attribute to what the report shows and explains. Absent attributes are items too.
    using Parser = std::function<Result<void>(const std::string& text, HealthItem* item)>;
    void Add(const std::string& name, const Parser& parse) {
        HealthItem item{.name = name};
        std::string path = directory_ + "/" + name;
        if (files_.Exists(path)) {
            Result<std::string> text = files_.ReadAttribute(path);
            if (text.ok()) item.value = *text;
            Result<void> parsed = text.ok() ? parse(*text, &item) : Result<void>(text.error());
            if (!parsed.ok()) {
                item.value.reset();
                item.problem = text.ok() ? path + ": " + parsed.error().message()
                                         : parsed.error().message();
            }
        }
        health_->items.push_back(std::move(item));
    }

    bool Has(const std::string& name) const { return files_.Exists(directory_ + "/" + name); }

  private:
    const FileReader& files_;
    const std::string directory_;
    MmcHealth* health_;
};

Result<void> AsText(const std::string&, HealthItem*) {
    return {};
}

Result<void> AsNumber(const std::string& text, HealthItem*) {
    OR_RETURN(ParseHexNumber(text));
    return {};
}

Reader::Parser AsLifeTime(std::optional<uint8_t>* target) {
    return [target](const std::string& text, HealthItem* item) -> Result<void> {
        *target = OR_RETURN(ParseHexByte(text));
        item->explanation = LifeTimeText(**target);
        return {};
    };
}

void AddIdentity(Reader& reader, MmcHealth* health) {
    reader.Add("name", AsText);
    reader.Add("manfid", [](const std::string& text, HealthItem* item) -> Result<void> {
        item->explanation = MakerOf(OR_RETURN(ParseHexNumber(text)));
        return {};
    });
    reader.Add("oemid", AsNumber);
    reader.Add("date", AsText);
    reader.Add("prv", AsNumber);
    reader.Add("hwrev", AsNumber);
    reader.Add("fwrev", AsNumber);
    reader.Add("rev", [health](const std::string& text, HealthItem* item) -> Result<void> {
        health->wear.ext_csd_rev = OR_RETURN(ParseHexByte(text));
        item->explanation = "eMMC " + std::string(StandardOf(*health->wear.ext_csd_rev));
        return {};
    });
    reader.Add("cid", [](const std::string& text, HealthItem* item) -> Result<void> {
        item->value = OR_RETURN(HideSerial(text));
        item->explanation = "serial number hidden";
        return {};
    });
}

void AddWear(Reader& reader, MmcHealth* health) {
    // A vendor's tree has two attributes where mainline has one.
    if (!reader.Has("life_time") && reader.Has("life_time_est_typ_a")) {
        reader.Add("life_time_est_typ_a", AsLifeTime(&health->wear.life_time_a));
        reader.Add("life_time_est_typ_b", AsLifeTime(&health->wear.life_time_b));
    } else {
        reader.Add("life_time",
                   [health](const std::string& text, HealthItem* item) -> Result<void> {
                       std::vector<std::string> values = android::base::Tokenize(text, " ");
                       if (values.size() != 2)
                           return Error() << "'" << text << "' is not two numbers";
                       uint8_t a = OR_RETURN(ParseHexByte(values[0]));
                       uint8_t b = OR_RETURN(ParseHexByte(values[1]));
                       health->wear.life_time_a = a;
                       health->wear.life_time_b = b;
                       item->explanation = "A: " + LifeTimeText(a) + ", B: " + LifeTimeText(b);
                       return {};
                   });
    }
    reader.Add("pre_eol_info", [health](const std::string& text, HealthItem* item) -> Result<void> {
        health->wear.pre_eol_info = OR_RETURN(ParseHexByte(text));
        item->explanation = PreEolText(*health->wear.pre_eol_info);
        return {};
    });
}

// mmcblk0, but not mmcblk0boot0: hardware partitions are disks of their own.
bool IsWholeCard(const std::string& name) {
    constexpr std::string_view kPrefix = "mmcblk";
    return android::base::StartsWith(name, kPrefix) && name.size() > kPrefix.size() &&
           std::all_of(name.begin() + kPrefix.size(), name.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
}

Result<std::string> FindCard(const FileReader& files) {
    std::string problem = "no eMMC in /sys/block";
    for (const std::string& name : OR_RETURN(files.List("/sys/block"))) {
        if (!IsWholeCard(name)) continue;
        // An SD card is a mmcblk as well; its type is "SD".
        Result<std::string> type = files.ReadAttribute("/sys/block/" + name + "/device/type");
        if (type.ok() && *type == "MMC") return name;
        problem = type.ok() ? name + " is of type " + *type + ", not MMC" : type.error().message();
    }
    return Error() << problem;
}

}  // namespace

MmcHealth ReadMmcHealth(const FileReader& files) {
    MmcHealth health;
    Result<std::string> card = FindCard(files);
    if (!card.ok()) {
        health.problem = card.error().message();
        return health;
    }
    health.device = *card;
    const std::string base = "/sys/block/" + *card;
    Result<std::string> size = files.ReadAttribute(base + "/size");
    uint64_t sectors = 0;
    if (size.ok() && android::base::ParseUint(*size, &sectors)) health.sectors = sectors;
    Reader reader(files, base + "/device", &health);
    AddIdentity(reader, &health);
    AddWear(reader, &health);
    return health;
}

}  // namespace storekeeper
