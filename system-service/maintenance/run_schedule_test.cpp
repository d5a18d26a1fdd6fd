// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Compares runs with their descriptions as text. testdata/schedules/NAME.txt describes the run for
// six mounts and a hurried run, so a change of the policy shows there as a diff.
// `STOREKEEPER_WRITE_SCHEDULES=DIR storekeeper_test --gtest_filter=*Schedule*` writes the files
// anew.
//
// The file systems are models: ext4 and f2fs of 1 GiB with the same free extents, on a card that is
// new to the daemon. ext4 skips a block group that was trimmed. f2fs writes a checkpoint, 5 ms, for
// each FITRIM, and sleeps for 20 ms after every 8 discards.

#include <android-base/file.h>
#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <map>
#include <string>

#include "maintenance/maintenance_run.h"
#include "testing/trim_seams.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr uint64_t kKib = 1 << 10;
constexpr uint64_t kMib = 1 << 20;
constexpr uint64_t kSize = 1024 * kMib;
constexpr uint64_t kGroup = 128 * kMib;

std::string Milliseconds(nanoseconds time) {
    return std::to_string(std::chrono::round<milliseconds>(time).count()) + " ms";
}

struct Scenario {
    std::string name;
    std::string mountinfo;
    DiscardCost card = {.fixed = microseconds(500), .per_mib = microseconds(500)};
    bool hurry = false;
};

void PrintTo(const Scenario& scenario, std::ostream* out) {
    *out << scenario.name;
}

class RunScheduleTest : public TrimSeamsTest,
                        public FitrimRunner,
                        public testing::WithParamInterface<Scenario> {
  protected:
    RunScheduleTest() {
        tree_.Write("/proc/self/mountinfo", GetParam().mountinfo);
        syscalls_.Add("/data", FakeSyscalls::Mount{.device = Device(), .size_bytes = kSize});
        tree_.Write("/sys/dev/block/179:2/uevent", "DEVNAME=mmcblk0p2\n");
        // dm-crypt on the card's second partition, without allow_discards.
        tree_.Write("/sys/dev/block/253:0/dm/name", "userdata\n");
        tree_.Write("/sys/dev/block/253:0/queue/discard_max_bytes", "0\n");
        tree_.Write("/sys/dev/block/253:0/slaves/mmcblk0p2/dev", "179:2\n");
        pauser_.during = [this] { Note("pause " + Milliseconds(pauser_.pauses.back())); };
        Report();
    }

    dev_t Device() const {
        const bool is_encrypted = GetParam().mountinfo.find("253:0") != std::string::npos;
        return is_encrypted ? makedev(253, 0) : makedev(179, 2);
    }

    bool Has(const std::string& text) const {
        return GetParam().mountinfo.find(text) != std::string::npos;
    }

    void Note(const std::string& line) { text_ += line + "\n"; }

    void Report() {
        const std::string counts =
                " 0 0 0 0 0 0 0 0 0 0 0 " + std::to_string(discards_) + " 0 " +
                std::to_string(sectors_) + " " +
                std::to_string(std::chrono::floor<milliseconds>(discarding_).count()) + " 0 0\n";
        tree_.Write("/proc/diskstats", "179 0 mmcblk0" + counts + "179 2 mmcblk0p2" + counts);
    }

    // Small, medium and large free extents by their beginnings: half of the file system.
    static std::map<uint64_t, uint64_t> FreeExtents() {
        std::map<uint64_t, uint64_t> extents;
        for (uint64_t group = 0; group < kSize; group += kGroup) {
            uint64_t start = group + 4 * kMib;
            for (const uint64_t kib : {512, 1024, 1536, 3072, 6144, 12288, 36864}) {
                extents[start] = kib * kKib;
                start += kib * kKib + kMib;
            }
        }
        return extents;
    }

    // Discards the free space in the range, in pieces as the queue cuts them.
    Result<TrimAnswer> Trim(const TrimRange& range) {
        if (range.start >= kSize) return Error(EINVAL) << "FITRIM";
        if (Has("f2fs") && Has("discard ")) return TrimAnswer{};
        uint64_t limit = 0;
        android::base::ParseUint(android::base::Trim(tree_.Read(std::string(FakeInit::kQueue) +
                                                                "discard_max_bytes")),
                                 &limit);
        uint64_t number = 0;
        TrimAnswer answer;
        for (auto extent = extents_.begin(); extent != extents_.end();) {
            if (extent->first < range.start || extent->first - range.start >= range.length) {
                ++extent;
                continue;
            }
            for (uint64_t at = 0; at < extent->second; at += limit, ++number) {
                const nanoseconds took =
                        GetParam().card.TimeOf(std::min(limit, extent->second - at));
                discarding_ += took;
                clock_.Advance(took);
            }
            answer.bytes += extent->second;
            extent = extents_.erase(extent);
        }
        discards_ += number;
        sectors_ += answer.bytes / kSectorBytes;
        if (Has("f2fs")) {
            clock_.Advance(milliseconds(5) + milliseconds(20) * static_cast<int64_t>(number / 8));
        }
        Report();
        return answer;
    }

    class Session : public TrimSession {
      public:
        explicit Session(RunScheduleTest& test) : test_(test) {}

        Result<TrimAnswer> Trim(const TrimRange& range, const StopSignal&) override {
            if (range.start == 0 && range.length <= 4 * kKib) {
                test_.Note("trim the superblock: 0 bytes");
                return TrimAnswer{};
            }
            const uint64_t discards = test_.discards_;
            const nanoseconds start = test_.clock_.Monotonic();
            Result<TrimAnswer> answer = test_.Trim(range);
            const bool is_all = range.length > kSize;
            test_.Note(
                    "trim " + std::to_string(range.start / kMib) +
                    (is_all ? " to the end" : " +" + std::to_string(range.length / kMib) + " MiB") +
                    ": " + std::to_string(test_.discards_ - discards) + " discards, " +
                    Milliseconds(test_.clock_.Monotonic() - start));
            return answer;
        }

      private:
        RunScheduleTest& test_;
    };

    Result<std::unique_ptr<TrimSession>> Begin(android::base::unique_fd,
                                               const std::string&) override {
        return std::make_unique<Session>(*this);
    }

    // Properties that note each requested size of discards.
    InitProperties Noting() {
        const InitProperties init = init_.properties();
        return {.get = init.get,
                .set = [this, init](const std::string& name, const std::string& value) {
                    uint64_t bytes = 0;
                    const bool is_saved =
                            value == init.get("storekeeper.queue.saved.discard_max_bytes");
                    if (name == "storekeeper.queue.discard_max_bytes" && is_saved) {
                        Note("queue put back");
                    } else if (name == "storekeeper.queue.discard_max_bytes" &&
                               android::base::ParseUint(value, &bytes)) {
                        Note("queue " + std::to_string(bytes / kKib) + " KiB");
                    }
                    return init.set(name, value);
                }};
    }

    std::string text_;
    std::map<uint64_t, uint64_t> extents_ = FreeExtents();
    uint64_t discards_ = 0;
    uint64_t sectors_ = 0;
    nanoseconds discarding_{};
};

