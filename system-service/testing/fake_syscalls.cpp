// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/fake_syscalls.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/major.h>
#include <linux/mmc/ioctl.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

}  // namespace

void FakeSyscalls::Add(const std::string& path, Mount mount) {
    MutexLock guard(lock_);
    mounts_[path] = std::move(mount);
}

void FakeSyscalls::Add(const std::string& path, InputDevice device) {
    MutexLock guard(lock_);
    inputs_[path] = std::move(device);
}

void FakeSyscalls::Add(const std::string& path, Card card) {
    MutexLock guard(lock_);
    cards_[path] = std::move(card);
}

void FakeSyscalls::PassOn(const std::string& folder) {
    MutexLock guard(lock_);
    passed_on_.push_back(folder);
}

void FakeSyscalls::FailOpen(const std::string& path, int error) {
    MutexLock guard(lock_);
    open_errors_[path] = error;
    if (error == 0) open_errors_.erase(path);
}

void FakeSyscalls::Unplug(const std::string& path) {
    MutexLock guard(lock_);
    mounts_.erase(path);
    cards_.erase(path);
    // Open descriptors stay open and report that their device is gone.
    auto input = inputs_.find(path);
    if (input != inputs_.end()) input->second.unplugged = true;
}

void FakeSyscalls::Touch(const std::string& path, std::chrono::nanoseconds time, uint16_t type) {
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    input_event event = {};
    event.input_event_sec = seconds.count();
    event.input_event_usec =
            std::chrono::duration_cast<std::chrono::microseconds>(time - seconds).count();
    event.type = type;
    MutexLock guard(lock_);
    inputs_[path].queue.push_back(event);
}

std::vector<std::string> FakeSyscalls::trimmed() const {
    std::vector<std::string> paths;
    for (const Fitrim& call : fitrims()) {
        if (call.start == 0) paths.push_back(call.path);
    }
    return paths;
}

std::vector<FakeSyscalls::Fitrim> FakeSyscalls::fitrims() const {
    MutexLock guard(lock_);
    return fitrims_;
}

std::string FakeSyscalls::PathOf(borrowed_fd fd) const {
    MutexLock guard(lock_);
    auto file = open_files_.find(fd.get());
    return file == open_files_.end() ? "" : file->second;
}

unique_fd FakeSyscalls::NewDescriptor(const std::string& path) {
    // A real descriptor can be closed like any other.
    unique_fd fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    open_files_[fd.get()] = path;
    return fd;
}

Result<unique_fd> FakeSyscalls::Open(const std::string& path, int flags) {
    MutexLock guard(lock_);
    if ((flags & O_CREAT) != 0 && files_.count(path) == 0 && creatable_.count(path) != 0) {
        files_[path] = creatable_[path];
    }
    auto file = files_.find(path);
    if (file != files_.end() && (flags & O_DIRECT) != 0 && file->second.direct_error != 0) {
        return Error(file->second.direct_error) << "cannot open " << path;
    }
    auto error = open_errors_.find(path);
    auto input = inputs_.find(path);
    bool exists = file != files_.end() || mounts_.count(path) != 0 || cards_.count(path) != 0 ||
                  (input != inputs_.end() && !input->second.unplugged);
    if (error != open_errors_.end()) return Error(error->second) << "cannot open " << path;
    // The parent folder of a given file exists as well.
    const auto inside = [&](const auto& given) { return given.first.starts_with(path + "/"); };
    exists = exists ||
             ((flags & O_DIRECTORY) != 0 && std::any_of(files_.begin(), files_.end(), inside));
    if (exists) return NewDescriptor(path);
    const auto below = [&](const std::string& folder) { return path.starts_with(folder); };
    if (!std::any_of(passed_on_.begin(), passed_on_.end(), below)) {
        return Error(ENOENT) << "cannot open " << path;
    }
    unique_fd fd = TRY(LinuxSyscalls::Open(path, flags));
    open_files_.erase(fd.get());
    return fd;
}

