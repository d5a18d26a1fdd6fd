// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Compares the product's forecasts with phones whose end is known:
//   storekeeper_forecasts [--phones N] [--seed N] [--lives NAME]
// It prints {LIVES: {CASE: figures}} as JSON. Exit code 64: usage.

#include <android-base/parseint.h>
#include <json/writer.h>
#include <stdio.h>
#include <sysexits.h>

#include <string>

#include "campaigns/forecast_score.h"

namespace {

using storekeeper::ForecastScore;
using storekeeper::LifeCase;
using storekeeper::LifeGenerator;

constexpr char kUsage[] = "usage: storekeeper_forecasts [--phones N] [--seed N] [--lives NAME]\n";

struct NamedCase {
    const char* name;
    LifeCase life_case;
};

constexpr NamedCase kCases[] = {{"steady", LifeCase::kSteady},
                                {"drift", LifeCase::kDrift},
                                {"bursts", LifeCase::kBursts},
                                {"change", LifeCase::kChange},
                                {"habits", LifeCase::kHabits}};

double Percent(int part, int of) {
    return of == 0 ? 0 : 100.0 * part / of;
}

Json::Value ToJson(const ForecastScore& score) {
    Json::Value json;
    json["phones"] = score.phones;
    json["ranges"] = score.ranges;
    json["covered_pct"] = Percent(score.covered, score.ranges);
    json["median_width"] = score.median_width;
    json["not_before"] = score.not_before;
    json["not_before_broken_pct"] = Percent(score.broken, score.not_before);
    return json;
}

}  // namespace

int main(int argc, char** argv) {
    int phones = 500;
    uint64_t seed = 1;
    std::string lives;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : "";
        const bool taken = option == "--phones" ? android::base::ParseInt(value, &phones, 1)
                           : option == "--seed" ? android::base::ParseUint(value, &seed)
                                                : option == "--lives" && !(lives = value).empty();
        if (taken) continue;
        fputs(kUsage, stderr);
        return EX_USAGE;
    }
    Json::Value json(Json::objectValue);
    for (const LifeGenerator& generator : storekeeper::kLifeGenerators) {
        if (!lives.empty() && lives != generator.name) continue;
        for (const NamedCase& each : kCases) {
            json[std::string(generator.name)][each.name] =
                    ToJson(storekeeper::ScoreForecasts(generator, each.life_case, seed, phones));
        }
    }
    Json::StreamWriterBuilder writer;
    writer["precision"] = 4;
    puts(Json::writeString(writer, json).c_str());
    return 0;
}
