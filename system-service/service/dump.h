// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <memory>
#include <string>
#include <vector>

#include "health/health_report.h"
#include "service/collector.h"
#include "service/crypto_keeper.h"
#include "service/keeper.h"

namespace storekeeper {

// Which device this is, for reports of several: ro.product.model and ro.build.id, "" when not set.
struct DeviceName {
    std::string model;
    std::string build;
};

struct DumpInputs {
    DeviceName device;
    HealthReport health;
    KeeperStatus status;
    std::shared_ptr<const Collected> collected;  // never null
    CryptoStatus crypto;
    Json::Value receipts;  // as ReceiptStore::Last() has them
};

// What is known now. Waits for nothing: it asks neither the chip nor the health HAL.
DumpInputs InputsOfDump(Keeper& keeper, const Collector& collector, CryptoKeeper& crypto,
                        const DeviceName& device = {});

// What `dumpsys storekeeper --json` prints: docs/dump.schema.json.
Json::Value DumpToJson(const DumpInputs& inputs);
// The same for texts, which have no use for the series of latencies, years of it.
Json::Value DumpWithoutSeries(const DumpInputs& inputs);

// The names of the sections that may be asked for.
const std::vector<std::string>& DumpSections();

// For people, from that. `arguments`: names of sections, "-a" for all of them; without any, one
// screen. What else dumpstate passes is not for us.
std::string DumpText(const Json::Value& dump, const std::vector<std::string>& arguments);

}  // namespace storekeeper
