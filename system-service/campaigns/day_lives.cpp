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

constexpr double kGib = 1 << 30;
constexpr WallTime kBegin{1'700'000'000};

// An AR(1) process with a standard deviation of 1 and a memory of `days`.
class Wandering {
  public:
    Wandering(Draws* draws, double days) : draws_(*draws), keeps_(std::exp(-1 / days)) {
        value_ = draws_.Normal();
    }
    double Next() {
        value_ = keeps_ * value_ + std::sqrt(1 - keeps_ * keeps_) * draws_.Normal();
        return value_;
    }

  private:
    Draws& draws_;
    const double keeps_;
    double value_;
};

class Phone {
  public:
    Phone(LifeCase life_case, uint64_t seed)
          : case_(life_case), draws_(seed), amplification_(&draws_, 40), level_(&draws_, 60) {
        bytes_per_day_ = draws_.LogBetween(4, 20) * kGib;
        life_bytes_ = bytes_per_day_ * draws_.LogBetween(900, 3600);
        used_ = draws_.Between(0, 0.10);
        if (case_ == LifeCase::kDrift) drift_ = draws_.Between(0, 0.4);
        filesystem_bytes_ = static_cast<uint64_t>(used_ * life_bytes_);
    }

    Life Run(LifeStage stage) {
        const double until = stage == LifeStage::kMiddle ? draws_.Between(0.25, 0.75)
                                                         : used_ + draws_.Between(0.03, 0.20);
        Life life;
        while (used_ < until) {
            Live();
            life.samples.push_back({.wall = kBegin + days{day_},
                                    .boot_id = std::to_string(boots_),
                                    .chip = "00112233445566aa",
                                    .source = "sysfs",
                                    .wear = wear_,
                                    .filesystem_written_bytes = filesystem_bytes_});
        }
        life.now = kBegin + days{day_};
        if (case_ == LifeCase::kChange) bytes_per_day_ *= std::exp(0.5 * draws_.Normal());
        while (used_ < 1) Live();
        life.left = kBegin + days{day_} - life.now;
        return life;
    }

  private:
    bool bursty() const { return case_ == LifeCase::kBursts || case_ == LifeCase::kChange; }

    void Live() {
        if (day_ == next_boot_) Boot();
        if (day_ % 7 == 0) week_ = WeekFactor();
        if (case_ == LifeCase::kHabits && --habit_days_ <= 0) {
            habit_days_ = draws_.Between(60, 300);
            habit_ = std::exp(0.5 * draws_.Normal());
        }
        const double weekend = day_ % 7 >= 5 ? 1.3 : 1;
        const double bytes = bytes_per_day_ * habit_ * week_ * weekend *
                             std::exp(0.4 * draws_.Normal()) * std::exp(0.1 * level_.Next());
        filesystem_bytes_ += static_cast<uint64_t>(bytes);
        used_ += bytes / life_bytes_ * std::exp(0.12 * amplification_.Next()) *
                 (1 + drift_ * (used_ - 0.5));
        ++day_;
    }

    double WeekFactor() {
        if (!bursty()) return 1;
        if (weeks_left_-- <= 0) {
            heavy_ = !heavy_;
            weeks_left_ = static_cast<int>((heavy_ ? 13 : 26) * draws_.Exponential());
            spell_ = heavy_ ? draws_.Between(1.3, 2.3) : draws_.Between(0.6, 1);
        }
        return spell_;
    }

    void Boot() {
        ++boots_;
        next_boot_ = day_ + 1 + static_cast<int>(draws_.Between(0, bursty() ? 60 : 14));
        const uint8_t life = static_cast<uint8_t>(std::min(used_ * 10, 10.0)) + 1;
        wear_ = {.ext_csd_rev = 8, .life_time_a = life, .life_time_b = 1, .pre_eol_info = 1};
    }

    const LifeCase case_;
    Draws draws_;
    Wandering amplification_;
    Wandering level_;
    double bytes_per_day_ = 0;
    double life_bytes_ = 0;
    double used_ = 0;
    double drift_ = 0;
    double week_ = 1;
    bool heavy_ = false;
    int weeks_left_ = 0;  // rest of the spell
    double spell_ = 1;
    double habit_ = 1;
    double habit_days_ = 0;
    int day_ = 0;
    int next_boot_ = 0;
    int boots_ = 0;
    WearReading wear_;
    uint64_t filesystem_bytes_ = 0;
};

}  // namespace

Life DayByDay(LifeCase life_case, LifeStage stage, uint64_t seed) {
    return Phone(life_case, seed).Run(stage);
}

}  // namespace storekeeper
