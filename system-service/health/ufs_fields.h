// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "health/sysfs_items.h"
#include "health/verdict.h"

// What the figures of a UFS mean that drivers/ufs/core/ufs-sysfs.c prints. Field names are those of
// JESD220G. A value that it reserves is "reserved value"; none is an error.
namespace storekeeper {

// The version of the standard from which on HEALTH_CRITICAL is an exception event (bit 9 of
// wExceptionEventStatus); the kernel enables it for no chip before (MASK_EE_HEALTH_CRITICAL,
// drivers/ufs/core/ufshcd.c).
inline constexpr uint64_t kUfsVersionWithCriticalHealth = 0x0410;

// wSpecVersion: 0x0310 is "UFS 3.1".
std::string UfsVersionText(uint64_t version);
// wManufactureDate: 0x0520 is "05/2020"; "not set"; "" for what is no date.
std::string UfsDateText(uint64_t date);
// A vendor's life time in percent, as life_time_estimation_c has it.
std::string UfsPercentText(uint64_t percent);

// critical_health, a count since the driver began (Linux 6.15). `version` is wSpecVersion; 0 of a
// chip before kUfsVersionWithCriticalHealth means nothing.
std::string CriticalHealthText(uint64_t count, std::optional<uint64_t> version);

// bAvailableWriteBoosterBufferSize, in steps of 10 % of the current size.
std::string WbAvailableText(uint64_t tenths);
// bWriteBoosterBufferLifeTimeEst.
std::string WbLifeText(uint64_t life);
// bWriteBoosterBufferType.
std::string WbTypeText(uint64_t type);
// A size in allocation units of so many bytes; "" without these.
std::string UnitsText(uint64_t units, std::optional<uint64_t> unit_bytes);
// bAllocationUnitSize is in segments, dSegmentSize in units of 512 bytes; absent when either is 0
// or the product is no number of bytes.
std::optional<uint64_t> AllocationUnitBytes(uint64_t segments, uint64_t segment_size);

// bBackgroundOpStatus.
std::string BkopsText(uint64_t status);
// bProvisioningType of a unit descriptor.
std::string ProvisioningText(uint64_t type);
// bLogicalBlockSize of a unit descriptor: the exponent of 2, 0x0c for 4096 bytes.
std::string BlockSizeText(uint64_t exponent);

// In thousandths of a degree Celsius, as hwmon has them (drivers/ufs/core/ufs-hwmon.c); explained
// as "41 C". An error outside of what bDeviceCaseRoughTemperature can hold, -79 to 170.
android::base::Result<void> AsTemperature(const std::string& text, HealthItem* item);

// bWriteBoosterBufferResizeHint in the kernel's words (Linux 6.17).
android::base::Result<void> AsResizeHint(const std::string& text, HealthItem* item);

// bHIDState: what host-initiated defragmentation does.
enum class HidState {
    kIdle,  // what was known of fragmentation is no longer valid: an analysis is needed
    kAnalysis,
    kDefragRequired,
    kDefrag,
    kDefragCompleted,
    kDefragNotRequired,
    kUnknown,  // a reserved value
};

// hid/state as Linux 6.17 prints it, "defrag_required".
android::base::Result<HidState> ParseHidState(std::string_view text);
// The same word.
std::string HidStateName(HidState state);
// For people: "defragmentation would help".
std::string HidStateText(HidState state);

// dHIDAvailableSize and dHIDSize are in units of 4 KiB.
inline constexpr uint64_t kHidUnitBytes = 4096;
// dHIDAvailableSize: not known before an analysis. dHIDSize: as much as possible.
inline constexpr uint64_t kHidNoSize = 0xffffffff;

// hid/fragmented_size and hid/defrag_size in bytes; absent for kHidNoSize.
std::optional<uint64_t> HidBytes(uint64_t units);

// hid/fragmented_size. kHidNoSize is "not reported", as ENODATA is of later kernels (695df7ea6099).
android::base::Result<void> AsFragmentedSize(const std::string& text, HealthItem* item);
// hid/defrag_size.
android::base::Result<void> AsDefragSize(const std::string& text, HealthItem* item);

// The text of a vendor's `health` file: "Health Descriptor[Byte offset 0x2]: bPreEOLInfo = 0x1",
// and so on, one line a field. Fields that do not stand there are absent; an error for a value that
// is none, and for a text without any.
android::base::Result<WearReading> ParseUfsHealthText(std::string_view text);

}  // namespace storekeeper
