// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/honesty.h"

#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <algorithm>
#include <cmath>

#include "bench/statistics.h"
#include "mounts/mount_audit.h"

namespace storekeeper {
namespace {

using android::base::Join;
using android::base::StringPrintf;
using Level = BenchReason::Level;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// NTP may slew by 500 ppm (adjtimex(2)). The delay between reading two clocks is far below the
// slack.
constexpr double kSlewed = 0.001;
constexpr double kStretched = 0.005;
constexpr nanoseconds kClockSlack = std::chrono::microseconds(200);
constexpr nanoseconds kSuspended = milliseconds(1);
constexpr nanoseconds kWallStep = milliseconds(10);
// fio counts whole milliseconds; below this time, one of them is more than 1 %.
constexpr nanoseconds kShortest = milliseconds(100);
constexpr nanoseconds kTimeSlack = milliseconds(2);
// fio's time to start differs from run to run.
constexpr nanoseconds kGapSlack = milliseconds(150);
// The block layer counts time in ticks of at most 10 ms.
constexpr nanoseconds kBusySlack = milliseconds(30);
constexpr uint64_t kByteSlack = 64 * 1024;
constexpr uint64_t kForeignBytes = 1024 * 1024;
// Blocks of a journal or of nodes that a write or a sync may cause.
constexpr uint64_t kMetadataBytes = 24 * 1024;
constexpr int kHeatedTenths = 100;
// HS400: 200 MHz, both edges, 8 bits (JESD84-B51, 5.3.2).
constexpr double kFastestMmc = 400;  // MB/s
// No flash programs a page faster in any mode.
constexpr nanoseconds kFastestProgram = std::chrono::microseconds(50);

uint64_t Excess(uint64_t more, uint64_t less) {
    return more > less ? more - less : 0;
}

class Judge {
  public:
    Judge(const Claim& claim, const BenchPlace& place, const DeviceState& before,
          const DeviceState& after)
          : claim_(claim), place_(place), before_(before), after_(after) {}

    std::vector<BenchReason> Reasons() && {
        JudgeClocks();
        JudgeTime();
        JudgeDisk();
        JudgeBarriers();
        JudgePhysics();
        JudgeDevice();
        return std::move(reasons_);
    }

  private:
    void Add(const char* code, Level level, const std::string& text) {
        reasons_.push_back({.code = code, .level = level, .text = text});
    }

    nanoseconds Raw() const { return after_.clocks.raw - before_.clocks.raw; }

    void JudgeClocks() {
        const ClockSet& a = before_.clocks;
        const ClockSet& b = after_.clocks;
        const nanoseconds monotonic = b.monotonic - a.monotonic;
        JudgeRate("CLOCK_MONOTONIC went", monotonic, kSlewed);
        // The tolerance is larger, because the firmware reports the rate of the processor's
        // counter.
        if (a.counter.has_value() && b.counter.has_value()) {
            JudgeRate("the processor counted", *b.counter - *a.counter, kStretched);
        }
        const nanoseconds suspended = (b.boot - a.boot) - monotonic;
        if (suspended > kSuspended) {
            Add("suspended", Level::kInvalid,
                StringPrintf("the device was suspended for %.0f ms", Milliseconds(suspended)));
        }
        const nanoseconds stepped = (b.wall - a.wall) - (b.boot - a.boot);
        if (std::chrono::abs(stepped) > kWallStep) {
            Add("wall_stepped", Level::kNote,
                StringPrintf("the time of day was set by %.0f ms; nothing here is timed with it",
                             Milliseconds(stepped)));
        }
    }

    void JudgeRate(const char* what, nanoseconds counted, double tolerated) {
        const nanoseconds apart = std::chrono::abs(counted - Raw());
        const double share = Seconds(apart) / std::max(Seconds(Raw()), 1e-9);
        if (apart <= kClockSlack || share <= tolerated) return;
        Add("clock_rate", share > kStretched ? Level::kInvalid : Level::kSuspect,
            StringPrintf("%s %.1f ms while CLOCK_MONOTONIC_RAW went %.1f ms", what,
                         Milliseconds(counted), Milliseconds(Raw())));
    }

    void JudgeTime() {
        const nanoseconds raw = Raw();
        if (claim_.time < kShortest) {
            Add("too_short", Level::kSuspect,
                StringPrintf("it took %.0f ms, counted in whole ones; a larger matrix takes longer",
                             Milliseconds(claim_.time)));
        }
        if (claim_.time > raw + raw / 100 + kTimeSlack) {
            Add("time_long", Level::kInvalid,
                StringPrintf("%.0f ms are claimed, %.0f ms passed", Milliseconds(claim_.time),
                             Milliseconds(raw)));
        }
        // It is no proof: on a busy device fio may have waited for the processor.
        if (HasGap()) {
            Add("time_gap", Level::kSuspect,
                StringPrintf("%.0f ms are claimed of %.0f ms that passed, %.0f of these to start",
                             Milliseconds(claim_.time), Milliseconds(raw),
                             Milliseconds(place_.overhead)));
        }
    }

