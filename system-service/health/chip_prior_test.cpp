// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/chip_prior.h"

#include <gtest/gtest.h>

#include <vector>

namespace storekeeper {
namespace {

constexpr double kGib = 1 << 30;

const std::vector<ChipPrior> kPriors =
        {{.model = "EMMC-A", .firmware = "0x07", .gib_per_step = 100, .spread_pct = 20},
         {.model = "EMMC-A", .gib_per_step = 300, .spread_pct = 50},
         {.model = "UFS-B", .firmware = "0102", .gib_per_step = 900, .spread_pct = 10}};

StorageHealth ChipWith(StorageHealth::Kind kind, const char* model_key, const char* model,
                       const char* firmware_key, std::optional<std::string> firmware) {
    return {.kind = kind,
            .items = {{.name = "manfid", .value = "0x15"},
                      {.name = model_key, .value = model},
                      {.name = firmware_key, .value = std::move(firmware)}}};
}

TEST(ChipPriorTest, TheFirstThatIsOfTheChipCounts) {
    using Kind = StorageHealth::Kind;
    const auto of = [](const StorageHealth& chip) { return PriorOf(kPriors, chip); };
    const auto emmc = of(ChipWith(Kind::kEmmc, "name", "EMMC-A", "fwrev", "0x07"));
    ASSERT_TRUE(emmc.has_value());
    EXPECT_DOUBLE_EQ(100 * kGib, emmc->mean);
    EXPECT_DOUBLE_EQ(20 * kGib, emmc->deviation);
    EXPECT_DOUBLE_EQ(300 * kGib,
                     of(ChipWith(Kind::kEmmc, "name", "EMMC-A", "fwrev", "0x08"))->mean);
    EXPECT_DOUBLE_EQ(300 * kGib, of(ChipWith(Kind::kEmmc, "name", "EMMC-A", "fwrev", {}))->mean);
    EXPECT_DOUBLE_EQ(900 * kGib,
                     of(ChipWith(Kind::kUfs, "product_name", "UFS-B", "product_revision", "0102"))
                             ->mean);
    EXPECT_FALSE(of(ChipWith(Kind::kUfs, "product_name", "UFS-B", "product_revision", "0103")));
    // Attributes of another kind of chip do not match.
    EXPECT_FALSE(of(ChipWith(Kind::kEmmc, "product_name", "UFS-B", "product_revision", "0102")));
    EXPECT_FALSE(of({}));
    EXPECT_FALSE(PriorOf({}, ChipWith(Kind::kEmmc, "name", "EMMC-A", "fwrev", "0x07")));
}

}  // namespace
}  // namespace storekeeper
