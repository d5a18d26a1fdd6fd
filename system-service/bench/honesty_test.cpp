// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/honesty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace storekeeper {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::IsEmpty;

// A job and the kernel's counters around it.
struct Scene {
    Claim claim;
    BenchPlace place;
    DeviceState before;
    DeviceState after;

    std::vector<std::string> Codes(BenchReason::Level level) const {
        std::vector<std::string> codes;
        for (const BenchReason& reason : JudgeClaim(claim, place, before, after)) {
            EXPECT_FALSE(reason.text.empty());
            if (reason.level == level) codes.push_back(reason.code);
        }
        return codes;
    }
    BenchVerdict verdict() const { return VerdictOf(JudgeClaim(claim, place, before, after)); }
};

DiskStats Disk() {
    return {.name = "mmcblk0",
            .read_bytes = 1'000'000,
            .written_bytes = 2'000'000,
            .busy = milliseconds(500),
            .discarded_bytes = 4096,
            .flushes = 77};
}

// 1000 random writes of 4 KiB, each synced, in 2 ms each. The clocks and the disk agree.
Scene Writes() {
    Scene scene;
    scene.claim = {.written_bytes = 4'096'000,
                   .writes = 1000,
                   .syncs = 1000,
                   .time = seconds(2),
                   .direct = true};
    scene.place = {.mount = {.mount_point = "/data", .options = "rw,discard"},
                   .disk = "mmcblk0",
                   .volatile_cache = true,
                   .overhead = milliseconds(80)};
    scene.before.clocks = {seconds(10), seconds(11), seconds(12), seconds(1'700'000'000)};
    scene.before.disk = Disk();
    scene.before.free_bytes = 500;
    scene.before.size_bytes = 1000;
    scene.before.charging = true;
    scene.after = scene.before;
    for (auto* clock : {&scene.after.clocks.raw, &scene.after.clocks.monotonic,
                        &scene.after.clocks.boot, &scene.after.clocks.wall}) {
        *clock += milliseconds(2080);
    }
    scene.after.disk->written_bytes += 4'096'000 + 200'000;
    scene.after.disk->busy += milliseconds(1900);
    *scene.after.disk->flushes += 1001;
    return scene;
}

// 8 MB are read in two seconds.
Scene Reads() {
    Scene scene = Writes();
    scene.claim = {.read_bytes = 8'000'000, .time = seconds(2), .direct = true};
    scene.after.disk = Disk();
    scene.after.disk->read_bytes += 8'000'000;
    scene.after.disk->busy += milliseconds(1950);
    return scene;
}

TEST(HonestyTest, HonestJobsAreValid) {
    EXPECT_THAT(JudgeClaim(Writes().claim, Writes().place, Writes().before, Writes().after),
                IsEmpty());
    EXPECT_THAT(JudgeClaim(Reads().claim, Reads().place, Reads().before, Reads().after), IsEmpty());
}

TEST(HonestyTest, HonestJobsWithTheirUsualScatterAreValid) {
    uint32_t state = 7;
    const auto next = [&state](int below) {
        state = state * 1664525 + 1013904223;
        return static_cast<int>((state >> 8) % below);
    };
    for (int i = 0; i < 1000; ++i) {
        Scene scene = i % 2 == 0 ? Writes() : Reads();
        // Tolerated: fio takes longer to start, NTP slews the clocks, another process writes a
        // little.
        const auto late = milliseconds(next(120));
        scene.after.clocks.raw += late;
        scene.before.clocks.counter = seconds(3);
        scene.after.clocks.counter = seconds(3) +
                                     (scene.after.clocks.raw - scene.before.clocks.raw) +
                                     std::chrono::microseconds(next(300) - 150);
        scene.before.f2fs_moved_blocks = scene.after.f2fs_moved_blocks = next(1000);
        const auto slewed = late + std::chrono::microseconds(next(1000) - 500);
        scene.after.clocks.monotonic += slewed;
        scene.after.clocks.boot += slewed;
        scene.after.clocks.wall += slewed + milliseconds(next(5));
        scene.after.disk->written_bytes += next(400'000);
        scene.after.disk->read_bytes += next(400'000);
        scene.after.disk->busy += milliseconds(next(100));
        *scene.after.disk->flushes += next(20);
        EXPECT_EQ(BenchVerdict::kValid, scene.verdict()) << i;
    }
}

// On a machine with ten busy processes, fio waits long for its turn and takes a second to start.
TEST(HonestyTest, ABusyMachineMakesNoLiar) {
    Scene scene = Reads();
    scene.claim.time = milliseconds(107);
    scene.place.overhead = milliseconds(1285);
    scene.after.clocks = scene.before.clocks;
    for (auto* clock : {&scene.after.clocks.raw, &scene.after.clocks.monotonic,
                        &scene.after.clocks.boot, &scene.after.clocks.wall}) {
        *clock += milliseconds(1889);
    }
    scene.after.disk->busy = Disk().busy + milliseconds(100);
    EXPECT_EQ(BenchVerdict::kValid, scene.verdict());
}

struct Lie {
    const char* code;
    BenchReason::Level level;
    Scene (*scene)();
    std::function<void(Scene*)> lie;
};

TEST(HonestyTest, EveryLieIsCalled) {
    constexpr auto kInvalid = BenchReason::Level::kInvalid;
    constexpr auto kSuspect = BenchReason::Level::kSuspect;
    constexpr auto kNote = BenchReason::Level::kNote;
    const Lie lies[] = {
            // All clocks but the raw one run at 0.9 of their rate, and fio uses them.
            {"clock_rate", kInvalid, Reads,
             [](Scene* s) {
                 s->after.clocks.monotonic -= milliseconds(208);
                 s->after.clocks.boot -= milliseconds(208);
                 s->after.clocks.wall -= milliseconds(208);
                 s->claim.time = milliseconds(1800);
             }},
            {"clock_rate", kSuspect, Reads,
             [](Scene* s) {
                 s->after.clocks.monotonic += milliseconds(4);
                 s->after.clocks.boot += milliseconds(4);
             }},
            // All clocks of the kernel run too slowly, and fio uses them.
            {"clock_rate", kInvalid, Reads,
             [](Scene* s) {
                 s->before.clocks.counter = seconds(100);
                 s->after.clocks.counter = seconds(104);
             }},
            {"suspended", kInvalid, Reads,
             [](Scene* s) {
                 s->after.clocks.boot += seconds(5);
                 s->after.clocks.wall += seconds(5);
             }},
            {"wall_stepped", kNote, Reads, [](Scene* s) { s->after.clocks.wall -= seconds(3600); }},
            {"time_long", kInvalid, Reads, [](Scene* s) { s->claim.time = milliseconds(2200); }},
            // Androbench on Android 5.0 reported twice the real speed.
            {"time_short", kInvalid, Reads, [](Scene* s) { s->claim.time = seconds(1); }},
            // The claimed time is as short, but the disk was hardly busy: no proof.
            {"time_gap", kSuspect, Reads,
             [](Scene* s) {
                 s->claim.time = seconds(1);
                 s->after.disk->busy = Disk().busy;
             }},
            // The claimed time is as short, but other processes kept the disk busy.
            {"time_short", kSuspect, Reads,
             [](Scene* s) {
                 s->claim.time = seconds(1);
                 s->after.disk->written_bytes += 50'000'000;
             }},
            // The claimed time is so little too short that fio may have been late, and the disk
            // busy for other processes.
            {"time_short", kSuspect, Reads,
             [](Scene* s) {
                 s->claim.time = milliseconds(1750);
                 s->after.disk->busy = Disk().busy + milliseconds(2000);
             }},
            {"time_gap", kSuspect, Reads,
             [](Scene* s) {
                 s->after.clocks.raw += milliseconds(500);
                 s->after.clocks.monotonic += milliseconds(500);
                 s->after.clocks.boot += milliseconds(500);
                 s->after.clocks.wall += milliseconds(500);
             }},
            {"too_short", kSuspect, Reads,
             [](Scene* s) {
                 s->claim.time = milliseconds(99);
                 s->after.clocks = s->before.clocks;
                 for (auto* clock : {&s->after.clocks.raw, &s->after.clocks.monotonic,
                                     &s->after.clocks.boot, &s->after.clocks.wall}) {
                     *clock += milliseconds(180);
                 }
                 s->after.disk->busy = Disk().busy + milliseconds(95);
             }},
            {"page_cache", kInvalid, Reads,
             [](Scene* s) { s->after.disk->read_bytes = Disk().read_bytes + 7'000'000; }},
            {"page_cache", kInvalid, Reads,
             [](Scene* s) {
                 s->claim.read_bytes = 100'000;
                 s->after.disk->read_bytes = Disk().read_bytes + 80'000;
             }},
            {"bytes_missing", kInvalid, Writes,
             [](Scene* s) { s->after.disk->written_bytes = Disk().written_bytes + 3'000'000; }},
            {"no_disk", kSuspect, Writes, [](Scene* s) { s->after.disk.reset(); }},
            {"no_disk", kSuspect, Writes, [](Scene* s) { s->before.disk.reset(); }},
            {"no_disk", kSuspect, Writes, [](Scene* s) { s->after.disk->written_bytes = 0; }},
            {"background_io", kSuspect, Reads,
             [](Scene* s) { s->after.disk->written_bytes += 3'000'000; }},
            {"background_io", kSuspect, Writes,
             [](Scene* s) { s->after.disk->written_bytes += 40'000'000; }},
            // Large writes need little metadata, so they explain no second share as large.
            {"background_io", kSuspect, Writes,
             [](Scene* s) {
                 s->claim.writes = 16;
                 s->claim.syncs = 1;
                 s->after.disk->written_bytes += 2'500'000;
             }},
            {"background_io", kSuspect, Writes,
             [](Scene* s) { s->after.disk->read_bytes += 3'000'000; }},
            {"trim_running", kSuspect, Writes,
             [](Scene* s) {
                 s->place.mount.options = "rw";
                 *s->after.disk->discarded_bytes += 512;
             }},
            {"trim_running", kNote, Writes,
             [](Scene* s) { *s->after.disk->discarded_bytes += 512; }},
            {"compressible", kInvalid, Writes, [](Scene* s) { s->claim.compressible = true; }},
            {"flush_missing", kInvalid, Writes, [](Scene* s) { s->after.disk->flushes = 78; }},
            {"flush_missing", kInvalid, Writes,
             [](Scene* s) {
                 s->place.volatile_cache.reset();
                 s->after.disk->flushes = 877;
             }},
            {"flush_unknown", kSuspect, Writes, [](Scene* s) { s->after.disk->flushes.reset(); }},
            {"nobarrier", kSuspect, Writes,
             [](Scene* s) { s->place.mount.options = "rw,nobarrier"; }},
            {"nobarrier", kSuspect, Writes,
             [](Scene* s) { s->place.mount.options = "rw,fsync_mode=nobarrier"; }},
            {"nobarrier", kNote, Writes,
             [](Scene* s) {
                 s->place.mount.options = "rw,barrier=0";
                 s->place.volatile_cache = false;
             }},
            {"volatile_cache", kSuspect, Writes, [](Scene* s) { s->claim.syncs = 0; }},
            {"faster_than_bus", kInvalid, Reads,
             [](Scene* s) { s->claim.read_bytes = s->after.disk->read_bytes = 900'000'000; }},
            {"faster_than_flash", kSuspect, Writes,
             [](Scene* s) {
                 s->claim.syncs = 50'000;
                 s->after.disk->flushes = 50'077;
             }},
            {"throttled", kSuspect, Reads, [](Scene* s) { s->before.limits.cooling = {"cpu"}; }},
            {"throttled", kSuspect, Reads, [](Scene* s) { s->after.limits.cooling = {"cpu"}; }},
            {"cpu_capped", kSuspect, Reads, [](Scene* s) { s->after.limits.capped = {"policy0"}; }},
            {"governor", kNote, Reads, [](Scene* s) { s->after.limits.governors = {"powersave"}; }},
            {"free_space", kNote, Reads, [](Scene* s) { s->after.free_bytes = 199; }},
            {"gc_running", kSuspect, Reads,
             [](Scene* s) {
                 s->before.f2fs_moved_blocks = 7;
                 s->after.f2fs_moved_blocks = 8;
             }},
            {"charger_changed", kNote, Reads, [](Scene* s) { s->after.charging = false; }},
            {"heated", kSuspect, Reads,
             [](Scene* s) {
                 s->before.zone_tenths = 300;
                 s->after.zone_tenths = 400;
             }},
    };
    for (const Lie& lie : lies) {
        Scene scene = lie.scene();
        lie.lie(&scene);
        EXPECT_THAT(scene.Codes(lie.level), testing::Contains(lie.code));
        const BenchVerdict least = lie.level == kNote      ? BenchVerdict::kValid
                                   : lie.level == kSuspect ? BenchVerdict::kSuspect
                                                           : BenchVerdict::kInvalid;
        EXPECT_EQ(least, scene.verdict()) << lie.code;
    }
}

// Cases that look like a lie but are none.
TEST(HonestyTest, NoMoreIsSaidThanIsKnown) {
    const std::pair<Scene (*)(), std::function<void(Scene*)>> scenes[] = {
            {Reads, [](Scene* s) { s->before.clocks.counter = seconds(3); }},
            // The bus of a UFS is faster.
            {Reads,
             [](Scene* s) {
                 s->place.disk = "sda";
                 s->claim.read_bytes = s->after.disk->read_bytes = 900'000'000;
             }},
            {Writes,
             [](Scene* s) {
                 s->claim.written_bytes = 0;
                 s->claim.writes = 0;
             }},
            {Reads, [](Scene* s) { s->after.limits.governors = {"performance"}; }},
            {Reads, [](Scene* s) { s->before.zone_tenths = 300; }},
            {Reads,
             [](Scene* s) {
                 s->before.zone_tenths = 300;
                 s->after.zone_tenths = 301;
             }},
            {Reads,
             [](Scene* s) {
                 s->after.free_bytes = 0;
                 s->after.size_bytes = 0;
             }},
    };
    for (const auto& [scene_of, change] : scenes) {
        Scene scene = scene_of();
        change(&scene);
        EXPECT_THAT(JudgeClaim(scene.claim, scene.place, scene.before, scene.after), IsEmpty());
    }
}

TEST(HonestyTest, AJobThatTookNoTimeHasNoRate) {
    Scene scene = Reads();
    scene.claim.time = seconds(0);
    EXPECT_THAT(scene.Codes(BenchReason::Level::kInvalid),
                testing::Not(testing::Contains("faster_than_bus")));
}

TEST(HonestyTest, SaysWhyNoDiskWasSeen) {
    Scene scene = Reads();
    scene.after.disk.reset();
    scene.place.no_disk = "tmpfs on /x stands on no disk";
    EXPECT_THAT(JudgeClaim(scene.claim, scene.place, scene.before, scene.after).at(0).text,
                testing::EndsWith(": tmpfs on /x stands on no disk"));
}

TEST(HonestyTest, SmallWritesBringAsMuchOfTheFileSystems) {
    Scene scene = Writes();
    scene.claim.syncs = 1;
    scene.after.disk->written_bytes += 4'000'000;
    EXPECT_EQ(BenchVerdict::kValid, scene.verdict());
}

TEST(HonestyTest, ADiskWithoutACacheNeedsNoFlushes) {
    Scene scene = Writes();
    scene.place.volatile_cache = false;
    scene.after.disk->flushes = Disk().flushes;
    EXPECT_EQ(BenchVerdict::kValid, scene.verdict());
}

}  // namespace
}  // namespace storekeeper
