// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <sysexits.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

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
    kChipQuirk,  // trims would harm the chip
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

}  // namespace storekeeper
