// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/card_health.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/quantity_text.h"
#include "base/try.h"
#include "health/sysfs_items.h"
#include "mounts/block_device.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

WearSource KernelSource(const StorageHealth& storage) {
    const bool ufs = storage.kind == StorageHealth::Kind::kUfs;
    const char* age = "as the kernel read it at the card's initialisation in this boot";
    if (ufs) age = "read from the chip when the report was made";
    if (storage.wear_is_cached) age = "as the kernel last read it in this boot";
    return {.name = ufs ? "ufs" : "sysfs",
            .age = age,
            .wear = storage.wear,
            .problem = storage.problem.empty() ? storage.wear_problem : storage.problem};
}

// Sources: Documentation/ABI/testing/sysfs-fs-ext4 and sysfs-fs-f2fs.
void ReadFilesystemErrors(const FileReader& files, const Mount& mount, StorageHealth* health) {
    constexpr uint64_t kNeedsCheck = 1 << 2;  // SBI_NEED_FSCK of fs/f2fs/f2fs.h
    const Result<std::string> name = NameOf(files, mount.device);
    if (!name.ok()) return;
    const SysfsItems items{files, "/sys/fs/" + mount.type + "/" + *name, mount.type, health};
    const Explain when = [](uint64_t at) {
        return at == 0 ? "never" : WallTimeText(WallTime{static_cast<int64_t>(at)});
    };
    constexpr uint64_t kLast = std::numeric_limits<uint32_t>::max();
    std::optional<uint64_t> errors;
    items.AddUnlessRefused("errors_count", AsDecimal(kLast, nullptr, &errors));
    items.AddUnlessRefused("first_error_time", AsDecimal(kLast, when));
    items.AddUnlessRefused("last_error_time", AsDecimal(kLast, when));
    std::optional<uint64_t> status;
    items.AddUnlessRefused("sb_status", AsHex(nullptr, &status));
    if (errors.value_or(0) != 0) {
        health->filesystem_problem = mount.type + " of /data has recorded " +
                                     Counted(*errors, "error") + ": back up the data, check it";
    } else if ((status.value_or(0) & kNeedsCheck) != 0) {
        health->filesystem_problem =
                mount.type + " of /data needs a check (fsck): back up the data";
    }
}

// True if the source is authoritative. A delivered register is so even without wear figures.
bool IsAuthoritative(const WearSource& source) {
    return source.name == "ext_csd" || HasWear(source.wear);
}

bool HasLifeTime(const WearSource& source) {
    return source.name == "ext_csd" || JudgeWear(source.wear).used_to_pct.has_value();
}

}  // namespace

HealthReport MakeHealthReport(StorageHealth storage, const std::optional<ExtCsd>& ext_csd) {
    HealthReport report;
    if (ext_csd.has_value()) {
        report.sources.push_back({.name = "ext_csd",
                                  .age = "as storekeeper_extcsd read it in this boot",
                                  .wear = WearOf(*ext_csd)});
    }
    if (storage.hal.has_value()) report.sources.push_back(*storage.hal);
    report.sources.push_back(KernelSource(storage));
    // PRE_EOL_INFO alone must not hide the life time that a later source has.
    auto found = std::find_if(report.sources.begin(), report.sources.end(), HasLifeTime);
    if (found == report.sources.end()) {
        found = std::find_if(report.sources.begin(), report.sources.end(), IsAuthoritative);
    }
    const WearSource& chosen = found == report.sources.end() ? report.sources.back() : *found;
    report.wear_source = chosen.name;
    report.wear = chosen.wear;
    report.verdict = JudgeWear(chosen.wear);
    // The line "not reported" would blame the chip for a failed read.
    if (!chosen.problem.empty() && !report.verdict.used_to_pct.has_value()) {
        report.verdict.line = "Storage life: not known (" + chosen.problem + ")";
    }
    AddCriticalHealth(storage.critical_health, &report.verdict);
    AddFilesystemProblem(storage.filesystem_problem, &report.verdict);
    report.storage = std::move(storage);
    report.ext_csd = ext_csd;
    return report;
}

void AddForecast(const Forecast& forecast, HealthReport* report) {
    if (!HasWear(report->wear)) return;
    report->verdict = JudgeWear(report->wear, forecast);
    AddCriticalHealth(report->storage.critical_health, &report->verdict);
    AddFilesystemProblem(report->storage.filesystem_problem, &report->verdict);
}

CardHealth::CardHealth(const FileReader& files, DeviceHal* hal)
      : files_(files), hal_(hal), storage_(ReadSources(nullptr)) {}

StorageHealth CardHealth::ReadSources(DeviceHal* hal) const {
    std::optional<std::string> disk;
    const Result<DataVolume> data = FindDataVolume(files_);
    if (data.ok()) disk = NumberText(data->disk);
    StorageHealth storage = ReadStorageHealth(files_, disk, hal);
    if (data.ok()) ReadFilesystemErrors(files_, data->mount, &storage);
    return storage;
}

HealthReport CardHealth::Last() const {
    MutexLock guard(lock_);
    return MakeHealthReport(storage_, ext_csd_);
}

HealthReport CardHealth::Read() {
    StorageHealth storage = ReadSources(hal_);
    MutexLock guard(lock_);
    storage_ = std::move(storage);
    asked_ = true;
    return MakeHealthReport(storage_, ext_csd_);
}

void CardHealth::ReadOnce() {
    {
        MutexLock guard(lock_);
        if (asked_ || hal_ == nullptr) return;
        asked_ = true;
    }
    Read();
}

Result<void> CardHealth::SetExtCsd(std::span<const uint8_t> bytes) {
    const ExtCsd ext_csd = TRY(ExtCsd::FromBytes(bytes));
    const uint64_t sectors = ext_csd.NumberOf(*FindExtCsdField("SEC_COUNT"));
    MutexLock guard(lock_);
    if (sectors != 0 && storage_.sectors.has_value() && *storage_.sectors != sectors) {
        return Error() << "the EXT_CSD is another card's: its SEC_COUNT is " << sectors << ", "
                       << storage_.device << " has " << *storage_.sectors << " sectors";
    }
    ext_csd_ = ext_csd;
    return {};
}

}  // namespace storekeeper
