// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/card_health.h"

#include <string>
#include <utility>

#include "base/try.h"
#include "health/storage_sources.h"
#include "mounts/block_device.h"
#include "mounts/data_volume.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

CardHealth::CardHealth(const FileReader& files, DeviceHal* hal)
      : files_(files), hal_(hal), storage_(ReadSources(nullptr)) {}

StorageHealth CardHealth::ReadSources(DeviceHal* hal) const {
    std::optional<std::string> disk;
    const Result<DataVolume> data = FindDataVolume(files_);
    if (data.ok()) disk = NumberText(data->disk);
    return ReadStorageHealth(files_, disk, hal);
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
    const ExtCsdField* field = FindExtCsdField("SEC_COUNT");
    const uint64_t sectors = field == nullptr ? 0 : ext_csd.NumberOf(*field);
    MutexLock guard(lock_);
    if (sectors != 0 && storage_.sectors.has_value() && *storage_.sectors != sectors) {
        return Error() << "the EXT_CSD is another card's: its SEC_COUNT is " << sectors << ", "
                       << storage_.device << " has " << *storage_.sectors << " sectors";
    }
    ext_csd_ = ext_csd;
    return {};
}

}  // namespace storekeeper
