// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/clock.h"
#include "maintenance/canary/canary_layout.h"
#include "mounts/chip_id.h"

namespace storekeeper {

// A file that stands around a gap that was trimmed: by its content shows whether the discard harmed
// its neighbours.
struct Canary {
    uint64_t seed = 0;  // of its content
    uint64_t inode = 0;
    uint64_t size = 0;
    int64_t modified_ns = 0;  // mtime since the epoch, once the gap is there; 0: no trim yet
    CanaryGap gap;

    bool operator==(const Canary&) const = default;
};

// When something happened. Within a boot the boot's clock counts.
struct BootMoment {
    std::string boot_id;
    BootTime since_boot{};
    WallTime wall{};

    bool operator==(const BootMoment&) const = default;
};

// What is known of one chip.
struct ChipTrust {
    enum class State {
        kUnknown,      // no canary has been trimmed around
        kPlanting,     // a canary is being written
        kTrying,       // the trim beside it is under way
        kPassed,       // the canary was intact after it
        kWatched,      // there is a canary and no proof: `why`
        kQuarantined,  // a discard did harm: `why`, for ever
    };

    Chip chip;
    State state = State::kUnknown;
    BootMoment since;            // of this state
    uint64_t written_bytes = 0;  // of all canaries so far
    unsigned unfinished = 0;     // trials in a row which ended with the system
    bool after_restart = false;  // read well in another boot than that of the trial
    std::optional<Canary> canary;
    std::string why;

    bool operator==(const ChipTrust&) const = default;
};

// The word of a state in reports: "planting".
std::string_view NameOf(ChipTrust::State state);

// Trials that end with the system this often in a row are the discard's fault, not chance's.
inline constexpr unsigned kMaxUnfinishedTrials = 3;

// How one page of a canary must read.
void FillCanaryPage(uint64_t seed, uint64_t offset, std::span<uint8_t> page);

// How a canary was found.
struct CanaryReading {
    enum class Kind {
        kIntact,
        kGone,        // not there, or not the file that was written: nothing to judge by
        kUnreadable,  // cannot be looked at now, without fault of the card
        kDamaged,     // other content at the same blocks, or an I/O error
    };
    Kind kind = Kind::kGone;
    std::string why;        // for all but kIntact
    bool io_error = false;  // it could not be read at all
};

// What a trim of a chip may do.
struct TrimAdmission {
    enum class Answer { kGo, kWait, kNever };
    Answer answer = Answer::kGo;
    std::string verdict;  // "verified", "unverified" or "quarantined"
    std::string why;      // behind it; "" when nothing needs to be said
};

// `restart_wait`: how long a run of the policy waits for the canary to be read after a restart.
TrimAdmission Admit(const ChipTrust& trust, const BootMoment& now,
                    std::chrono::seconds restart_wait, bool manual);

// What the trust becomes by this reading of the canary beside a trim that is over. Another trial is
// possible where it becomes kUnknown.
ChipTrust AfterReading(ChipTrust trust, const CanaryReading& reading, const BootMoment& now);

// What the trust is at the beginning of a run: what a trial that did not end has left, and which
// firmware the chip has now, are in it.
ChipTrust AtBegin(ChipTrust trust, const Chip& chip, const BootMoment& now);

ChipTrust Quarantined(ChipTrust trust, const std::string& why, const BootMoment& now);

}  // namespace storekeeper