    // True if more time passed than the job and its start took, with allowance for their scatter.
    bool HasGap() const {
        return Raw() - place_.overhead - claim_.time >
               claim_.time / 10 + place_.overhead / 2 + kGapSlack;
    }

    void JudgeDisk() {
        const std::optional<DiskStats> done = DiskBetween(before_, after_);
        if (!done.has_value()) {
            const std::string why =
                    place_.no_disk.empty() ? "its counters could not be read" : place_.no_disk;
            const bool are_read = before_.disk.has_value() && after_.disk.has_value();
            Add("no_disk", Level::kSuspect,
                are_read ? "the counters of the disk have wrapped"
                         : "no disk has counters for this folder, so nothing can be checked: " +
                                   why);
            return;
        }
        JudgeBytes("page_cache", "read", "from", claim_.read_bytes, done->read_bytes);
        JudgeBytes("bytes_missing", "written", "to", claim_.written_bytes, done->written_bytes);
        if (claim_.compressible) {
            Add("compressible", Level::kInvalid, "the data is compressible; write random data");
        }
        JudgeBusy(done->busy, JudgeForeign(done->read_bytes, done->written_bytes));
        if (done->discarded_bytes > 0) {
            // A mount with discard sends those of removed files, also the job's own, at any time.
            Add("trim_running", place_.mount.HasOption("discard") ? Level::kNote : Level::kSuspect,
                StringPrintf("%.1f MB were discarded meanwhile",
                             Megabytes(*done->discarded_bytes)));
        }
        JudgeFlushes(done->flushes);
    }

    // If the disk was busy for longer than the claimed time, the job took longer. An exception is a
    // disk that other processes kept busy while fio started.
    void JudgeBusy(nanoseconds busy, bool by_others) {
        const nanoseconds before = std::min(place_.overhead, claim_.time / 4);
        if (busy <= claim_.time + claim_.time / 20 + before + kBusySlack) return;
        Add("time_short", by_others || !HasGap() ? Level::kSuspect : Level::kInvalid,
            StringPrintf("the disk was busy for %.0f ms, %.0f ms are claimed", Milliseconds(busy),
                         Milliseconds(claim_.time)));
    }

    void JudgeBytes(const char* code, const char* done, const char* way, uint64_t claimed,
                    uint64_t seen) {
        if (seen + claimed / 100 + std::min(kByteSlack, claimed / 20) >= claimed) return;
        Add(code, Level::kInvalid,
            StringPrintf("%.1f MB were %s, %.1f MB of them %s the disk", Megabytes(claimed), done,
                         Megabytes(seen), way));
    }

    // True if the disk served other processes. The file system's own writes do not count: a few
    // blocks for each write of the job, hardly more than small writes have themselves. Through the
    // page cache, a page that two writes share is written twice, and reads are not counted because
    // of read-ahead.
    bool JudgeForeign(uint64_t read, uint64_t written) {
        const uint64_t own = std::min(claim_.written_bytes * (claim_.direct ? 1 : 2),
                                      claim_.writes * kMetadataBytes) +
                             claim_.syncs * kMetadataBytes;
        const uint64_t foreign_read = claim_.direct ? Excess(read, claim_.read_bytes) : 0;
        const uint64_t foreign_write = Excess(written, claim_.written_bytes + own);
        const uint64_t foreign = foreign_read + foreign_write;
        if (foreign <= kForeignBytes + claim_.bytes() / 20) return false;
        Add("background_io", Level::kSuspect,
            StringPrintf("others read and wrote %.1f MB meanwhile", Megabytes(foreign)));
        return true;
    }

    void JudgeFlushes(std::optional<uint64_t> flushes) {
        // A disk without a volatile cache gets no flushes.
        if (claim_.syncs == 0 || place_.volatile_cache == false) return;
        if (!flushes.has_value()) {
            Add("flush_unknown", Level::kSuspect,
                "this kernel does not count flushes, so it is not known whether syncs reached the "
                "disk");
            return;
        }
        if (*flushes + claim_.syncs / 10 >= claim_.syncs) return;
        Add("flush_missing", Level::kInvalid,
            std::to_string(claim_.syncs) + " syncs, of which " + std::to_string(*flushes) +
                    " flushed the disk's cache: synced data can be lost");
    }