TEST_P(RunScheduleTest, IsAsWrittenDown) {
    QueueControl queue(files_, pauser_, Noting());
    const TrimSeams seams{.syscalls = syscalls_,
                          .files = files_,
                          .clock = clock_,
                          .fitrim = *this,
                          .pauser = pauser_,
                          .queue = queue,
                          .records = records_,
                          .chips = chips_};
    MaintenanceRun run(seams, {.configured = {"/data"}}, {});
    const TrimReceipt receipt = run.Run({.hurry = GetParam().hurry}, StopSignal(),
                                        [](const std::string&, const std::string&) {});
    const MountReceipt& mount = receipt.mounts.at(0);
    Note(std::string(OutcomeFactsOf(mount.outcome).name) +
         (mount.reason.empty() ? " in " + Milliseconds(mount.duration) : ": " + mount.reason));
    if (!mount.note.empty()) Note("note: " + mount.note);

    const std::string file = GetParam().name + ".txt";
    if (const char* folder = getenv("STOREKEEPER_WRITE_SCHEDULES"); folder != nullptr) {
        ASSERT_TRUE(android::base::WriteStringToFile(text_, std::string(folder) + "/" + file));
    }
    std::string expected;
    ASSERT_TRUE(
            android::base::ReadFileToString(TestDataDirectory() + "/schedules/" + file, &expected));
    EXPECT_EQ(expected, text_);
}

constexpr char kExt4[] = "40 21 179:2 / /data rw - ext4 /dev/block/mmcblk0p2 rw \n";

INSTANTIATE_TEST_SUITE_P(
        All, RunScheduleTest,
        testing::Values(
                Scenario{"ext4", kExt4},
                Scenario{"ext4-hurry", kExt4, {microseconds(500), microseconds(500)}, true},
                Scenario{"ext4-discard", "40 21 179:2 / /data rw - ext4 /dev/x rw,discard \n"},
                Scenario{"f2fs", "40 21 179:2 / /data rw - f2fs /dev/x rw,nodiscard,x \n"},
                Scenario{"f2fs-discard", "40 21 179:2 / /data rw - f2fs /dev/x rw,discard \n"},
                Scenario{"dm-crypt-without-discards",
                         "40 21 253:0 / /data rw - ext4 /dev/block/dm-0 rw \n"},
                Scenario{"slow-card", kExt4, {microseconds(500), milliseconds(5)}}),
        [](const auto& each) {
            std::string name = each.param.name;
            std::replace(name.begin(), name.end(), '-', '_');
            return name;
        });

}  // namespace
}  // namespace storekeeper
