// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <algorithm>
#include <cmath>
#include <string>

#include "campaigns/draws.h"
#include "campaigns/lives.h"

namespace storekeeper {
namespace {

using std::chrono::days;
using std::chrono::hours;

constexpr double kMib = 1 << 20;
constexpr double kGib = 1 << 30;
constexpr WallTime kBegin{1'600'000'000};

// A pool of evenly worn blocks. Wear is counted in whole erasures.
struct Pool {
    double block_bytes = 0;
    double rated_erasures = 0;
    double filled_bytes = 0;  // bytes of the open block
    double erasures = 0;

    void Program(double bytes) {
        filled_bytes += bytes;
        const double blocks = std::floor(filled_bytes / block_bytes);
        erasures += blocks;
        filled_bytes -= blocks * block_bytes;
    }
    double used() const { return erasures / rated_erasures; }
    uint8_t life_time() const { return static_cast<uint8_t>(std::min(used() * 10, 10.0)) + 1; }
};

class Phone {
  public:
    Phone(LifeCase life_case, uint64_t seed) : case_(life_case), draws_(seed) {
        files_per_day_ = draws_.LogBetween(30, 150);
        small_gib_ = draws_.LogBetween(1, 6);
        full_ = draws_.Between(0.4, 0.8);
        clean_at_ = draws_.Between(0.82, 0.95);
        cleaned_to_ = clean_at_ - draws_.Between(0.1, 0.3);
        fill_per_gib_ = draws_.LogBetween(0.0003, 0.002);
        // Bytes of large and small files, amplified.
        const double years = draws_.LogBetween(2, 8);
        const double a_day = (files_per_day_ * 0.03 + small_gib_) * kGib * 2.2;
        main_ = {.block_bytes = 4 * kMib, .rated_erasures = a_day * 365 * years / (4 * kMib)};
        small_ = {.block_bytes = kMib,
                  .rated_erasures =
                          small_gib_ * kGib * 1.1 * 365 * years * draws_.Between(1.2, 3) / kMib};
        main_.erasures = std::floor(main_.rated_erasures * draws_.Between(0, 0.12));
        small_.erasures = std::floor(main_.used() * small_.rated_erasures * 0.7);
        if (case_ == LifeCase::kDrift) growth_ = draws_.Between(0, 0.5);
    }

    Life Run(LifeStage stage) {
        const double until = stage == LifeStage::kMiddle ? draws_.Between(0.25, 0.75)
                                                         : used() + draws_.Between(0.03, 0.20);
        Life life;
        while (used() < until) {
            LiveADay();
            // The daemon takes its sample at some hour; on some days it takes none.
            if (draws_.Share() < 0.1 || away_days_ > 0) continue;
            life.now = kBegin + days{day_} + hours{static_cast<int>(draws_.Between(0, 20))};
            life.samples.push_back({.wall = life.now,
                                    .boot_id = std::to_string(boots_),
                                    .chip = "99aabbccddeeff00",
                                    .source = "sysfs",
                                    .wear = wear_,
                                    .filesystem_written_bytes =
                                            static_cast<uint64_t>(written_) & ~uint64_t{1023}});
        }
        if (case_ == LifeCase::kChange) changed_ = std::exp(0.5 * draws_.Normal());
        while (used() < 1) LiveADay();
        life.left = kBegin + days{day_} - life.now;
        return life;
    }

  private:
    bool bursty() const { return case_ == LifeCase::kBursts || case_ == LifeCase::kChange; }
    double used() const { return std::max(main_.used(), small_.used()); }

    void LiveADay() {
        if (away_days_ == 0 && draws_.Share() < 0.004) {
            away_days_ = 1 + static_cast<int>(draws_.Between(0, 14));
        }
        if (day_ >= next_boot_) Boot();
        if (away_days_ > 0) {
            --away_days_;
        } else {
            Use();
        }
        ++day_;
    }

    // Files whose size has a heavy tail, and small writes of applications.
    void Use() {
        if (case_ == LifeCase::kHabits && day_ >= next_change_) {
            next_change_ = day_ + 30 + static_cast<int>(150 * draws_.Exponential());
            changed_ = std::exp(0.5 * draws_.Normal());
        }
        const double habit = Habit() * changed_;
        const int files = static_cast<int>(std::round(files_per_day_ * habit));
        double large = 0;
        for (int i = 0; i < files; ++i) {
            large += std::min(10 * kMib * std::pow(1 - draws_.Share(), -1 / 1.3), 8 * kGib);
        }
        if (day_ % 31 == 17) large += 3 * kGib;  // an update of the system
        const double small = small_gib_ * kGib * habit * draws_.Between(0.7, 1.3);
        written_ += large + small;
        full_ += large / kGib * fill_per_gib_ * draws_.Between(0, 2);
        if (full_ > clean_at_) full_ = cleaned_to_;
        // Write amplification by moving valid data to free a block, as in a log of this fill level.
        const double amplification =
                (1 + 0.35 * full_ / (1 - full_)) * (1 + growth_ * main_.used() * main_.used());
        main_.Program((large + 0.5 * small) * amplification);
        small_.Program(0.8 * small * (1 + growth_ * small_.used()));
    }

    // Factor of the usual use, in spells of weeks.
    double Habit() {
        if (!bursty()) return 1;
        if (day_ >= spell_ends_) {
            heavy_ = !heavy_;
            const double mean_days = heavy_ ? 30 : 60;
            spell_ends_ = day_ + 1 + static_cast<int>(mean_days * draws_.Exponential());
            spell_ = heavy_ ? 1.2 + 0.6 * draws_.Exponential() : draws_.Between(0.5, 0.9);
        }
        return spell_;
    }

    void Boot() {
        ++boots_;
        next_boot_ = day_ + 1 +
                     static_cast<int>(bursty() ? draws_.Between(0, 60)
                                               : std::min(30.0, 8 * draws_.Exponential()));
        wear_ = {.ext_csd_rev = 8,
                 .life_time_a = small_.life_time(),
                 .life_time_b = main_.life_time(),
                 .pre_eol_info = 1};
    }

    const LifeCase case_;
    Draws draws_;
    double files_per_day_ = 0;
    double small_gib_ = 0;
    double full_ = 0;
    double clean_at_ = 0;
    double cleaned_to_ = 0;
    double fill_per_gib_ = 0;
    double growth_ = 0;
    double changed_ = 1;
    int next_change_ = 0;
    double written_ = 0;
    Pool main_;
    Pool small_;
    bool heavy_ = false;
    double spell_ = 1;
    int spell_ends_ = 0;
    int away_days_ = 0;
    int day_ = 0;
    int next_boot_ = 0;
    int boots_ = 0;
    WearReading wear_;
};

}  // namespace

Life BlockByBlock(LifeCase life_case, LifeStage stage, uint64_t seed) {
    return Phone(life_case, seed).Run(stage);
}

}  // namespace storekeeper
