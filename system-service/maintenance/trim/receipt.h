// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>
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
#include "maintenance/actions/action.h"

namespace storekeeper {

// How the work on a mount, or a whole run, ended.
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
    kBusy,       // refused: another run is in progress
};

// What a caller gets to see of an outcome. The code is both the exit code of
// `cmd storekeeper trim` and the service-specific error of IStorekeeper.trim(): 0, or 65 to 79 in
// the sense of sysexits.h where that has a word for it.
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

constexpr const OutcomeFacts& FactsOf(TrimOutcome outcome) {
    return kOutcomes[static_cast<size_t>(outcome)];
}

// The outcome of that name in JSON; absent when there is none.
std::optional<TrimOutcome> OutcomeNamed(std::string_view name);

constexpr bool OutcomesAreInOrder() {
    for (size_t i = 0; i < kOutcomes.size(); ++i) {
        if (static_cast<size_t>(kOutcomes[i].outcome) != i) return false;
    }
    return kOutcomes.size() == static_cast<size_t>(TrimOutcome::kBusy) + 1;
}
static_assert(OutcomesAreInOrder(), "FactsOf() indexes the table by the enumeration");

// What the errno of an open or a FITRIM says of the mount.
TrimOutcome OutcomeOf(int error);

struct MountReceipt {
    std::string mount;
    TrimOutcome outcome = TrimOutcome::kFailed;
    // Why it was not trimmed: one line naming the mount; "" when it was.
    std::string reason;
    // The range that was trimmed, in bytes of the file system. A pass that goes on where another
    // was stopped begins there; one asked for by command then does the first part, too.
    uint64_t range_start_bytes = 0;
    uint64_t range_length_bytes = 0;
    // What FITRIM answered. Absent when it did not run, or answered no count: some file systems
    // answer 2^64-1.
    std::optional<uint64_t> filesystem_bytes;
    // What the block layer discarded on the device meanwhile, by whomever. Absent when the kernel
    // does not count it.
    std::optional<uint64_t> block_layer_bytes;
    std::chrono::nanoseconds duration{};
    // Of that, inside FITRIM: the rest are pauses.
    std::chrono::nanoseconds trimming{};
    uint64_t slices = 0;  // FITRIM calls
    // The queue was throttled for the time of the pass.
    bool throttled = false;
    // The size of discards that the pass ended with, and what one of that size takes. Absent where
    // the queue was not throttled or nothing was measured.
    std::optional<uint64_t> discard_bytes;
    std::optional<std::chrono::nanoseconds> discard_time;
    // The longest that others' reads or writes of the disk took on average during one slice.
    // Absent when there were none, or the kernel does not report.
    std::optional<std::chrono::nanoseconds> worst_foreground;
    // Explains a figure that would mislead; "" when none does.
    std::string note;
    // Whether discards are known to do no harm on this chip: "verified", "unverified" or
    // "quarantined", and why; "" before that was asked. And what the canary wrote for it now.
    std::string canary;
    std::string canary_note;
    uint64_t canary_written_bytes = 0;

    void AddNote(const std::string& more) { note += (note.empty() ? "" : "; ") + more; }
};

// What one run did, mount by mount.
struct TrimReceipt {
    bool manual = false;  // asked for, rather than decided by the policy
    BootTime started{};
    WallTime started_wall{};
    std::chrono::nanoseconds duration{};
    std::vector<MountReceipt> mounts;
    // What the run did beside the trim, in this order.
    std::vector<ActionReceipt> actions;
    // kTrimmed when at least one mount was trimmed and none failed; else the first failure. A run
    // of all mounts passes over those that cannot be trimmed as they are, a run of named ones does
    // not.
    TrimOutcome outcome = TrimOutcome::kFailed;
    std::string reason;  // of the first failure; "" without
    // Every mount that can be trimmed was: what the interval between runs counts from.
    bool complete = false;
    // Of the mounts that were named none could be trimmed: nothing was tried, so it is no run.
    bool refused = false;
};

// A run as a receipt that is kept and shown; docs/dump.schema.json has the keys.
Json::Value ReceiptToJson(const TrimReceipt& receipt);
// The same as the payload of a record.
std::string ReceiptLine(const TrimReceipt& receipt);

// Such a payload. A value of another type or out of
// range is an error; unknown keys are ignored.
android::base::Result<TrimReceipt> ParseReceipt(const std::string& line);

}  // namespace storekeeper
