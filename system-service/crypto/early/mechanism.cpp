// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/mechanism.h"

namespace storekeeper {
namespace {

constexpr KernelVersion kFirstWithNames{4, 12};
constexpr uint32_t kFirstMinorWithNames = 17;

}  // namespace

std::string_view RefusalName(MechanismRefusal refusal) {
    switch (refusal) {
        case MechanismRefusal::kNone:
            return "none";
        case MechanismRefusal::kNoDriver:
            return "no_driver";
        case MechanismRefusal::kNoDevice:
            return "no_device";
        case MechanismRefusal::kOtherDriver:
            return "other_driver";
        case MechanismRefusal::kEngineInUse:
            return "engine_in_use";
        case MechanismRefusal::kNoCpuAes:
            return "no_cpu_aes";
        case MechanismRefusal::kNoUnbind:
            return "no_unbind";
        case MechanismRefusal::kUnbindFailed:
            return "unbind_failed";
        case MechanismRefusal::kNoEffect:
            return "no_effect";
        case MechanismRefusal::kDriverLoaded:
            return "driver_loaded";
        case MechanismRefusal::kNoTriggers:
            return "no_triggers";
        case MechanismRefusal::kNoCpuDriver:
            return "no_cpu_driver";
        case MechanismRefusal::kNoNetlink:
            return "no_netlink";
        case MechanismRefusal::kNotPermitted:
            return "not_permitted";
        case MechanismRefusal::kPriorityFailed:
            return "priority_failed";
        case MechanismRefusal::kNoDmCrypt:
            return "no_dm_crypt";
        case MechanismRefusal::kOldDmCrypt:
            return "old_dm_crypt";
        case MechanismRefusal::kNewKernel:
            return "new_kernel";
        case MechanismRefusal::kNoParameter:
            return "no_parameter";
        case MechanismRefusal::kParameterFailed:
            break;
    }
    return "parameter_failed";
}

bool EarlyFacts::TakesDriverNames() const {
    if (dm_crypt.has_value()) {
        return (*dm_crypt)[0] > 1 || (*dm_crypt)[1] >= kFirstMinorWithNames;
    }
    return !kernel.has_value() || *kernel >= kFirstWithNames;
}

}  // namespace storekeeper
