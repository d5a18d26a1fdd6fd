// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "property_watch.h"

namespace storekeeper::lab {

// System properties as files: one file per property in one directory, named by the property, whose
// content is the value. Any number of processes and threads may use one directory at the same time;
// a reader sees an old or a new value, never a part of one, and so does whoever reads after a
// crash.
//
// Who may set a property is a matter of the directory's mode: init creates it 0775 root:system, so
// root and the group system set, everybody reads.
class PropertyStore {
  public:
    // root: the directory of the properties. persist_root: where "persist." properties are kept for
    // the next boot; while it does not exist (before /data is mounted) nothing is kept.
    PropertyStore(std::string root, std::string persist_root);

    // The value, or nothing if the property was never set. An error if its file cannot be read.
    android::base::Result<std::optional<std::string>> Get(const std::string& name) const;

    // Sets a property. An error if name or value are not legal, if it is a "ro." property that has
    // a value, or if a file cannot be written. A "persist." property is safe on the disk before it
    // is seen; if that fails nobody sees it.
    android::base::Result<void> Set(const std::string& name, const std::string& value) const;

    // All properties, sorted by name.
    android::base::Result<std::map<std::string, std::string>> List() const;

    // Sets every property kept in persist_root, as init does once /data is there. Kept properties
    // win over values set before. Returns how many were set; skips files that are no property.
    android::base::Result<size_t> LoadPersistent() const;

    // Reports the properties set from now on, until the watch is destroyed.
    android::base::Result<PropertyWatch> Watch() const;

    // Sleeps until the property exists and, if wanted is given, has that value. False once the
    // timeout is over; milliseconds::max() waits for ever.
    android::base::Result<bool> WaitFor(const std::string& name,
                                        const std::optional<std::string>& wanted,
                                        std::chrono::milliseconds timeout) const;

  private:
    std::string root_;
    std::string persist_root_;
};

}  // namespace storekeeper::lab
