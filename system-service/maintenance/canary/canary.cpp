// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/canary.h"

#include <cstring>
#include <utility>

#include "base/json_fields.h"
#include "base/quantity_text.h"
#include "base/split_mix.h"

namespace storekeeper {
namespace {

using android::base::Result;
using State = ChipTrust::State;
using Answer = TrimAdmission::Answer;

void Enter(State state, const RunStamp& now, ChipTrust* trust) {
    trust->state = state;
    trust->since = now;
}

}  // namespace

std::string_view NameOf(State state) {
    constexpr std::string_view kNames[] = {"unknown", "planting", "trying",
                                           "passed",  "watched",  "quarantined"};
    return kNames[static_cast<size_t>(state)];
}

void FillCanaryPage(uint64_t seed, uint64_t offset, std::span<uint8_t> page) {
    uint64_t state = Mixed(seed ^ Mixed(offset));
    const size_t bytes = page.size();  // signed in Android 11 to 13
    for (size_t i = 0; i + sizeof(state) <= bytes; i += sizeof(state)) {
        const uint64_t number = Mixed(state += kSplitMixStep);
        memcpy(page.data() + i, &number, sizeof(number));
    }
}

TrimAdmission Admit(const ChipTrust& trust, const RunStamp& now, std::chrono::seconds restart_wait,
                    bool manual) {
    switch (trust.state) {
        case State::kQuarantined:
            return {.answer = Answer::kNever, .verdict = "quarantined", .why = trust.why};
        case State::kPassed:
            break;
        default:
            return {.verdict = "unverified",
                    .why = trust.why.empty() ? "no canary has been read" : trust.why};
    }
    if (trust.after_restart) return {.verdict = "verified"};
    const bool waited = trust.since.boot_id != now.boot_id ||
                        now.since_boot - trust.since.since_boot >= restart_wait;
    return {.answer = waited || manual ? Answer::kGo : Answer::kWait,
            .verdict = "verified",
            .why = "not yet after a restart"};
}

ChipTrust Quarantined(ChipTrust trust, const std::string& why, const RunStamp& now) {
    if (trust.state == State::kQuarantined) return trust;
    Enter(State::kQuarantined, now, &trust);
    trust.why = why;
    return trust;
}

ChipTrust TrustAfterReading(ChipTrust trust, const CanaryReading& reading, const RunStamp& now) {
    switch (reading.kind) {
        case CanaryReading::Kind::kDamaged:
            return Quarantined(std::move(trust), reading.why, now);
        case CanaryReading::Kind::kUnreadable:
            return trust;
        case CanaryReading::Kind::kGone:
            if (trust.state == State::kQuarantined) return trust;
            Enter(State::kUnknown, now, &trust);
            trust.canary.reset();
            trust.after_restart = false;
            trust.why = reading.why;
            return trust;
        default:  // kIntact
            break;
    }
    if (trust.state == State::kTrying) {
        Enter(State::kPassed, now, &trust);
        trust.unfinished = 0;
        trust.why.clear();
    } else if (trust.state == State::kPassed && trust.since.boot_id != now.boot_id) {
        trust.after_restart = true;
    }
    return trust;
}

ChipTrust TrustAtBegin(ChipTrust trust, const Chip& chip, const RunStamp& now) {
    const bool same_chip = trust.chip.id == chip.id;
    if (!same_chip) trust = ChipTrust{.chip = chip};
    if (trust.state == State::kQuarantined) return trust;
    // A daemon that died alone says nothing about the chip.
    if (trust.state == State::kTrying && trust.since.boot_id != now.boot_id) {
        ++trust.unfinished;
        if (trust.unfinished >= kMaxUnfinishedTrials) {
            const std::string trials = Counted(trust.unfinished, "trial trim");
            return Quarantined(std::move(trust), trials + " in a row ended with the system", now);
        }
    }
    const bool another_firmware = trust.chip.firmware != chip.firmware;
    if (trust.state == State::kTrying || trust.state == State::kPlanting || another_firmware) {
        Enter(State::kUnknown, now, &trust);
        trust.after_restart = false;
        trust.why.clear();
    }
    trust.chip = chip;
    return trust;
}

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

// The record `chips`.
static void Fields(JsonFields& json, std::vector<ChipTrust>& chips) {
    json("chips", chips);
}

std::string FormatChipTrust(const std::vector<ChipTrust>& chips) {
    return WriteFields(chips);
}

Result<std::vector<ChipTrust>> ParseChipTrust(const std::string& text) {
    return text.empty() ? std::vector<ChipTrust>() : ParseFields<std::vector<ChipTrust>>(text);
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
