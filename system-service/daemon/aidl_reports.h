// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <aidl/org/storekeeper/HealthReport.h>
#include <aidl/org/storekeeper/Status.h>
#include <aidl/org/storekeeper/TrimReceipt.h>

#include "health/card_health.h"
#include "maintenance/keeper.h"

namespace storekeeper {

// The reports as parcelables.
aidl::org::storekeeper::TrimReceipt ToAidl(const TrimReceipt& receipt);
aidl::org::storekeeper::Status ToAidl(const KeeperStatus& status);
aidl::org::storekeeper::HealthReport ToAidl(const HealthReport& report);

}  // namespace storekeeper
