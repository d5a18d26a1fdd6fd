// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// libbase's property calls on the files of the virtual phone. A program that links this library
// before libbase gets these instead of libbase's host version, which is a map in its own memory.

#include <android-base/logging.h>
#include <android-base/parsebool.h>
#include <android-base/parseint.h>
#include <android-base/properties.h>
#include <string.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "property_paths.h"
#include "property_store.h"

namespace {

using storekeeper::lab::PropertyStore;

PropertyStore Store() {
    return PropertyStore(storekeeper::lab::kPropertyRoot, storekeeper::lab::kPersistRoot);
}

constexpr size_t kValueMax = 92;  // PROP_VALUE_MAX, the size callers of the C function provide

bool WaitFor(const std::string& key, const std::optional<std::string>& wanted,
             std::chrono::milliseconds timeout) {
    const auto found = Store().WaitFor(key, wanted, timeout);
    if (!found.ok()) LOG(ERROR) << "cannot wait for a property: " << found.error();
    return found.ok() && *found;
}

}  // namespace

namespace android {
namespace base {

std::string GetProperty(const std::string& key, const std::string& default_value) {
    auto value = Store().Get(key);
    if (!value.ok()) {
        LOG(ERROR) << value.error();
        return default_value;
    }
    // Nothing removes a property, so an empty one counts as missing.
    if (!*value || (*value)->empty()) return default_value;
    return std::move(**value);
}

bool SetProperty(const std::string& key, const std::string& value) {
    const auto set = Store().Set(key, value);
    if (!set.ok()) LOG(ERROR) << set.error();
    return set.ok();
}

bool GetBoolProperty(const std::string& key, bool default_value) {
    switch (ParseBool(GetProperty(key, ""))) {
        case ParseBoolResult::kError:
            return default_value;
        case ParseBoolResult::kFalse:
            return false;
        case ParseBoolResult::kTrue:
            return true;
    }
    return default_value;
}

template <typename T>
T GetIntProperty(const std::string& key, T default_value, T min, T max) {
    T result;
    const std::string value = GetProperty(key, "");
    return !value.empty() && ParseInt(value, &result, min, max) ? result : default_value;
}

template <typename T>
T GetUintProperty(const std::string& key, T default_value, T max) {
    T result;
    const std::string value = GetProperty(key, "");
    return !value.empty() && ParseUint(value, &result, max) ? result : default_value;
}

template int8_t GetIntProperty(const std::string&, int8_t, int8_t, int8_t);
template int16_t GetIntProperty(const std::string&, int16_t, int16_t, int16_t);
template int32_t GetIntProperty(const std::string&, int32_t, int32_t, int32_t);
template int64_t GetIntProperty(const std::string&, int64_t, int64_t, int64_t);

template uint8_t GetUintProperty(const std::string&, uint8_t, uint8_t);
template uint16_t GetUintProperty(const std::string&, uint16_t, uint16_t);
template uint32_t GetUintProperty(const std::string&, uint32_t, uint32_t);
template uint64_t GetUintProperty(const std::string&, uint64_t, uint64_t);

bool WaitForProperty(const std::string& key, const std::string& expected_value,
                     std::chrono::milliseconds relative_timeout) {
    return WaitFor(key, expected_value, relative_timeout);
}

bool WaitForPropertyCreation(const std::string& key, std::chrono::milliseconds relative_timeout) {
    return WaitFor(key, std::nullopt, relative_timeout);
}

}  // namespace base
}  // namespace android

// Functions below libbase, called by libcutils' property_get() and property_set().
extern "C" int __system_property_set(const char* key, const char* value) {
    if (key == nullptr) return -1;
    return android::base::SetProperty(key, value == nullptr ? "" : value) ? 0 : -1;
}

extern "C" int __system_property_get(const char* key, char* value) {
    const std::string found = android::base::GetProperty(key, "");
    const size_t length = std::min(found.size(), kValueMax - 1);
    memcpy(value, found.data(), length);
    value[length] = '\0';
    return static_cast<int>(length);
}
