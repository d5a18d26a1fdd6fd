// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/driver_figures.h"

#include <string>
#include <utility>

#include "crypto/known_answers.h"

namespace storekeeper {

using android::base::Result;

void MeasureDrivers(CipherCalls& calls, const std::vector<size_t>& units, const BenchmarkPlan& plan,
                    CryptoMeasured* to) {
    std::vector<std::string> drivers;
    for (const std::string& driver : {to->hardware, to->cpu}) {
        if (driver.empty()) continue;
        const Result<void> right = CheckKnownAnswers(calls, to->name, driver);
        if (!right.ok() && to->wrong.empty()) to->wrong = right.error().message();
        drivers.push_back(driver);
    }
    if (drivers.empty()) {
        to->problem = "no driver of " + to->name + " is known";
        return;
    }
    for (size_t unit : units) {
        if (drivers.size() != 2 || !to->wrong.empty()) break;
        const Result<void> across = CheckAcross(calls, drivers[0], drivers[1], to->key_bytes, unit);
        if (!across.ok()) to->wrong = across.error().message();
    }
    Result<Benchmark::Answer> answer = Benchmark(calls).Run(drivers, plan);
    if (!answer.ok()) {
        to->problem = answer.error().message();
        return;
    }
    to->note = answer->note;
    to->figures = std::move(answer->figures);
}

}  // namespace storekeeper
