// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <map>
#include <string>

// What property_get() and property_set() reach while it lives, with the limits of Android 7.1 and
// older: names of 31 characters out of its set, values of 91, ro. only once. Not thread-safe.
class FakeProperties {
  public:
    FakeProperties();
    ~FakeProperties();
    FakeProperties(const FakeProperties&) = delete;
    FakeProperties& operator=(const FakeProperties&) = delete;

    void Put(const std::string& name, const std::string& value) { values_[name] = value; }
    // "" for what is not set.
    std::string Get(const std::string& name) const;
    // Whether property_set() takes it.
    bool Set(const std::string& name, const std::string& value);
    const std::map<std::string, std::string>& all() const { return values_; }
    // How many times property_set() refused.
    int refused() const { return refused_; }

  private:
    std::map<std::string, std::string> values_;
    int refused_ = 0;
};
