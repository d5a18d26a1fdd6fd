// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ledger.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/quantity_text.h"
#include "health/ext_csd_fields.h"

namespace storekeeper {
namespace {

// Unset clocks count from 1970; no sample was taken before this date.
constexpr WallTime kFirstBelievable = std::chrono::days{14610};  // 2010-01-01

int64_t Days(WallTime time) {
    return std::chrono::duration_cast<std::chrono::days>(time).count();
}

// Bounds a garbage clock value, so that arithmetic with it cannot overflow.
WallTime ClampClock(WallTime wall) {
    constexpr WallTime kEnd = std::chrono::years{10000};
    return std::clamp(wall, WallTime{0}, kEnd);
}

// A field at its last sample.
struct FieldState {
    std::optional<uint8_t> value;
    std::optional<uint64_t> certain_at;    // bytes written when it certainly had this value
    std::optional<uint64_t> last_step_at;  // bytes written when its last step was seen
};

class Builder {
  public:
    explicit Builder(std::string chip) { ledger_.chip = std::move(chip); }

    void Add(const WearSample& sample) {
        LedgerPoint point{.wear = sample.wear};
        AddTime(sample, &point);
        AddWritten(sample, &point);
        point.written_bytes = ledger_.written_bytes;
        const bool new_boot = ledger_.points.empty() || sample.boot_id != boot_id_;
        // Samples without a boot id count as one boot: the wear is then as old as the first of
        // them.
        if (new_boot || !boot_written_.has_value()) boot_written_ = point.written_bytes;
        boot_id_ = sample.boot_id;
        // The kernel queries only a UFS at each reading.
        point.wear_written_bytes = sample.source == "ufs" ? point.written_bytes : boot_written_;
        for (WearField field : kWearFields) AddWear(field, point);
        ledger_.points.push_back(point);
    }

    void NoteReplaced(const WearSample& sample, const std::string& before) {
        Note(LedgerEvent::Kind::kChipReplaced, ClampClock(sample.wall),
             "chip " + sample.chip + " in place of " + before);
    }

    Ledger Finish() { return std::move(ledger_); }

  private:
    void Note(LedgerEvent::Kind kind, WallTime wall, std::string text) {
        ledger_.events.push_back({.kind = kind, .wall = wall, .text = std::move(text)});
    }

    // The clock went back before recorded times, so the earlier step beyond `wall` was a jump, not
    // elapsed time.
    void DistrustLeapTo(WallTime wall) {
        std::vector<LedgerPoint>& points = ledger_.points;
        for (size_t i = points.size(); i-- > 1;) {
            if (points[i - 1].wall > wall) continue;
            if (!points[i].follows) return;
            const WallTime leap = points[i].watched - points[i - 1].watched;
            points[i].follows = false;
            for (size_t j = i; j < points.size(); ++j) points[j].watched -= leap;
            return;
        }
    }

    void AddTime(const WearSample& sample, LedgerPoint* point) {
        point->wall = ClampClock(sample.wall);
        if (ledger_.points.empty()) {
            ledger_.since = point->wall;
            Note(LedgerEvent::Kind::kFirstSeen, point->wall,
                 ledger_.chip.empty() ? "a chip without an identity" : "chip " + ledger_.chip);
            return;
        }
        const WallTime before = ledger_.points.back().wall;
        const WallTime passed = point->wall - before;
        point->watched = ledger_.points.back().watched;
        if (passed < -kClockSlack) {
            Note(LedgerEvent::Kind::kClockJumped, point->wall,
                 "the clock went back by " + Counted(Days(-passed), "day"));
            DistrustLeapTo(point->wall);
            point->watched = ledger_.points.back().watched;
        } else if (passed > kLongestGap || (before < kFirstBelievable && passed > kClockSlack &&
                                            point->wall >= kFirstBelievable)) {
            Note(LedgerEvent::Kind::kClockJumped, point->wall,
                 "the clock went on by " + Counted(Days(passed), "day") +
                         " between two samples: it was set, or the device was off");
        } else {
            point->follows = true;
            point->watched += std::max(passed, WallTime{0});
        }
    }

    void ForgetWritten() {
        ledger_.written_bytes.reset();
        counter_.reset();
        boot_written_.reset();
        for (FieldState& state : fields_) {
            state.certain_at.reset();
            state.last_step_at.reset();
        }
        for (LedgerStep& step : ledger_.steps) {
            step.moved_after_bytes.reset();
            step.moved_before_bytes.reset();
        }
    }

