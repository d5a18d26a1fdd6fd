// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "fake_properties.h"

#include <cutils/properties.h>

#include <cstring>

namespace {

FakeProperties* current = nullptr;

// is_legal_property_name() in system/core/init/property_service.cpp of Android 7.1.
bool IsLegalName(const std::string& name) {
    return !name.empty() && name.size() <= 31 && name.front() != '.' && name.back() != '.' &&
           name.find("..") == std::string::npos &&
           name.find_first_not_of(
                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                   "0123456789.-_@") == std::string::npos;
}

}  // namespace

FakeProperties::FakeProperties() {
    current = this;
}

FakeProperties::~FakeProperties() {
    current = nullptr;
}

std::string FakeProperties::Get(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
}

bool FakeProperties::Set(const std::string& name, const std::string& value) {
    const bool again = name.starts_with("ro.") && values_.contains(name);
    if (!IsLegalName(name) || value.size() >= PROPERTY_VALUE_MAX || again) {
        refused_++;
        return false;
    }
    values_[name] = value;
    return true;
}

extern "C" int property_get(const char* key, char* value, const char* default_value) {
    const std::string found = current != nullptr ? current->Get(key) : "";
    const char* text = found.empty() && default_value != nullptr ? default_value : found.c_str();
    strncpy(value, text, PROPERTY_VALUE_MAX - 1);
    value[PROPERTY_VALUE_MAX - 1] = '\0';
    return static_cast<int>(strlen(value));
}

extern "C" int property_set(const char* key, const char* value) {
    return current != nullptr && current->Set(key, value) ? 0 : -1;
}
