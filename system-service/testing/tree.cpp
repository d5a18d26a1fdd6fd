// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/tree.h"

#include <android-base/logging.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "platform/atomic_file.h"

namespace storekeeper {

void Tree::MakeDirectory(const std::string& path) {
    for (size_t end = 1; end != std::string::npos;) {
        end = path.find('/', end + 1);
        const std::string folder = PathOf(path.substr(0, end));
        CHECK(mkdir(folder.c_str(), 0777) == 0 || errno == EEXIST)
                << folder << ": " << strerror(errno);
    }
}

void Tree::Write(const std::string& path, std::string_view content) {
    MakeDirectory(android::base::Dirname(path));
    CHECK(android::base::WriteStringToFile(std::string(content), PathOf(path))) << PathOf(path);
}

void Tree::Remove(const std::string& path) {
    const android::base::Result<void> removed = RemoveTree(PathOf(path));
    CHECK(removed.ok()) << removed.error();
}

std::string Tree::Read(const std::string& path) const {
    std::string content;
    CHECK(android::base::ReadFileToString(PathOf(path), &content)) << PathOf(path);
    return content;
}

std::string TestDataDirectory() {
    return android::base::GetExecutableDirectory() + "/testdata";
}

}  // namespace storekeeper
