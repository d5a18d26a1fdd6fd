// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "maintenance/trim/discard_cost.h"
#include "maintenance/trim/fitrim.h"
#include "testing/fake_clock.h"

namespace storekeeper {

// What ext4 does with FITRIM (fs/ext4/mballoc.c): a group that was trimmed as a whole is passed
// over until a block is freed in it, by FITRIMs whose shortest extent is not below the last one's.
// Since Linux 6.7 an extent that begins in the range is discarded to its end.
class FakeExt4 : public FitrimRunner {
  public:
    static constexpr uint64_t kBlock = 4096;
    static constexpr uint64_t kGroup = 128 << 20;

    FakeExt4(FakeClock& clock, DiscardCost its_cost) : cost(its_cost), clock_(clock) {}

    // It must be free of free extents; within a group.
    void FreeExtent(uint64_t start, uint64_t length) {
        extents_[start] = length;
        trimmed_[start / kGroup] = false;
    }
    void Take(uint64_t start) { extents_.erase(start); }

    struct Discard {
        uint64_t start = 0;
        uint64_t bytes = 0;

        bool operator==(const Discard&) const = default;
    };
    DiscardCost cost;
    std::vector<Discard> discards;
    std::vector<TrimRange> fitrims;
    uint64_t granularity = 512 << 10;
    // Linux before 5.18 takes a group for trimmed once any range of it was.
    bool marks_early = false;
    // What FS_IOC_GETFSMAP fails with when not 0.
    int map_error = 0;
    // Runs before each FITRIM.
    std::function<void()> before_each = [] {};

    android::base::Result<std::unique_ptr<TrimSession>> Begin(android::base::unique_fd,
                                                              const std::string&) override {
        return std::make_unique<Session>(*this);
    }

  private:
    class Session : public TrimSession {
      public:
        explicit Session(FakeExt4& fs) : fs_(fs) {}

        android::base::Result<TrimAnswer> Trim(const TrimRange& range, const StopSignal& stop,
                                               const Meanwhile&) override {
            fs_.before_each();
            if (stop.raised()) return android::base::Error(EINTR) << "stopped";
            fs_.fitrims.push_back(range);
            const auto start = fs_.clock_.Monotonic();
            const uint64_t bytes = fs_.Trim(range);
            return TrimAnswer{.bytes = bytes, .took = fs_.clock_.Monotonic() - start};
        }

        android::base::Result<FreeMap> Free(const TrimRange& range, const StopSignal&) override {
            if (fs_.map_error != 0) return android::base::Error(fs_.map_error) << "GETFSMAP";
            FreeMapMaker maker(range);
            for (const auto& [start, length] : fs_.extents_) {
                maker.Add({.fmr_physical = start, .fmr_owner = FMR_OWN_FREE, .fmr_length = length});
            }
            return maker.Done();
        }

      private:
        FakeExt4& fs_;
    };

    uint64_t Trim(const TrimRange& range) {
        const uint64_t end = range.start + range.length;
        if (end / kBlock < 2) return 0;  // up to the first data block: nothing, not even a mark
        const uint64_t shortest = std::max(range.min_bytes, granularity);
        uint64_t bytes = 0;
        for (uint64_t group = range.start / kGroup; group * kGroup < end; ++group) {
            bytes += TrimGroup(group, range, shortest);
        }
        last_shortest_ = shortest;
        return bytes;
    }

    uint64_t TrimGroup(uint64_t group, const TrimRange& range, uint64_t shortest) {
        const uint64_t begin = std::max(range.start, group * kGroup);
        const uint64_t end = std::min(range.start + range.length, (group + 1) * kGroup);
        uint64_t bytes = 0;
        uint64_t free = 0;
        for (const auto& [start, length] : extents_) {
            if (start / kGroup == group) free += length;
        }
        if (free < shortest) return 0;
        if (trimmed_[group] && shortest >= last_shortest_) return 0;
        for (const auto& [start, length] : extents_) {
            if (start < begin || start >= end || length < shortest) continue;
            discards.push_back({.start = start, .bytes = length});
            clock_.Advance(cost.Of(length));
            bytes += length;
        }
        if (end - begin == kGroup || marks_early) trimmed_[group] = true;
        return bytes;
    }

    FakeClock& clock_;
    std::map<uint64_t, uint64_t> extents_;
    std::map<uint64_t, bool> trimmed_;
    uint64_t last_shortest_ = 0;
};

}  // namespace storekeeper
