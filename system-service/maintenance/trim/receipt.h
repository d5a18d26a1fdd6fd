// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <sysexits.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json_fields.h"
#include "maintenance/actions/action.h"

namespace storekeeper {

// End of the work on a mount, or of a whole run.
enum class TrimOutcome {
    kTrimmed,
    kNotGiven,  // not listed in ro.storekeeper.trim.mounts
    kNotMounted,
    kHidden,     // another mount covers it
    kDuplicate,  // the same file system is trimmed at another mount
    kReadOnly,
    kNoDiscard,  // the file system or the device cannot discard
    kNotPermitted,
    kIoError,
    kFailed,  // anything else
    kAborted,
    kChipQuirk,  // trims would harm the chip, or have harmed it
    kNoTrim,     // the device's fstab forbids it
    kBusy,       // another run, a closed gate, or a canary that is read again after a restart
};

// Facts of an outcome for callers. The code is the exit code of `cmd storekeeper trim`: 0, or 65 to
// 78 in the sense of sysexits.h if that has one for it.
struct OutcomeFacts {
    TrimOutcome outcome;
    std::string_view name;  // in JSON and receipts
    int code;
    std::string_view meaning;  // in the help
};

inline constexpr std::array<OutcomeFacts, 14> kOutcomes = {{
        {TrimOutcome::kTrimmed, "trimmed", EX_OK, "trimmed"},
        {TrimOutcome::kNotGiven, "not_given", EX_DATAERR,
         "not listed in ro.storekeeper.trim.mounts"},
        {TrimOutcome::kNotMounted, "not_mounted", EX_NOINPUT, "not mounted"},
        {TrimOutcome::kHidden, "hidden", 67, "another mount covers it"},
        {TrimOutcome::kDuplicate, "duplicate", 68, "its file system is trimmed at another mount"},
        {TrimOutcome::kReadOnly, "read_only", EX_CANTCREAT, "mounted read-only"},
        {TrimOutcome::kNoDiscard, "no_discard", EX_UNAVAILABLE,
         "the file system or device cannot discard"},
        {TrimOutcome::kNotPermitted, "not_permitted", EX_OSERR,
         "storekeeperd lacks the permission"},
        {TrimOutcome::kIoError, "io_error", EX_IOERR, "I/O error"},
        {TrimOutcome::kFailed, "failed", EX_SOFTWARE, "any other failure"},
        {TrimOutcome::kAborted, "aborted", 72, "stopped early"},
        {TrimOutcome::kChipQuirk, "chip_quirk", 76, "TRIM is known to harm the chip"},
        {TrimOutcome::kNoTrim, "no_trim", EX_CONFIG, "excluded by notrim in the fstab"},
        {TrimOutcome::kBusy, "busy", EX_TEMPFAIL,
         "another run is in progress, or a gate is closed"},
}};

constexpr const OutcomeFacts& OutcomeFactsOf(TrimOutcome outcome) {
    return kOutcomes[static_cast<size_t>(outcome)];
}

constexpr bool OutcomesAreInOrder() {
    for (size_t i = 0; i < kOutcomes.size(); ++i) {
        if (static_cast<size_t>(kOutcomes[i].outcome) != i) return false;
    }
    return kOutcomes.size() == static_cast<size_t>(TrimOutcome::kBusy) + 1;
}
static_assert(OutcomesAreInOrder(), "OutcomeFactsOf() indexes the table by the enumeration");

// Outcome for the errno of an open, of a FITRIM or of a run that did not begin.
TrimOutcome OutcomeOf(int error);

// The work of a run on one mount.
struct MountReceipt {
    std::string mount;
    TrimOutcome outcome = TrimOutcome::kFailed;
    // Reason why it was not trimmed: one line naming the mount; "" if it was.
    std::string reason;
    // The range that was trimmed, in bytes of the file system. A run of the policy begins where the
    // last one was stopped.
    uint64_t range_start_bytes = 0;
    uint64_t range_length_bytes = 0;
    // Sum of FITRIM's answers. Absent if it did not run, or if its answers are no counts.
    std::optional<uint64_t> filesystem_bytes;
    // Bytes discarded on the device during the pass, by any process (/proc/diskstats). Absent if
    // the kernel does not count them.
    std::optional<uint64_t> block_layer_bytes;
    std::chrono::nanoseconds duration{};
    // Time inside FITRIM without suspends. The duration also has pauses, changes of the queue and
    // suspends.
    std::chrono::nanoseconds trimming{};
    uint64_t fitrim_calls = 0;  // "slices" in JSON
    // The queue of the disk was changed during the pass.
    bool throttled = false;
    // The last size of discards and the estimated time of one of that size. Absent if the queue
    // could not be set, or nothing was measured in this run or an earlier one on this chip.
    std::optional<uint64_t> discard_bytes;
    std::optional<std::chrono::nanoseconds> discard_time;
    // Explains a figure that would mislead; "" if none does.
    std::string note;
    // The verdict on discards of this chip: "verified", "unverified" or "quarantined", with the
    // reason. "" if it was not examined.
    std::string canary;
    std::string canary_note;
    uint64_t canary_written_bytes = 0;  // by this run

    void AddNote(const std::string& more) { note += (note.empty() ? "" : "; ") + more; }
};

// The work of one run, mount by mount.
struct TrimReceipt {
    bool manual = false;  // by command, not by the policy
    BootTime started{};
    WallTime started_wall{};
    std::chrono::nanoseconds duration{};
    std::vector<MountReceipt> mounts;
    uint64_t mounts_left_out = 0;        // more than reports list or a record has room for
    std::vector<ActionReceipt> actions;  // work beside the trim, in order of execution
    // kTrimmed if at least one mount was trimmed and none failed; else the first failure. A run of
    // all mounts ignores those that cannot be trimmed as they are; a run of named mounts does not.
    TrimOutcome outcome = TrimOutcome::kFailed;
    std::string reason;  // reason of the first failure; "" without one
    // Every mount that can be trimmed was trimmed: the interval to the next run begins.
    bool complete = false;
    // None of the named mounts can be trimmed: nothing was tried, and the receipt is not kept.
    bool refused = false;
};

// The receipt as the payload of a record and as reports show it; docs/dump.schema.json describes
// the keys.
void Fields(JsonFields& json, TrimReceipt& receipt);

}  // namespace storekeeper
