// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// lab-age FOLDER PLAN: ages a file system. For each line "KIB keep|delete" of the plan makes a file
// of that size in the folder, in order; then deletes those that are not kept. Files of ext4 are not
// written, which takes less time; f2fs finds a place for a block when it is written. Exit codes: 0,
// 64 usage, 65 the plan is no plan, 74 I/O.

#include <android-base/file.h>
#include <android-base/parseint.h>
#include <android-base/result.h>
#include <android-base/strings.h>
#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <sysexits.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;

struct File {
    std::string path;
    int64_t bytes = 0;
    bool kept = false;
};

Result<std::vector<File>> ReadPlan(const std::string& folder, const std::string& path) {
    std::string text;
    if (!android::base::ReadFileToString(path, &text))
        return ErrnoError() << "cannot read " << path;
    std::vector<File> files;
    for (const std::string& line : android::base::Tokenize(text, "\n")) {
        const std::vector<std::string> words = android::base::Tokenize(line, " ");
        int64_t kib = 0;
        if (words.size() != 2 || !android::base::ParseInt(words[0], &kib, int64_t{1}) ||
            (words[1] != "keep" && words[1] != "delete")) {
            return Error() << path << ": '" << line << "' is not KIB keep|delete";
        }
        files.push_back({.path = folder + "/" + std::to_string(files.size() + 1),
                         .bytes = kib * 1024,
                         .kept = words[1] == "keep"});
    }
    return files;
}

bool IsOnF2fs(int fd) {
    struct statfs fs = {};
    return fstatfs(fd, &fs) == 0 && fs.f_type == F2FS_SUPER_MAGIC;
}

// With O_DIRECT, as the page cache would copy each byte once more. `bytes` is a multiple of 4096.
bool WriteZeros(int fd, int64_t bytes) {
    alignas(4096) static const char zeros[1 << 20] = {};
    if (fcntl(fd, F_SETFL, O_DIRECT) != 0) return false;
    for (int64_t left = bytes; left > 0;) {
        const ssize_t written =
                write(fd, zeros, std::min(left, static_cast<int64_t>(sizeof(zeros))));
        if (written <= 0) return false;
        left -= written;
    }
    return true;
}

bool TakeSpace(int fd, int64_t bytes) {
    return IsOnF2fs(fd) ? WriteZeros(fd, bytes) : fallocate(fd, 0, 0, bytes) == 0;
}

Result<void> Age(const std::vector<File>& files) {
    for (const File& file : files) {
        const android::base::unique_fd fd(
                open(file.path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
        if (!fd.ok() || !TakeSpace(fd.get(), file.bytes)) {
            return ErrnoError() << "cannot make " << file.path << " of " << file.bytes << " bytes";
        }
    }
    sync();
    for (const File& file : files) {
        if (!file.kept && unlink(file.path.c_str()) != 0) {
            return ErrnoError() << "cannot delete " << file.path;
        }
    }
    sync();
    return {};
}

int Fail(const std::string& message, int code) {
    android::base::WriteStringToFd("lab-age: " + message + "\n", STDERR_FILENO);
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return Fail("usage: lab-age FOLDER PLAN", EX_USAGE);
    Result<std::vector<File>> plan = ReadPlan(argv[1], argv[2]);
    if (!plan.ok()) return Fail(plan.error().message(), EX_DATAERR);
    Result<void> aged = Age(*plan);
    if (!aged.ok()) return Fail(aged.error().message(), EX_IOERR);
    return EX_OK;
}
