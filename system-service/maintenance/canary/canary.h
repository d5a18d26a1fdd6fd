// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "maintenance/canary/canary_layout.h"
#include "maintenance/policy/policy.h"
#include "mounts/chip_id.h"

namespace storekeeper {

// A file around a gap that was trimmed. Its content shows whether the discard harmed its
// neighbours.
struct Canary {
    uint64_t seed = 0;  // seed of its content
    uint64_t inode = 0;
    uint64_t size = 0;
    int64_t modified_ns = 0;  // mtime since the epoch, after the gap was made; 0: no trim yet
    CanaryGap gap;

    bool operator==(const Canary&) const = default;
};

// The state of knowledge about one chip.
struct ChipTrust {
    enum class State {
        kUnknown,      // no trial has a result
        kPlanting,     // a canary is being written
        kTrying,       // the trim beside it is under way
        kPassed,       // the canary was intact after it
        kWatched,      // a canary without a proof; see `why`
        kQuarantined,  // a discard did harm, see `why`; only root lifts it
    };

    Chip chip;
    State state = State::kUnknown;
    RunStamp since;              // beginning of this state
    uint64_t written_bytes = 0;  // written by all canaries so far
    unsigned unfinished = 0;     // consecutive trials that ended with the system
    bool after_restart = false;  // read intact in a later boot than that of the trial
    std::optional<Canary> canary;
    std::string why;

    bool operator==(const ChipTrust&) const = default;
};

// The state's name in reports: "planting".
std::string_view NameOf(ChipTrust::State state);

// Consecutive trials that ended with the system, from which on the discard is blamed, not chance.
inline constexpr unsigned kMaxUnfinishedTrials = 3;

// Fills one page with the content that a canary with this seed has at `offset`.
void FillCanaryPage(uint64_t seed, uint64_t offset, std::span<uint8_t> page);

struct CanaryReading {
    enum class Kind {
        kIntact,
        kGone,        // absent, or not the file that was written: no evidence
        kUnreadable,  // cannot be read now, without fault of the card
        kDamaged,     // other content at the same blocks, or an I/O error
    };
    Kind kind = Kind::kGone;
    std::string why;        // reason, for all but kIntact
    bool io_error = false;  // the card could not read it
};

// The permission to trim a chip.
struct TrimAdmission {
    enum class Answer { kGo, kWait, kNever };
    Answer answer = Answer::kGo;
    std::string verdict;         // "verified", "unverified" or "quarantined"
    std::string why;             // reason; "" if none is needed
    uint64_t written_bytes = 0;  // of a new canary; ChipGuard::Examine() sets it
};

// `restart_wait`: time that a run of the policy waits for the canary to be read after a restart.
TrimAdmission Admit(const ChipTrust& trust, const RunStamp& now, std::chrono::seconds restart_wait,
                    bool manual);

// The trust after this reading of the canary, whose trim is over. kUnknown permits another trial.
ChipTrust TrustAfterReading(ChipTrust trust, const CanaryReading& reading, const RunStamp& now);

// The trust at the beginning of a run. It takes into account a trial that did not end, and another
// firmware of the chip.
ChipTrust TrustAtBegin(ChipTrust trust, const Chip& chip, const RunStamp& now);

ChipTrust Quarantined(ChipTrust trust, const std::string& why, const RunStamp& now);

// The trust in chips as the payload of a record.
std::string FormatChipTrust(const std::vector<ChipTrust>& chips);
// An empty text has no chips. A value of another type is an error; unknown keys are ignored.
android::base::Result<std::vector<ChipTrust>> ParseChipTrust(const std::string& text);

// For people, about a chip in quarantine: one sentence without a full stop.
std::string QuarantineText(const ChipTrust& trust);

// The chip's trust in reports; docs/dump.schema.json has the keys.
Json::Value ChipTrustToJson(const ChipTrust& trust);

// The entry with this id; an empty trust if there is none.
ChipTrust TrustOf(const std::vector<ChipTrust>& chips, const std::string& id);
// Replaces or adds the chip's entry.
void PutTrust(const ChipTrust& trust, std::vector<ChipTrust>* chips);

}  // namespace storekeeper
