// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

#include "mounts/mount_audit.h"

namespace storekeeper {

// "mount_audit" of docs/dump.schema.json.
Json::Value MountAuditToJson(const MountAuditInputs& inputs);

// The same for people.
std::string MountsText(const MountAuditInputs& inputs);

}  // namespace storekeeper
