// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "health/wear_sample.h"

namespace storekeeper {

// A longer gap between two samples is left out of rates: a phone that lay in a drawer looks like
// a clock that leapt.
inline constexpr WallTime kLongestGap = std::chrono::days{60};
// Clocks are set back by so much in everyday use; more is a jump.
inline constexpr WallTime kClockSlack = std::chrono::hours{1};

enum class WearField { kLifeTimeA, kLifeTimeB, kPreEol };
inline constexpr WearField kWearFields[] = {WearField::kLifeTimeA, WearField::kLifeTimeB,
                                            WearField::kPreEol};

// "life_time_a", "life_time_b", "pre_eol_info".
std::string_view WearFieldName(WearField field);

// The field's value as the standard defines it: 1-11 of a life time, 1-3 of PRE_EOL_INFO. Absent
// when the card does not report or reports what no standard knows.
std::optional<uint8_t> WearValue(const WearReading& wear, WearField field);

// A field was seen to have moved on.
struct LedgerStep {
    WearField field = WearField::kLifeTimeA;
    uint8_t from = 0;
    uint8_t to = 0;
    WallTime wall{};  // when the new value was first seen
    // Seen since the field's step before; absent where that was not seen.
    std::optional<uint64_t> written_bytes;
    // Between which figures of LedgerPoint::written_bytes it really moved. A card's wear is read
    // at its initialisation, so the old value is certain only for the beginning of its boot.
    // Absent where the file system did not report.
    std::optional<uint64_t> moved_after_bytes;
    std::optional<uint64_t> moved_before_bytes;
};

struct LedgerEvent {
    enum class Kind { kFirstSeen, kChipReplaced, kFactoryReset, kClockJumped };

    Kind kind = Kind::kFirstSeen;
    WallTime wall{};
    std::string text;
};

// "first_seen", "chip_replaced", "factory_reset", "clock_jumped".
std::string_view LedgerEventName(LedgerEvent::Kind kind);

// One sample of the chip, put in order.
struct LedgerPoint {
    WallTime wall{};
    WearReading wear;
    // Written while this chip was watched and the file system was counted. Absent where it was not;
    // then the count begins anew.
    std::optional<uint64_t> written_bytes;
    // The figure above at the first sample of the same boot: what the wear is the state of, but
    // for UFS, which is asked each time.
    std::optional<uint64_t> wear_written_bytes;
    // Whether written_bytes has all that was written since the point before. False for the first
    // point that the file system reports for, and after others for which it did not.
    bool counted = false;
    // The time it was watched by a clock that can be believed; gaps and jumps add nothing.
    WallTime watched{};
    // False when the time since the point before is not known.
    bool follows = false;
};

// A chip's wear against what was written to it.
struct Ledger {
    std::string chip;  // as in WearSample; the newest one's
    std::optional<WallTime> since;
    std::vector<LedgerPoint> points;  // in the order of taking
    std::optional<uint64_t> written_bytes;
    // Why the kernel does not count it now, WhyNotCounted(); "" if it does or is not known to.
    std::string not_counted;
    std::vector<LedgerStep> steps;
    std::vector<LedgerEvent> events;
};

// Why it has no written_bytes.
std::string WhyNoBytes(const Ledger& ledger);

// `samples` in the order of taking, whatever their clocks say. Only the newest chip's count; a
// sample that does not report its chip is left out when others do.
//
// Written bytes are the increases of the file system's counter. One that fell by less than half is
// a power cut (ext4 stores its counter with the superblock only): nothing is counted. One that
// fell further belongs to a new file system, and all it says was written since. Where samples have
// no count the kernel did not keep it: later counts lack what was written then. They begin anew,
// and the steps before are no measure.
Ledger BuildLedger(std::span<const WearSample> samples);

}  // namespace storekeeper
