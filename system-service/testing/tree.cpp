// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/tree.h"

#include <android-base/logging.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "base/atomic_file.h"

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

void Tree::Link(const std::string& path, const std::string& target) {
    MakeDirectory(android::base::Dirname(path));
    CHECK(symlink(target.c_str(), PathOf(path).c_str()) == 0)
            << PathOf(path) << ": " << strerror(errno);
}

void Tree::CopyFrom(const std::string& directory) {
    std::vector<std::string> folders = {""};
    while (!folders.empty()) {
        const std::string folder = folders.back();
        folders.pop_back();
        const std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir((directory + folder).c_str()),
                                                      closedir);
        CHECK(dir != nullptr) << directory << folder << ": " << strerror(errno);
        for (;;) {
            errno = 0;
            const dirent* entry = readdir(dir.get());
            if (entry == nullptr) break;
            const std::string name = entry->d_name;
            if (name == "." || name == "..") continue;
            const std::string path = folder + "/" + name;
            struct stat info {};
            CHECK(lstat((directory + path).c_str(), &info) == 0) << directory << path;
            if (S_ISDIR(info.st_mode)) {
                MakeDirectory(path);
                folders.push_back(path);
                continue;
            }
            CHECK(S_ISREG(info.st_mode)) << directory << path << " is not a file: a push to a "
                                         << "device loses links, name them in the file 'links'";
            std::string content;
            CHECK(android::base::ReadFileToString(directory + path, &content)) << directory << path;
            Write(path, content);
        }
        CHECK(errno == 0) << directory << folder << ": " << strerror(errno);
    }
}

void Tree::Remove(const std::string& path) {
    const android::base::Result<void> removed = RemoveTree(RealCalls(), PathOf(path));
    CHECK(removed.ok()) << removed.error();
}

std::string Tree::Read(const std::string& path) const {
    std::string content;
    CHECK(android::base::ReadFileToString(PathOf(path), &content)) << PathOf(path);
    return content;
}

Syscalls& RealCalls() {
    static LinuxSyscalls calls;
    return calls;
}

std::string TestDataDirectory() {
    return android::base::GetExecutableDirectory() + "/testdata";
}

}  // namespace storekeeper
