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

// Meanings of the UFS figures that drivers/ufs/core/ufs-sysfs.c prints. Field names are those of
// JESD220G. A reserved value becomes "reserved value"; an invalid one is an error.
namespace storekeeper {

// First version of the standard with HEALTH_CRITICAL as an exception event (bit 9 of
// wExceptionEventStatus). The kernel does not enable it for older chips (MASK_EE_HEALTH_CRITICAL,
// drivers/ufs/core/ufshcd.c).
inline constexpr uint64_t kUfsVersionWithCriticalHealth = 0x0410;

// wSpecVersion: 0x0310 is "UFS 3.1".
std::string UfsVersionText(uint64_t version);
// wManufactureDate: 0x0520 is "05/2020"; "not set"; "" for an invalid date.
std::string UfsDateText(uint64_t date);
// A vendor's life time in percent, from life_time_estimation_c.
std::string UfsPercentText(uint64_t percent);

// critical_health, a count since the driver's start (Linux 6.15). `version` is wSpecVersion. A 0
// from a chip older than kUfsVersionWithCriticalHealth means nothing.
std::string CriticalHealthText(uint64_t count, std::optional<uint64_t> version);

// bAvailableWriteBoosterBufferSize, in steps of 10 % of the current size.
std::string WbAvailableText(uint64_t tenths);
// bWriteBoosterBufferLifeTimeEst.
std::string WbLifeText(uint64_t life);
// bWriteBoosterBufferType.
std::string WbTypeText(uint64_t type);
// A size in allocation units of `unit_bytes`; "" if that is absent.
std::string UnitsText(uint64_t units, std::optional<uint64_t> unit_bytes);
// Size of an allocation unit. bAllocationUnitSize counts segments, dSegmentSize units of 512 bytes.
// Absent if either is 0 or out of range.
std::optional<uint64_t> AllocationUnitBytes(uint64_t segments, uint64_t segment_size);

// bBackgroundOpStatus.
std::string BkopsText(uint64_t status);
// bProvisioningType of a unit descriptor.
std::string ProvisioningText(uint64_t type);
// bLogicalBlockSize of a unit descriptor, an exponent of 2: 0x0c for 4096 bytes.
std::string BlockSizeText(uint64_t exponent);

// A temperature in thousandths of a degree Celsius, as from hwmon (drivers/ufs/core/ufs-hwmon.c),
// explained as "41 C". Values outside of bDeviceCaseRoughTemperature's range, -79 to 170 degrees,
// are an error.
android::base::Result<void> AsTemperature(const std::string& text, HealthItem* item);

// bWriteBoosterBufferResizeHint in the kernel's words (Linux 6.17).
android::base::Result<void> AsResizeHint(const std::string& text, HealthItem* item);

// bHIDState, the state of host-initiated defragmentation.
enum class HidState {
    kIdle,  // the last analysis is no longer valid, a new one is needed
    kAnalysis,
    kDefragRequired,
    kDefrag,
    kDefragCompleted,
    kDefragNotRequired,
    kUnknown,  // a reserved value
};

// Parses hid/state of Linux 6.17: "defrag_required".
android::base::Result<HidState> ParseHidState(std::string_view text);
// The kernel's word for a state.
std::string HidStateName(HidState state);
// A text for people: "defragmentation would help".
std::string HidStateText(HidState state);

// Unit of dHIDAvailableSize and dHIDSize: 4 KiB.
inline constexpr uint64_t kHidUnitBytes = 4096;
// dHIDAvailableSize: the size is unknown before an analysis. dHIDSize: as much as possible.
inline constexpr uint64_t kHidNoSize = 0xffffffff;

// Bytes of hid/fragmented_size or hid/defrag_size; absent for kHidNoSize.
std::optional<uint64_t> HidBytes(uint64_t units);

// hid/fragmented_size. kHidNoSize becomes "not reported", like ENODATA of later kernels
// (695df7ea6099).
android::base::Result<void> AsFragmentedSize(const std::string& text, HealthItem* item);
// hid/defrag_size.
android::base::Result<void> AsDefragSize(const std::string& text, HealthItem* item);

// Parses the text of a vendor's `health` file, one line per field: "Health Descriptor[Byte offset
// 0x2]: bPreEOLInfo = 0x1". Missing fields are absent. An invalid value, or a text without any
// field, is an error.
android::base::Result<WearReading> ParseUfsHealthText(std::string_view text);

}  // namespace storekeeper
