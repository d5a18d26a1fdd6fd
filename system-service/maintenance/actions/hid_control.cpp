// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/hid_control.h"

#include <errno.h>

#include "base/try.h"
#include "mounts/block_device.h"
#include "mounts/chip_id.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// Below kRootDisk, init writes to device/../../../hid: from the disk up to target, host and host
// controller.
constexpr char kAnalysis[] = "storekeeper.hid.analysis";
constexpr char kDefrag[] = "storekeeper.hid.defrag";
constexpr char kSize[] = "storekeeper.hid.size";
constexpr char kEnable[] = "enable";
constexpr char kDisable[] = "disable";

}  // namespace

Result<std::string> HidControl::Folder(dev_t disk) const {
    const Result<std::string> found = UfsHostOf(files_, SysfsOf(disk));
    if (!found.ok()) return ResultFailure("the disk of /data is not a UFS", ENODEV);
    const std::string& host = *found;
    if (files_.Exists(host + "/hid/state")) return host + "/hid/";
    for (const char* vendors : {"ufshid", "motohid"}) {
        if (!files_.Exists(host + "/" + vendors)) continue;
        return ResultFailure(std::string("the kernel has a vendor's defragmentation, ") + vendors +
                                     ", which is not used",
                             ENODEV);
    }
    return ResultFailure(
            "the UFS or its kernel has no host-initiated defragmentation (UFS 4.1, Linux 6.17)",
            ENODEV);
}

Result<HidReading> HidControl::ReadIn(const std::string& folder) const {
    HidReading reading;
    // An error (ENODATA) and kHidNoSize mean unknown. The size is read before the state, because a
    // device may forget all of this once it has shown the state.
    const Result<uint64_t> units = ReadNumber(files_, folder + "fragmented_size");
    if (units.ok()) reading.fragmented_bytes = HidBytes(*units);
    reading.state = TRY(ParseHidState(TRY(files_.ReadAttribute(folder + "state"))));
    return reading;
}

Result<HidReading> HidControl::Read(dev_t disk) const {
    return ReadIn(TRY(Folder(disk)));
}

Result<HidReading> HidControl::Begin(dev_t disk, const char* property) {
    const std::string folder = TRY(Folder(disk));
    TRY(CheckIsRootDisk(files_, disk, "drive the disk"));
    const HidReading before = TRY(ReadIn(folder));
    if (before.is_at_work()) {
        return ResultFailure("the UFS is at work already: " + HidStateName(before.state), EBUSY);
    }
    TRY(SetRequest(properties_, property, kEnable));
    // A short operation is over before the first look; its outcome is the state then.
    const auto has_begun = [&](const HidReading& now) {
        return now.is_at_work() || now.state == HidState::kDefragNotRequired ||
               (now.state != before.state && now.state != HidState::kIdle);
    };
    const HidReading now = TRY(ReadWhenDone(
            pauser_, [&] { return ReadIn(folder); }, has_begun));
    if (has_begun(now)) return now;
    static_cast<void>(properties_.set(property, kDisable));
    return Error()
           << "the UFS did not begin, it is still " << HidStateName(now.state)
           << ": check that storekeeperd_trim.rc is in the image, that the policy lets init "
              "write to hid/, and the kernel log";
}

Result<HidReading> HidControl::Analyze(dev_t disk) {
    return Begin(disk, kAnalysis);
}

Result<HidReading> HidControl::Defragment(dev_t disk, uint64_t bytes) {
    const std::string path = TRY(Folder(disk)) + "defrag_size";
    TRY(CheckIsRootDisk(files_, disk, "drive the disk"));
    const uint64_t units = bytes / kHidUnitBytes;
    TRY(SetRequest(properties_, kSize, std::to_string(units)));
    const auto is_set = [units](uint64_t now) { return now == units; };
    const uint64_t now = TRY(ReadWhenDone(
            pauser_, [&] { return ReadNumber(files_, path); }, is_set));
    // A defragmentation never begins without its limit.
    if (!is_set(now)) {
        return Error() << "init did not set defrag_size to " << units << ", it is " << now;
    }
    return Begin(disk, kDefrag);
}

std::optional<uint64_t> HidControl::Progress(dev_t disk) const {
    const Result<std::string> folder = Folder(disk);
    return folder.ok() ? ReadCount(files_, *folder + "progress_ratio") : std::nullopt;
}

Result<void> HidControl::Stop(dev_t disk) {
    const std::string folder = TRY(Folder(disk));
    TRY(Restore());
    const auto is_over = [](const HidReading& now) { return !now.is_at_work(); };
    const HidReading now = TRY(ReadWhenDone(
            pauser_, [&] { return ReadIn(folder); }, is_over));
    if (is_over(now)) return {};
    return Error() << "the UFS does not stop: " << HidStateName(now.state);
}

Result<void> HidControl::Restore() {
    Result<void> done = {};
    for (const char* property : {kAnalysis, kDefrag}) {
        if (properties_.get(property) != kEnable) continue;
        // A second attempt: a busy property service refuses a request.
        if (properties_.set(property, kDisable) || properties_.set(property, kDisable)) continue;
        done = Error() << "cannot set property " << property << " to disable";
    }
    return done;
}

}  // namespace storekeeper