int FakeSyscalls::DoFitrim(const std::string& path, void* argument) {
    auto* range = static_cast<fstrim_range*>(argument);
    std::optional<Mount> mount;
    {
        MutexLock guard(lock_);
        auto found = mounts_.find(path);
        if (found == mounts_.end()) return ENOTTY;
        mount = found->second;
        if (range->start >= mount->size_bytes) return EINVAL;
        // The superblock is never free.
        if (range->start == 0 && range->len <= 4096 && mount->error == 0) {
            if (!mount->echoes_length) range->len = 0;
            return 0;
        }
        fitrims_.push_back({.path = path, .start = range->start, .length = range->len});
    }
    if (mount->during) mount->during();
    if (mount->error != 0) return mount->error;
    if (mount->echoes_length) return 0;
    range->len = range->start == 0 || mount->answer_bytes == UINT64_MAX ? mount->answer_bytes : 0;
    return 0;
}

int FakeSyscalls::SendExtCsd(const std::string& path, void* argument) {
    MutexLock guard(lock_);
    auto card = cards_.find(path);
    if (card == cards_.end()) return ENOTTY;
    if (card->second.error != 0) return card->second.error;
    auto* command = static_cast<mmc_ioc_cmd*>(argument);
    // The kernel refuses a transfer whose size is not that of the card's answer.
    if (command->opcode != 8 || command->blksz * command->blocks != card->second.ext_csd.size()) {
        return EINVAL;
    }
    // The ioctl carries the address as a number.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    memcpy(reinterpret_cast<void*>(command->data_ptr), card->second.ext_csd.data(),
           card->second.ext_csd.size());
    return 0;
}

Result<int> FakeSyscalls::Ioctl(borrowed_fd fd, unsigned long request, void* argument,
                                const std::string& what) {
    std::string path = PathOf(fd);
    int error = ENOTTY;
    if (request == FITRIM) {
        error = DoFitrim(path, argument);
    } else if (request == MMC_IOC_CMD) {
        error = SendExtCsd(path, argument);
    } else if (request == EVIOCGBIT(0, sizeof(unsigned long))) {
        MutexLock guard(lock_);
        *static_cast<unsigned long*>(argument) = inputs_[path].event_types;
        error = 0;
    } else if (request == EVIOCSCLOCKID) {
        MutexLock guard(lock_);
        error = *static_cast<int*>(argument) == inputs_[path].clock ? 0 : EINVAL;
    }
    if (error != 0) return Error(error) << what;
    return 0;
}

Result<size_t> FakeSyscalls::Read(borrowed_fd fd, void* buffer, size_t size) {
    std::string path = PathOf(fd);
    MutexLock guard(lock_);
    InputDevice& input = inputs_[path];
    if (input.unplugged) return Error(ENODEV) << "cannot read";
    if (input.queue.empty()) return Error(EAGAIN) << "cannot read";
    size_t count = std::min(size / sizeof(input_event), input.queue.size());
    memcpy(buffer, input.queue.data(), count * sizeof(input_event));
    input.queue.erase(input.queue.begin(), input.queue.begin() + static_cast<ptrdiff_t>(count));
    return count * sizeof(input_event);
}

Result<struct statvfs> FakeSyscalls::Statvfs(const std::string& path) {
    MutexLock guard(lock_);
    auto mount = mounts_.find(path);
    if (mount == mounts_.end()) return Error(ENOENT) << "cannot statvfs " << path;
    struct statvfs answer = {};
    answer.f_bsize = 4096;
    answer.f_frsize = 4096;
    answer.f_blocks = mount->second.size_bytes / answer.f_frsize;
    answer.f_bfree = answer.f_bavail = answer.f_blocks / 2;
    answer.f_fsid = mount->second.device;
    return answer;
}

Result<struct stat> FakeSyscalls::Fstat(borrowed_fd fd) {
    const std::string path = PathOf(fd);
    if (path.empty()) return LinuxSyscalls::Fstat(fd);
    struct stat answer = {};
    MutexLock guard(lock_);
    const auto mount = mounts_.find(path);
    answer.st_mode = mount == mounts_.end() ? S_IFREG : S_IFDIR;
    if (mount != mounts_.end()) answer.st_dev = mount->second.device;
    const auto file = files_.find(path);
    if (file != files_.end()) {
        answer.st_blksize = static_cast<blksize_t>(file->second.block_bytes);
    }
    return answer;
}

}  // namespace storekeeper
