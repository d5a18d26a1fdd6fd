// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>
#include <sys/types.h>

#include <map>
#include <string>
#include <utility>

#include "base/instance_lock.h"

namespace storekeeper {

// A folder of our own inside one of the user's. A marker in it says so, and is locked while it is
// used. Only files that begin with kOurs are ever removed from it, and it goes only when nothing
// else is there. Whoever owns the folder above can rename it and put another in its place, as uid
// shell in /data/local/tmp: what we opened is used, not what has its name.
class OwnFolder {
  public:
    static constexpr char kOurs[] = "storekeeper_bench.";

    // Makes the folder, or takes over what an earlier run has left there. A folder of that name
    // that has no marker and is not empty, or was made by another user, is an error (EEXIST), as is
    // one in use (EWOULDBLOCK).
    static android::base::Result<OwnFolder> Take(const std::string& parent,
                                                 const std::string& name);
    // Removes what a killed run has left there, unless it was to be kept or is in use.
    static android::base::Result<void> RemoveLeftOver(const std::string& parent,
                                                      const std::string& name);

    // What it is called, for people.
    const std::string& path() const { return path_; }
    // How this process comes to it, whatever it is called by now.
    const std::string& way() const { return way_; }
    std::string PathOf(const std::string& name) const { return way_ + "/" + kOurs + name; }
    // A text about a file of it, with the name that people know.
    std::string Named(const std::string& text) const;

    // Whether it is to stay when whoever uses it is killed. Not so in a new one.
    android::base::Result<void> SetKept(bool kept);
    bool kept() const;

    // Its files, by what follows kOurs, with their lengths; not the marker's.
    android::base::Result<std::map<std::string, uint64_t>> Files() const;
    // One of its files; no file is no error.
    android::base::Result<void> RemoveFile(const std::string& name);
    // The folder with all that is ours in it. An error says what stays.
    android::base::Result<void> Remove();

  private:
    OwnFolder(std::string path, android::base::unique_fd fd, InstanceLock lock);

    std::string path_;
    std::string way_;
    android::base::unique_fd fd_;
    InstanceLock lock_;
};

}  // namespace storekeeper
