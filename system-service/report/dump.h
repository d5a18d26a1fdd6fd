// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <memory>
#include <string>
#include <vector>

#include "crypto/crypto_keeper.h"
#include "health/card_health.h"
#include "maintenance/keeper.h"
#include "report/collected.h"

namespace storekeeper {

// Which device this is, for reports of several: ro.product.model and ro.build.id, "" when not set.
struct DeviceName {
    std::string model;
    std::string build;
};

// Who knows what a dump reports. Each is asked only for sections that are wanted: that of crypto
// reads /proc/crypto and the mounts. Nothing here waits for the chip or the health HAL.
struct DumpSources {
    Keeper& keeper;
    const CardHealth& card;
    std::shared_ptr<const Collected> collected;  // never null
    CryptoKeeper& crypto;
    DeviceName device = {};
    bool names = false;  // with the names of apps
};

// What the arguments of `dumpsys storekeeper` ask for. Options that dumpstate passes, such as
// --dump-priority, are not for us and passed over.
struct DumpRequest {
    bool json = false;
    bool help = false;
    bool apps = false;                  // with the names of apps
    std::vector<std::string> sections;  // none: one screen, or in JSON all of them
    std::string unknown;                // the first word that is no section
};
DumpRequest ParseDumpRequest(const std::vector<std::string>& arguments);

std::string DumpHelp();

// What `dumpsys storekeeper --json` prints: docs/dump.schema.json. With sections, those alone.
Json::Value DumpToJson(const DumpSources& sources, const std::vector<std::string>& sections = {});
// One section of that, by its name.
Json::Value SectionToJson(const DumpSources& sources, const std::string& name);

// The names of the sections that may be asked for.
std::vector<std::string> DumpSections();

// For people. Without sections, one screen: 24 lines of 80 columns in ordinary states.
std::string DumpText(const DumpSources& sources, const std::vector<std::string>& sections);

}  // namespace storekeeper
