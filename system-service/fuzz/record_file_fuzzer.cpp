// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Input: the records as a restart finds them, whole and as payloads with matching checksums.
// Accepted ones must be equal when they are written and read again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/record_file.h"
#include "health/alerts.h"
#include "maintenance/actions/action_memory.h"
#include "maintenance/run_memory.h"
#include "maintenance/trim/receipt.h"

using namespace storekeeper;

namespace {

template <typename T>
void CheckPayload(const std::string& payload, android::base::Result<T> (*parse)(const std::string&),
                  std::string (*format)(const T&)) {
    const android::base::Result<T> value = parse(payload);
    if (!value.ok()) return;
    const std::string text = format(*value);
    const android::base::Result<T> again = parse(text);
    if (!again.ok() || format(*again) != text) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto parsed = RecordFile::Parse(text); parsed.ok()) {
        const std::string written = RecordFile::Format(parsed->records);
        const auto again = RecordFile::Parse(written);
        if (!again.ok() || again->damaged != 0) __builtin_trap();
        if (RecordFile::Format(again->records) != written) __builtin_trap();
    }
    const std::string payload = text.substr(0, text.find('\n'));
    const auto one = RecordFile::Parse(RecordFile::Format({{RecordKind::kReceipt, payload}}));
    if (!one.ok() || one->records.size() + one->damaged != 1) __builtin_trap();
    CheckPayload(payload, ParseFields<PolicyState>, WriteFields<PolicyState>);
    CheckPayload(payload, ParseAlertState, FormatAlertState);
    CheckPayload(payload, ParseFields<ActionMemory>, WriteFields<ActionMemory>);
    CheckPayload(payload, ParseFields<TrimReceipt>, WriteFields<TrimReceipt>);
    return 0;
}
