// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/chip_trust.h"

#include "base/json_fields.h"
#include "base/quantity_text.h"
#include "base/try.h"

namespace storekeeper {

using android::base::Result;

static void Fields(JsonFields& json, Canary& canary) {
    json("seed", canary.seed);
    json("inode", canary.inode);
    json("size", canary.size);
    json("modified_ns", canary.modified_ns);
    json("gap_offset", canary.gap.offset);
    json("gap_length", canary.gap.length);
    json("gap_physical", canary.gap.physical);
}

static void Fields(JsonFields& json, ChipTrust& trust) {
    json("chip", trust.chip.id);
    json("firmware", trust.chip.firmware);
    json.Name("state", trust.state, ChipTrust::State::kQuarantined);
    json("since_wall_s", trust.since.wall);
    json("after_restart", trust.after_restart);
    json("written_bytes", trust.written_bytes);
    json("why", trust.why);
    json("boot_id", trust.since.boot_id);
    json("boot_ns", trust.since.since_boot);
    json("unfinished", trust.unfinished);
    json("canary", trust.canary);
}

namespace {

// The record `chips`.
struct Chips {
    std::vector<ChipTrust> chips;
};

void Fields(JsonFields& json, Chips& chips) {
    json("chips", chips.chips);
}

}  // namespace

std::string FormatChipTrust(const std::vector<ChipTrust>& chips) {
    return WriteFields(Chips{chips});
}

Result<std::vector<ChipTrust>> ParseChipTrust(const std::string& text) {
    return text.empty() ? std::vector<ChipTrust>() : TRY(ParseFields<Chips>(text)).chips;
}

Json::Value ChipTrustToJson(const ChipTrust& trust) {
    Json::Value json = FieldsToJson(trust);
    for (const char* internal : {"boot_id", "boot_ns", "unfinished", "canary"}) {
        json.removeMember(internal);
    }
    return json;
}

std::string QuarantineText(const ChipTrust& trust) {
    return "the chip is in quarantine since " + WallTimeText(trust.since.wall) +
           ", nothing on it is trimmed: " + trust.why +
           " (root lifts it by cmd storekeeper lift-quarantine)";
}

ChipTrust TrustOf(const std::vector<ChipTrust>& chips, const std::string& id) {
    for (const ChipTrust& trust : chips) {
        if (trust.chip.id == id) return trust;
    }
    return {};
}

void PutTrust(const ChipTrust& trust, std::vector<ChipTrust>* chips) {
    for (ChipTrust& known : *chips) {
        if (known.chip.id != trust.chip.id) continue;
        known = trust;
        return;
    }
    chips->push_back(trust);
}

}  // namespace storekeeper
