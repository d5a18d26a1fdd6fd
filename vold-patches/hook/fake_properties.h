// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <map>
#include <string>

// The properties that property_get() and property_set() use while this object exists, with the
// limits of Android 7.1 and older: names have at most 31 permitted characters, values at most 91
// bytes, and ro. names can be set only once. Not thread-safe.
class FakeProperties {
  public:
    FakeProperties();
    ~FakeProperties();
    FakeProperties(const FakeProperties&) = delete;
    FakeProperties& operator=(const FakeProperties&) = delete;

    void Put(const std::string& name, const std::string& value) { values_[name] = value; }
    // Returns "" for a property that is not set.
    std::string Get(const std::string& name) const;
    // Like property_set(); true if it accepts the value.
    bool Set(const std::string& name, const std::string& value);
    const std::map<std::string, std::string>& all() const { return values_; }
    // Number of refusals by property_set().
    int refused() const { return refused_; }

  private:
    std::map<std::string, std::string> values_;
    int refused_ = 0;
};
