// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/decision_text.h"

#include <android-base/strings.h>

#include <vector>

namespace storekeeper {
namespace {

std::string Describe(const Gate& gate) {
    std::string text = gate.name;
    if (gate.value.has_value() && gate.unit != "yes") {
        text += " " + std::to_string(*gate.value) + " of " + std::to_string(gate.limit) + " " +
                gate.unit;
    }
    return gate.note.empty() ? text : text + " (" + gate.note + ")";
}

}  // namespace

std::string DescribeGates(const Decision& decision, bool pass) {
    std::vector<std::string> texts;
    for (const Gate& gate : decision.gates) {
        if (gate.pass == pass) texts.push_back(Describe(gate));
    }
    return android::base::Join(texts, ", ");
}

std::string ClosedGates(const Decision& decision) {
    std::vector<std::string> names;
    for (const Gate& gate : decision.gates) {
        if (!gate.pass) names.push_back(gate.name);
    }
    return android::base::Join(names, ' ');
}

}  // namespace storekeeper
