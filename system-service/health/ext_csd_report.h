// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

#include "health/ext_csd.h"
#include "health/verdict.h"

namespace storekeeper {

// The wear fields of a register; absent where its revision does not define them.
WearReading WearOf(const ExtCsd& ext_csd);

// The whole register by field names. Schema "storekeeper.ext_csd", version 1: {schema, version,
// revision, standard, verdict: {...}, fields: [{name, offset, width, defined, value | bytes,
// meaning, explanation?}]}. `value` is a number, `bytes` a hexadecimal string, byte 0 first.
Json::Value ExtCsdToJson(const ExtCsd& ext_csd);

// The same as text, one line a field; reserved space and undefined fields only where they are not
// zero.
std::string ExtCsdToText(const ExtCsd& ext_csd);

Json::Value VerdictToJson(const Verdict& verdict);

}  // namespace storekeeper
