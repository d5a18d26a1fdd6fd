// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "property_store.h"

#include <android-base/file.h>
#include <android-base/unique_fd.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "property_names.h"

namespace storekeeper::lab {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::milliseconds;

namespace {

enum class Durability { kUntilReboot, kOnDisk };

unique_fd OpenDirectory(const std::string& path) {
    return unique_fd(TEMP_FAILURE_RETRY(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
}

// A name that no other living thread uses and that is no property name.
std::string TemporaryName() {
    return "." + std::to_string(getpid()) + "." + std::to_string(gettid());
}

// Removes a temporary file unless it has become the real one.
class TemporaryFile {
  public:
    TemporaryFile(int directory, std::string name)
          : directory_(directory), name_(std::move(name)) {}
    ~TemporaryFile() {
        if (!renamed_) unlinkat(directory_, name_.c_str(), 0);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    void SetRenamed() { renamed_ = true; }

  private:
    int directory_;
    std::string name_;
    bool renamed_ = false;
};

// Puts a file into the directory in one step. With once, an existing file stays and is an error.
Result<void> WriteProperty(int directory, const std::string& root, const std::string& name,
                           const std::string& value, bool once, Durability durability) {
    const std::string path = root + "/" + name;
    const std::string temporary_name = TemporaryName();
    // A killed process with the same pid may have left this file, perhaps of another user.
    unlinkat(directory, temporary_name.c_str(), 0);
    unique_fd fd(
            TEMP_FAILURE_RETRY(openat(directory, temporary_name.c_str(),
                                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644)));
    if (fd.get() < 0) {
        return ErrnoError() << "cannot set " << name << ": no file can be created in " << root;
    }
    TemporaryFile temporary(directory, temporary_name);
    // The mode is part of the contract, whatever the umask of the caller.
    if (fchmod(fd.get(), 0644) != 0) return ErrnoError() << "cannot set the mode of " << path;
    if (!android::base::WriteStringToFd(value, fd)) return ErrnoError() << "cannot write " << path;
    if (durability == Durability::kOnDisk && fsync(fd.get()) != 0) {
        return ErrnoError() << "cannot sync " << path;
    }
    if (once) {
        // Unlike rename, link leaves an existing file alone, even when two threads set at once.
        if (linkat(directory, temporary_name.c_str(), directory, name.c_str(), 0) != 0) {
            if (errno != EEXIST) return ErrnoError() << "cannot create " << path;
            return Error() << "property " << name
                           << " is read-only and has a value; it can only change by a reboot";
        }
    } else {
        if (renameat(directory, temporary_name.c_str(), directory, name.c_str()) != 0) {
            return ErrnoError() << "cannot replace " << path;
        }
        temporary.SetRenamed();
    }
    if (durability == Durability::kOnDisk && fsync(directory) != 0) {
        return ErrnoError() << "cannot sync " << root;
    }
    return {};
}

Result<std::optional<std::string>> ReadProperty(const std::string& root, const std::string& name) {
    const std::string path = root + "/" + name;
    unique_fd fd(TEMP_FAILURE_RETRY(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)));
    if (fd.get() < 0) {
        if (errno == ENOENT) return std::nullopt;
        return ErrnoError() << "cannot open " << path;
    }
    std::string value;
    if (!android::base::ReadFdToString(fd, &value)) return ErrnoError() << "cannot read " << path;
    if (auto legal = CheckPropertyValue(name, value); !legal.ok()) {
        return Error() << path << ": " << legal.error() << "; set the property again";
    }
    return value;
}

Result<std::vector<std::string>> PropertyNames(const std::string& root) {
    std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(root.c_str()), closedir);
    if (!directory) return ErrnoError() << "cannot list the properties in " << root;
    std::vector<std::string> names;
    while (true) {
        errno = 0;
        const dirent* entry = readdir(directory.get());
        if (entry == nullptr) break;
        if (CheckPropertyName(entry->d_name).ok()) names.emplace_back(entry->d_name);
    }
    if (errno != 0) return ErrnoError() << "cannot list the properties in " << root;
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

PropertyStore::PropertyStore(std::string root, std::string persist_root)
      : root_(std::move(root)), persist_root_(std::move(persist_root)) {}

Result<std::optional<std::string>> PropertyStore::Get(const std::string& name) const {
    // Also keeps names with a slash from leaving the directory.
    if (auto legal = CheckPropertyName(name); !legal.ok()) return Error() << legal.error();
    return ReadProperty(root_, name);
}

Result<void> PropertyStore::Set(const std::string& name, const std::string& value) const {
    if (auto legal = CheckPropertyName(name); !legal.ok()) return Error() << legal.error();
    if (auto legal = CheckPropertyValue(name, value); !legal.ok()) return Error() << legal.error();
    const unique_fd directory = OpenDirectory(root_);
    if (directory.get() < 0) {
        return ErrnoError() << "cannot set " << name << ": property directory " << root_;
    }
    if (IsPersistentProperty(name)) {
        const unique_fd kept = OpenDirectory(persist_root_);
        if (kept.get() < 0 && errno != ENOENT) {
            return ErrnoError() << "cannot keep " << name << " in " << persist_root_;
        }
        if (kept.get() >= 0) {
            if (auto written = WriteProperty(kept.get(), persist_root_, name, value,
                                             /* once= */ false, Durability::kOnDisk);
                !written.ok()) {
                return written;
            }
        }
    }
    return WriteProperty(directory.get(), root_, name, value, IsReadOnlyProperty(name),
                         Durability::kUntilReboot);
}

Result<std::map<std::string, std::string>> PropertyStore::List() const {
    const auto names = PropertyNames(root_);
    if (!names.ok()) return Error() << names.error();
    std::map<std::string, std::string> all;
    for (const std::string& name : *names) {
        auto value = ReadProperty(root_, name);
        if (!value.ok()) return Error() << value.error();
        if (*value) all.emplace(name, std::move(**value));
    }
    return all;
}

Result<size_t> PropertyStore::LoadPersistent() const {
    const auto names = PropertyNames(persist_root_);
    if (!names.ok()) return Error() << names.error();
    const unique_fd directory = OpenDirectory(root_);
    if (directory.get() < 0) return ErrnoError() << "property directory " << root_;
    size_t loaded = 0;
    for (const std::string& name : *names) {
        if (!IsPersistentProperty(name)) continue;
        const auto value = ReadProperty(persist_root_, name);
        // One damaged file must not cost the others.
        if (!value.ok() || !*value) continue;
        if (auto written = WriteProperty(directory.get(), root_, name, **value, /* once= */ false,
                                         Durability::kUntilReboot);
            !written.ok()) {
            return Error() << written.error();
        }
        ++loaded;
    }
    return loaded;
}

Result<PropertyWatch> PropertyStore::Watch() const {
    return PropertyWatch::Open(root_);
}

Result<bool> PropertyStore::WaitFor(const std::string& name,
                                    const std::optional<std::string>& wanted,
                                    milliseconds timeout) const {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    // The watch stands before the first look, so no change falls between.
    auto watch = Watch();
    if (!watch.ok()) return Error() << watch.error();
    while (true) {
        const auto value = Get(name);
        if (!value.ok()) return Error() << value.error();
        if (*value && (!wanted || **value == *wanted)) return true;
        milliseconds left = timeout;
        if (timeout != milliseconds::max()) {
            left -= std::chrono::duration_cast<milliseconds>(Clock::now() - start);
            left = std::max(left, milliseconds::zero());
        }
        const auto changed = watch->Wait(left);
        if (!changed.ok()) return Error() << changed.error();
        if (!*changed) return false;
        if (const auto drained = watch->Read(); !drained.ok()) return Error() << drained.error();
    }
}

}  // namespace storekeeper::lab