    void AddWritten(const WearSample& sample, LedgerPoint* point) {
        if (!sample.filesystem_written_bytes.has_value()) {
            ForgetWritten();
            return;
        }
        point->counted = counter_.has_value();
        const uint64_t now = *sample.filesystem_written_bytes;
        uint64_t written = ledger_.written_bytes.value_or(0);
        uint64_t more = 0;
        if (counter_.has_value() && now >= *counter_) {
            more = now - *counter_;
        } else if (counter_.has_value() && now < *counter_ / 2) {
            Note(LedgerEvent::Kind::kFactoryReset, ClampClock(sample.wall),
                 "the file system of /data was recreated");
            more = now;
        }
        // A garbage counter must not wrap the sum.
        ledger_.written_bytes =
                written + std::min(more, std::numeric_limits<uint64_t>::max() - written);
        counter_ = now;
    }

    void AddWear(WearField field, const LedgerPoint& point) {
        const std::optional<uint8_t> value = WearValue(point.wear, field);
        if (!value.has_value()) return;
        FieldState& state = fields_[static_cast<size_t>(field)];
        if (state.value.has_value() && *value > *state.value) {
            LedgerStep step{.field = field, .from = *state.value, .to = *value, .wall = point.wall};
            // A measured length stays valid even if the bounds below are unknown.
            if (state.last_step_at.has_value()) {
                step.written_bytes = *point.written_bytes - *state.last_step_at;
            }
            step.moved_after_bytes = state.certain_at;
            step.moved_before_bytes = point.written_bytes;
            if (!step.moved_after_bytes.has_value()) step.moved_before_bytes.reset();
            ledger_.steps.push_back(step);
            state.last_step_at = point.written_bytes;
        } else if (state.value.has_value() && *value < *state.value) {
            // Life does not come back, so the earlier higher readings were wrong.
            std::erase_if(ledger_.steps, [&](const LedgerStep& step) {
                return step.field == field && step.to > *value;
            });
            state.last_step_at.reset();
        }
        state.value = value;
        state.certain_at = point.wear_written_bytes;
    }

    Ledger ledger_;
    std::optional<uint64_t> counter_;  // the file system's counter
    std::string boot_id_;
    std::optional<uint64_t> boot_written_;
    FieldState fields_[std::size(kWearFields)];
};

}  // namespace

std::string_view WearFieldName(WearField field) {
    constexpr std::string_view kNames[] = {"life_time_a", "life_time_b", "pre_eol_info"};
    return kNames[static_cast<size_t>(field)];
}

std::optional<uint8_t> WearValue(const WearReading& wear, WearField field) {
    if (wear.ext_csd_rev.value_or(kFirstRevWithHealth) < kFirstRevWithHealth) return std::nullopt;
    const std::optional<uint8_t>& value = field == WearField::kLifeTimeA   ? wear.life_time_a
                                          : field == WearField::kLifeTimeB ? wear.life_time_b
                                                                           : wear.pre_eol_info;
    const uint8_t last = field == WearField::kPreEol ? kPreEolUrgent : kPastRatedLife;
    if (!value.has_value() || *value == 0 || *value > last) return std::nullopt;
    return value;
}

std::string_view LedgerEventName(LedgerEvent::Kind kind) {
    constexpr std::string_view kNames[] = {"first_seen", "chip_replaced", "factory_reset",
                                           "clock_jumped"};
    return kNames[static_cast<size_t>(kind)];
}

std::string WhyNoBytes(const Ledger& ledger) {
    if (!ledger.not_counted.empty()) return "bytes written are " + ledger.not_counted;
    return "the file system does not report bytes written";
}

Ledger BuildLedger(std::span<const WearSample> samples) {
    std::string chip;
    for (const WearSample& sample : samples) {
        if (!sample.chip.empty()) chip = sample.chip;
    }
    Builder builder(chip);
    std::string before;
    for (const WearSample& sample : samples) {
        if (sample.chip.empty() && !chip.empty()) continue;
        const bool current = sample.chip == chip;
        if (current && !before.empty() && before != chip) builder.NoteReplaced(sample, before);
        if (current) builder.Add(sample);
        before = sample.chip;
    }
    return builder.Finish();
}

}  // namespace storekeeper
