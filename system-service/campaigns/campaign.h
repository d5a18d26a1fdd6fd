// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "campaigns/scenario.h"

namespace storekeeper {

struct CampaignOptions {
    // One case of so many is tried, always the same ones.
    uint64_t stride = 1;
    // A case alone, as a failure names it; or the beginning of the names of some.
    std::string only;
    // Of a scenario: then it ends. More of them say the same.
    size_t max_failures = 20;
    Flaw flaw = Flaw::kNone;
    // Of ReplayCampaign() (replay.h).
    uint32_t seed = 0;
};

struct CampaignResult {
    std::map<std::string, uint64_t> tried;  // by scenario
    // Each with the name of its case, which CampaignOptions::only takes, and what is wrong.
    std::vector<std::string> failures;

    uint64_t total() const;
    void Add(const CampaignResult& other);
};

// One try, which shares nothing with others.
struct CampaignCase {
    std::string scenario;
    std::string name;
    std::function<std::string()> run;  // returns what is wrong, "" for nothing
};

// Tries them in as many threads as there are processors, and waits for them. Begins none once there
// are so many failures; these come in any order.
void TryCases(const std::vector<CampaignCase>& cases, size_t max_failures, CampaignResult* result);

// Power cuts: every state that one may leave of each scenario (crash_states.h) is opened, checked
// and worked on with, and so is what a second cut leaves of the opening. States that are the same
// are tried once.
CampaignResult CrashCampaign(const CampaignOptions& options);

// Failing calls: the n-th call of each scenario fails, for each n, with each errno that it may have
// and by doing half of what it was asked for; alone, and with all calls behind it. What is left is
// checked and worked on with. Each error that the product returns must name its object.
CampaignResult CallCampaign(const CampaignOptions& options);

}  // namespace storekeeper
