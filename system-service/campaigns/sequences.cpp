// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/sequences.h"

#include <android-base/logging.h>
#include <android-base/strings.h>

#include "campaigns/machine.h"

namespace storekeeper {
namespace {

std::string TrySequence(const std::vector<std::string>& events, bool blind) {
    for (const std::string& event : events) {
        if (Machine::Events().count(event) == 0) return "'" + event + "' is no event";
    }
    Machine machine(blind);
    for (size_t i = 0; i < events.size(); ++i) {
        const std::string wrong = machine.RunEvent(events[i]);
        if (!wrong.empty()) return "after event " + std::to_string(i + 1) + ": " + wrong;
    }
    return machine.Recover();
}

// The n-th sequence of this length.
std::vector<std::string> SequenceOf(uint64_t number, size_t length) {
    std::vector<std::string> names;
    for (const auto& [name, event] : Machine::Events()) names.push_back(name);
    std::vector<std::string> events;
    for (size_t i = 0; i < length; ++i) {
        events.push_back(names[number % names.size()]);
        number /= names.size();
    }
    return events;
}

}  // namespace

CampaignResult SequenceCampaign(const CampaignOptions& options, size_t length) {
    std::vector<CampaignCase> cases;
    const auto add = [&cases, blind = options.flaw ==
                                      Flaw::kBlindLoop](const std::vector<std::string>& events) {
        cases.push_back({"length " + std::to_string(events.size()),
                         android::base::Join(events, ','),
                         [events, blind] { return TrySequence(events, blind); }});
    };
    if (!options.only.empty()) add(android::base::Split(options.only, ","));
    uint64_t count = 1;
    for (size_t of = 1; of <= length && options.only.empty(); ++of) {
        count *= Machine::Events().size();
        for (uint64_t number = 0; number < count; number += options.stride) {
            add(SequenceOf(number, of));
        }
    }
    // liblog sets the tag at a process's first line, behind a lock that ThreadSanitizer does not
    // see. So it is set here.
    android::base::SetDefaultTag("storekeeper");
    CampaignResult result;
    TryCases(cases, options.max_failures, &result);
    return result;
}

}  // namespace storekeeper
