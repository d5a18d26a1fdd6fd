// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/gate_log.h"

namespace storekeeper {

void GateLog::Note(const Decision& decision, BootTime now) {
    for (const Gate& gate : decision.gates) {
        auto [entry, is_new] = entries_.try_emplace(gate.name, Entry{gate.pass, now});
        if (!is_new && entry->second.pass != gate.pass) entry->second = {gate.pass, now};
    }
}

std::optional<BootTime> GateLog::Since(const std::string& gate) const {
    auto entry = entries_.find(gate);
    if (entry == entries_.end()) return std::nullopt;
    return entry->second.since;
}

}  // namespace storekeeper
