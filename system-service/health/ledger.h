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

// Longer gaps between two samples do not count for rates: a phone in a drawer looks like a clock
// that jumped.
inline constexpr WallTime kLongestGap = std::chrono::days{60};
// Larger backward steps of the clock count as a jump; smaller ones are everyday corrections.
inline constexpr WallTime kClockSlack = std::chrono::hours{1};

enum class WearField { kLifeTimeA, kLifeTimeB, kPreEol };
inline constexpr WearField kWearFields[] = {WearField::kLifeTimeA, WearField::kLifeTimeB,
                                            WearField::kPreEol};

// The field's name in records: "life_time_a", "life_time_b" or "pre_eol_info".
std::string_view WearFieldName(WearField field);

// The field's value as the standard defines it: 1-11 for a life time, 1-3 for PRE_EOL_INFO. Absent
// if the card reports no value or a reserved one.
std::optional<uint8_t> WearValue(const WearReading& wear, WearField field);

// An observed increase of a field.
struct LedgerStep {
    WearField field = WearField::kLifeTimeA;
    uint8_t from = 0;
    uint8_t to = 0;
    WallTime wall{};  // first sample with the new value
    // Bytes written since the field's previous step; absent if that step was not observed.
    std::optional<uint64_t> written_bytes;
    // Bounds of the step, as values of LedgerPoint::written_bytes. The kernel reads a card's wear
    // when it initialises the card, so an old value is certain only for the beginning of its boot.
    // Absent if the file system did not report.
    std::optional<uint64_t> moved_after_bytes;
    std::optional<uint64_t> moved_before_bytes;
};

struct LedgerEvent {
    enum class Kind { kFirstSeen, kChipReplaced, kFactoryReset, kClockJumped };

    Kind kind = Kind::kFirstSeen;
    WallTime wall{};
    std::string text;
};

// The kind's name: "first_seen", "chip_replaced", "factory_reset" or "clock_jumped".
std::string_view LedgerEventName(LedgerEvent::Kind kind);

// One sample in the ledger.
struct LedgerPoint {
    WallTime wall{};
    WearReading wear;
    // Bytes written while this chip was observed and the file system counted. Absent if it did not
    // count; the sum then restarts at 0.
    std::optional<uint64_t> written_bytes;
    // written_bytes at the moment to which the wear belongs: the first sample of the same boot, or
    // this sample for UFS, which is queried each time.
    std::optional<uint64_t> wear_written_bytes;
    // True if written_bytes includes everything written since the previous point. False for the
    // first point with a count, also after points without one.
    bool counted = false;
    // Time observed by a trustworthy clock; gaps and jumps add nothing.
    WallTime watched{};
    // True if the time since the previous point is known.
    bool follows = false;
};

// A chip's wear as a function of the bytes written to it.
struct Ledger {
    std::string chip;  // id as in WearSample, of the newest sample
    std::optional<WallTime> since;
    std::vector<LedgerPoint> points;  // oldest first, by time of taking
    std::optional<uint64_t> written_bytes;
    // The reason why the kernel does not count now, WhyNotCounted(); "" if it counts or that is
    // unknown.
    std::string not_counted;
    std::vector<LedgerStep> steps;
    std::vector<LedgerEvent> events;
};

// The reason why written_bytes is absent.
std::string WhyNoBytes(const Ledger& ledger);

// `samples` are in the order of taking, regardless of their clocks. Only samples of the newest chip
// count. If some samples name a chip, those without one are skipped.
//
// Written bytes are the increases of the file system's counter. If it fell by less than half, a
// power cut lost part of it (ext4 stores it with the superblock only), and nothing is added. If it
// fell further, the file system is new, and the whole counter is added. Samples without a counter
// mean that the kernel did not count: later counters lack those writes. The sum then restarts at 0,
// and earlier steps give no measure.
Ledger BuildLedger(std::span<const WearSample> samples);

}  // namespace storekeeper
