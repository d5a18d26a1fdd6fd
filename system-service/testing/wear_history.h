// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/split_mix.h"
#include "health/wear_sample.h"

namespace storekeeper {

// A phone whose true wear is known, with the samples that storekeeperd takes of it once a day. Its
// card counts life in steps of 10 % and is read only at boot, as the kernel does it.
class WearHistory {
  public:
    static constexpr WallTime kBegin{1'700'000'000};
    static constexpr uint64_t kGib = 1 << 30;

    // Gives the same numbers for the same seed with any standard library.
    class Random {
      public:
        explicit Random(uint64_t seed) : state_(seed) {}
        // From 0 up to, but not including, 1.
        double Next() {
            return static_cast<double>(Mixed(state_ += kSplitMixStep) >> 11) / 9007199254740992.0;
        }
        double Between(double low, double high) { return low + (high - low) * Next(); }

      private:
        uint64_t state_;
    };

    struct Card {
        std::string chip = "00112233445566aa";
        double used_pct = 12;  // percent of the true life
        // Bytes written for each 10 %, by step: [0] is 0-10 %.
        std::vector<double> bytes_per_step = std::vector<double>(10, 1000.0 * kGib);
    };

    // GiB written on a day, counted from 0.
    using DailyGib = std::function<double(int day)>;

    explicit WearHistory(Card card) : card_(std::move(card)) { Boot(); }

    // Uses the phone for this many days and takes a sample on each.
    void Run(int days, const DailyGib& gib, int boot_every_days) {
        for (int i = 0; i < days; ++i) {
            if (day_ % boot_every_days == 0) Boot();
            Write(gib(day_));
            ++day_;
            clock_ += std::chrono::days{1};
            Sample();
        }
    }

    // Days until 100 % of the life is used, without sampling; -1 if it takes over a century.
    int DaysToEnd(const DailyGib& gib) {
        const int from = day_;
        while (card_.used_pct < 100) {
            if (day_ - from > 36500) return -1;
            Write(gib(day_++));
        }
        return day_ - from;
    }

    void Sample() {
        samples.push_back({.wall = clock_,
                           .boot_id = "boot-" + std::to_string(boots_),
                           .chip = card_.chip,
                           .source = "sysfs",
                           .wear = read_at_boot_,
                           .filesystem_written_bytes = filesystem_bytes_});
    }

    void Boot() {
        ++boots_;
        const uint8_t life = static_cast<uint8_t>(std::min(card_.used_pct / 10, 10.0)) + 1;
        read_at_boot_ = {.ext_csd_rev = 8,
                         .life_time_a = life,
                         .life_time_b = 1,
                         .pre_eol_info = 1};
    }

    void SetClockBy(WallTime by) { clock_ += by; }
    void FactoryReset() {
        filesystem_bytes_ = 0;
        Boot();
    }
    void Replace(Card card) {
        card_ = std::move(card);
        FactoryReset();
    }
    void LosePowerAndBytes(uint64_t bytes) {
        filesystem_bytes_ -= bytes;
        Boot();
    }

    void Write(double gib) {
        double bytes = gib * kGib;
        filesystem_bytes_ += static_cast<uint64_t>(bytes);
        while (bytes > 0 && card_.used_pct < 100) {
            const int step = static_cast<int>(card_.used_pct / 10);
            const double per_pct = card_.bytes_per_step[static_cast<size_t>(step)] / 10;
            const double to_edge = ((step + 1) * 10 - card_.used_pct) * per_pct;
            if (bytes < to_edge) {
                card_.used_pct += bytes / per_pct;
                return;
            }
            bytes -= to_edge;
            card_.used_pct = (step + 1) * 10;
        }
    }

    WallTime clock() const { return clock_; }
    int day() const { return day_; }
    double used_pct() const { return card_.used_pct; }

    std::vector<WearSample> samples;

  private:
    Card card_;
    WallTime clock_ = kBegin;
    int day_ = 0;
    int boots_ = 0;
    WearReading read_at_boot_;
    uint64_t filesystem_bytes_ = 50 * kGib;
};

}  // namespace storekeeper
