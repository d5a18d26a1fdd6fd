// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>
#include <vector>

#include "service/collector.h"
#include "service/crypto_keeper.h"
#include "service/keeper.h"

namespace storekeeper {

// Which device this is, for reports of several: ro.product.model and ro.build.id, "" when not set.
struct DeviceName {
    std::string model;
    std::string build;
};

// Who knows what a dump tells. Each is asked only for sections that are wanted: that of crypto
// reads /proc/crypto and the mounts. Nothing here waits for the chip or the health HAL.
struct DumpSources {
    Keeper& keeper;
    const Collector& collector;
    CryptoKeeper& crypto;
    DeviceName device = {};
};

// What `dumpsys storekeeper --json` prints: docs/dump.schema.json.
Json::Value DumpToJson(const DumpSources& sources);
// One section of that, by its key.
Json::Value SectionToJson(const DumpSources& sources, const std::string& key);
// What DumpText() needs for the same arguments. Without the series of latencies, years of it.
Json::Value DumpForText(const DumpSources& sources, const std::vector<std::string>& arguments);

// The names of the sections that may be asked for.
const std::vector<std::string>& DumpSections();

// For people, from that. `arguments`: names of sections, "-a" for all of them; without any, one
// screen. What else dumpstate passes is not for us.
std::string DumpText(const Json::Value& dump, const std::vector<std::string>& arguments);

}  // namespace storekeeper
