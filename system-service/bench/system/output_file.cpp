// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/output_file.h"

#include <android-base/file.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace storekeeper {

using android::base::ErrnoError;
using android::base::Result;
using android::base::unique_fd;

namespace {

constexpr int kFlags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW;
constexpr mode_t kMode = 0666;  // less the umask

}  // namespace

Result<OutputFile> OutputFile::Open(const std::string& path) {
    unique_fd fd(TEMP_FAILURE_RETRY(open(path.c_str(), kFlags | O_CREAT | O_EXCL, kMode)));
    const bool is_new = fd.ok();
    if (!is_new && errno == EEXIST) fd.reset(TEMP_FAILURE_RETRY(open(path.c_str(), kFlags)));
    if (!fd.ok()) return ErrnoError() << "cannot write " << path;
    // /dev/full says so to nothing, too.
    if (TEMP_FAILURE_RETRY(write(fd.get(), "", 0)) < 0) {
        return ErrnoError() << "cannot write " << path;
    }
    return OutputFile(std::move(fd), path, is_new);
}

OutputFile::~OutputFile() {
    if (fd_.ok() && is_new_) unlink(path_.c_str());
}

Result<void> OutputFile::Write(const std::string& text) {
    struct stat of = {};
    if (fstat(fd_.get(), &of) != 0 || (S_ISREG(of.st_mode) && ftruncate(fd_.get(), 0) != 0) ||
        !android::base::WriteStringToFd(text, fd_)) {
        return ErrnoError() << "cannot write " << path_;
    }
    is_new_ = false;
    return {};
}

}  // namespace storekeeper