    void JudgeBarriers() {
        if (claim_.written_bytes == 0) return;
        const std::string option(place_.mount.NoBarrierOption());
        if (!option.empty()) {
            Add("nobarrier", place_.volatile_cache == false ? Level::kNote : Level::kSuspect,
                place_.mount.mount_point + " is mounted with " + option +
                        ", so fsync() does not reach the flash");
        }
        if (place_.volatile_cache == true && claim_.syncs == 0) {
            Add("volatile_cache", Level::kSuspect,
                "nothing was synced: data may be in the disk's cache only");
        }
    }

    void JudgePhysics() {
        if (!place_.disk.starts_with("mmcblk") || claim_.time <= nanoseconds(0)) return;
        const double rate = PerSecond(Megabytes(claim_.bytes()), claim_.time);
        if (rate > kFastestMmc) {
            Add("faster_than_bus", Level::kInvalid,
                StringPrintf("%.0f MB/s; the bus of an eMMC carries at most 400", rate));
        }
        if (claim_.syncs == 0 || claim_.written_bytes == 0) return;
        const nanoseconds each = claim_.time / static_cast<int64_t>(claim_.syncs);
        if (each < kFastestProgram) {
            Add("faster_than_flash", Level::kSuspect,
                StringPrintf("a synced write took %.0f us; no flash is that fast",
                             Milliseconds(each) * 1000));
        }
    }

    void JudgeDevice() {
        const CpuLimits& limits = after_.limits;
        const std::vector<std::string>& cooling =
                before_.limits.cooling.empty() ? limits.cooling : before_.limits.cooling;
        if (!cooling.empty()) {
            Add("throttled", Level::kSuspect, "cooling down: " + Join(cooling, ", "));
        }
        if (!limits.capped.empty()) {
            Add("cpu_capped", Level::kSuspect, Join(limits.capped, ", "));
        }
        if (!limits.governors.empty() &&
            limits.governors != std::vector<std::string>{"performance"}) {
            Add("governor", Level::kNote, "cpufreq: " + Join(limits.governors, ", "));
        }
        JudgeSpace();
        const uint64_t moved = Excess(after_.f2fs_moved_blocks.value_or(0),
                                      before_.f2fs_moved_blocks.value_or(UINT64_MAX));
        if (moved > 0) {
            Add("gc_running", Level::kSuspect,
                "f2fs collected garbage meanwhile: it moved " + std::to_string(moved) + " blocks");
        }
        if (before_.charging != after_.charging) {
            Add("charger_changed", Level::kNote, "the charger was plugged in or out meanwhile");
        }
        if (before_.zone_tenths.has_value() && after_.zone_tenths.has_value() &&
            *after_.zone_tenths - *before_.zone_tenths >= kHeatedTenths) {
            Add("heated", Level::kSuspect,
                StringPrintf("%.1f degrees Celsius warmer than before",
                             (*after_.zone_tenths - *before_.zone_tenths) / 10.0));
        }
    }

    void JudgeSpace() {
        if (!after_.free_bytes.has_value() || after_.size_bytes.value_or(0) == 0) return;
        const double pct = static_cast<double>(*after_.free_bytes) /
                           static_cast<double>(*after_.size_bytes) * 100;
        if (pct >= static_cast<double>(kFreePct)) return;
        Add("free_space", Level::kNote,
            StringPrintf("%.0f %% of the file system is free; flash is slow when full", pct));
    }

    const Claim& claim_;
    const BenchPlace& place_;
    const DeviceState& before_;
    const DeviceState& after_;
    std::vector<BenchReason> reasons_;
};

}  // namespace

std::string BenchReasonLevelName(BenchReason::Level level) {
    constexpr const char* kNames[] = {"note", "suspect", "invalid"};
    return kNames[static_cast<size_t>(level)];
}

std::string BenchVerdictName(BenchVerdict verdict) {
    constexpr const char* kNames[] = {"VALID", "SUSPECT", "INVALID"};
    return kNames[static_cast<size_t>(verdict)];
}

std::vector<BenchReason> JudgeClaim(const Claim& claim, const BenchPlace& place,
                                    const DeviceState& before, const DeviceState& after) {
    return Judge(claim, place, before, after).Reasons();
}

BenchVerdict VerdictOf(const std::vector<BenchReason>& reasons) {
    // A note is no doubt. Both enumerations go from good to bad.
    BenchVerdict worst = BenchVerdict::kValid;
    for (const BenchReason& reason : reasons) {
        worst = std::max(worst, static_cast<BenchVerdict>(reason.level));
    }
    return worst;
}

}  // namespace storekeeper
