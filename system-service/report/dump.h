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

// Names the device if reports come from several: ro.product.model and ro.build.id, "" if unset.
struct DeviceName {
    std::string model;
    std::string build;
};

// Sources of a dump. Each is read only for the requested sections, because the crypto section reads
// /proc/crypto and the mounts. None of them waits for the chip or the health HAL.
struct DumpSources {
    Keeper& keeper;
    const CardHealth& card;
    std::shared_ptr<const Collected> collected;  // never null
    CryptoKeeper& crypto;
    DeviceName device = {};
    bool names = false;  // include names of apps
};

// Parsed arguments of `dumpsys storekeeper`. Options that dumpstate passes to every service, such
// as --dump-priority, are ignored.
struct DumpRequest {
    bool json = false;
    bool help = false;
    bool apps = false;                  // include names of apps
    std::vector<std::string> sections;  // empty: one screen, or all sections in JSON
    std::string unknown;                // the first word that is no section
};
DumpRequest ParseDumpRequest(const std::vector<std::string>& arguments);

std::string DumpHelp();

// Output of `dumpsys storekeeper --json`: docs/dump.schema.json. Without `sections`, all of them.
Json::Value DumpToJson(const DumpSources& sources, const std::vector<std::string>& sections = {});
// One section of DumpToJson(), by its name.
Json::Value SectionToJson(const DumpSources& sources, const std::string& name);

// The names of all sections.
std::vector<std::string> DumpSections();

// The dump as text. Without `sections`, one screen: 24 lines of 80 columns in ordinary states.
std::string DumpText(const DumpSources& sources, const std::vector<std::string>& sections);

}  // namespace storekeeper
