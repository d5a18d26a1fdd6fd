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
    // Tries every n-th case, always the same ones.
    uint64_t stride = 1;
    // The name of one case, as a failure prints it, or the beginning of several names.
    std::string only;
    // A scenario ends after this many failures: more of them say the same.
    size_t max_failures = 20;
    Flaw flaw = Flaw::kNone;
    // The seed of ReplayCampaign() (replay.h).
    uint32_t seed = 0;
};

struct CampaignResult {
    std::map<std::string, uint64_t> tried;  // number of cases by scenario
    // Each has the name of its case, for CampaignOptions::only, and the problem.
    std::vector<std::string> failures;

    uint64_t total() const;
    void Add(const CampaignResult& other);
};

// One case, which shares nothing with others.
struct CampaignCase {
    std::string scenario;
    std::string name;
    std::function<std::string()> run;  // returns the problem, "" if there is none
};

// Tries the cases in as many threads as there are processors, and waits for them. After
// `max_failures` failures it begins no further case. Failures come in any order.
void TryCases(const std::vector<CampaignCase>& cases, size_t max_failures, CampaignResult* result);

// Power cuts. Each state that a cut may leave of a scenario (crash_states.h) is opened, checked and
// used further, and so are the states after a second cut during the opening. Equal states are tried
// once.
CampaignResult CrashCampaign(const CampaignOptions& options);

// Failing calls. The n-th call of each scenario fails, for each n, with each errno that it may give
// and by doing half of its work; alone, and with all later calls. The disk that is left is checked
// and used further. Each error that the product returns must name its object.
CampaignResult CallCampaign(const CampaignOptions& options);

}  // namespace storekeeper
