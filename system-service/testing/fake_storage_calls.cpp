// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// FakeSyscalls' files and BPF objects.

#include <fcntl.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "testing/fake_syscalls.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr size_t kPage = 4096;

bool IsDirect(const void* buffer, size_t size, off_t offset) {
    return reinterpret_cast<uintptr_t>(buffer) % kPage == 0 && size % kPage == 0 &&
           static_cast<size_t>(offset) % kPage == 0;
}

}  // namespace

void FakeSyscalls::Add(const std::string& path, File file) {
    MutexLock guard(lock_);
    files_[path] = std::move(file);
}

void FakeSyscalls::Add(const std::string& path, BpfObject object) {
    MutexLock guard(lock_);
    bpf_[path] = std::move(object);
}

void FakeSyscalls::AllowToCreate(const std::string& path, File file) {
    MutexLock guard(lock_);
    creatable_[path] = std::move(file);
}

FakeSyscalls::File FakeSyscalls::FileAt(const std::string& path) const {
    MutexLock guard(lock_);
    auto file = files_.find(path);
    return file == files_.end() ? File() : file->second;
}

FakeSyscalls::BpfObject FakeSyscalls::BpfObjectAt(const std::string& path) const {
    MutexLock guard(lock_);
    auto object = bpf_.find(path);
    return object == bpf_.end() ? BpfObject() : object->second;
}

std::vector<std::string> FakeSyscalls::attached() const {
    MutexLock guard(lock_);
    std::vector<std::string> programs;
    for (const auto& [fd, event] : events_) {
        // A program runs until the last descriptor of its event is closed.
        if (!event.enabled || fcntl(fd, F_GETFD) < 0) continue;
        programs.push_back(event.program + "@" + std::to_string(event.tracepoint));
    }
    return programs;
}

Result<size_t> FakeSyscalls::Pread(borrowed_fd fd, void* buffer, size_t size, off_t offset) {
    const std::string path = PathOf(fd);
    if (path.empty()) return LinuxSyscalls::Pread(fd, buffer, size, offset);
    const File file = FileAt(path);
    if (!IsDirect(buffer, size, offset)) return Error(EINVAL) << "cannot read";
    if (file.during) file.during("pread");
    const size_t from = std::min(static_cast<size_t>(offset), file.content.size());
    const size_t count = std::min(size, file.content.size() - from);
    memcpy(buffer, file.content.data() + from, count);
    return count;
}

Result<size_t> FakeSyscalls::Pwrite(borrowed_fd fd, const void* buffer, size_t size, off_t offset) {
    const std::string path = PathOf(fd);
    if (path.empty()) return LinuxSyscalls::Pwrite(fd, buffer, size, offset);
    const File before = FileAt(path);
    if (!IsDirect(buffer, size, offset)) return Error(EINVAL) << "cannot write";
    if (before.write_error != 0) return Error(before.write_error) << "cannot write";
    if (before.during) before.during("pwrite");
    MutexLock guard(lock_);
    File& file = files_[path];
    const size_t from = static_cast<size_t>(offset);
    file.content.resize(std::max(file.content.size(), from + size));
    memcpy(file.content.data() + from, buffer, size);
    file.unsynced_bytes += size;
    file.written_bytes += size;
    return size;
}

Result<void> FakeSyscalls::Fdatasync(borrowed_fd fd) {
    const std::string path = PathOf(fd);
    if (path.empty()) return LinuxSyscalls::Fdatasync(fd);
    {
        MutexLock guard(lock_);
        auto mount = mounts_.find(path);
        if (mount != mounts_.end()) {
            if (mount->second.sync_error == 0) return {};
            return Error(mount->second.sync_error) << "cannot fdatasync";
        }
    }
    const File before = FileAt(path);
    if (before.sync_error != 0) return Error(before.sync_error) << "cannot fdatasync";
    if (before.during) before.during("fdatasync");
    MutexLock guard(lock_);
    files_[path].unsynced_bytes = 0;
    return {};
}

Result<void> FakeSyscalls::Fsync(borrowed_fd fd) {
    if (PathOf(fd).empty()) return LinuxSyscalls::Fsync(fd);
    return {};
}

// The addresses in bpf_attr are numbers.
// NOLINTBEGIN(performance-no-int-to-ptr)
int FakeSyscalls::LookUp(const bpf_attr& attributes, const std::string& path) const {
    const BpfObject& map = bpf_.at(path);
    const uint32_t key = *reinterpret_cast<const uint32_t*>(attributes.key);
    if (key >= map.values.size()) return ENOENT;
    memcpy(reinterpret_cast<void*>(attributes.value), map.values[key].data(),
           std::min<size_t>(map.value_size, map.values[key].size()));
    return 0;
}

Result<int> FakeSyscalls::Bpf(bpf_cmd command, bpf_attr* attributes, const std::string& what) {
    if (command == BPF_OBJ_GET) {
        const std::string path = reinterpret_cast<const char*>(attributes->pathname);
        MutexLock guard(lock_);
        auto object = bpf_.find(path);
        if (object == bpf_.end()) return Error(ENOENT) << what;
        if (object->second.error != 0) return Error(object->second.error) << what;
        return NewDescriptor(path).release();
    }
    const bool info = command == BPF_OBJ_GET_INFO_BY_FD;
    const std::string path =
            PathOf(static_cast<int>(info ? attributes->info.bpf_fd : attributes->map_fd));
    MutexLock guard(lock_);
    auto object = bpf_.find(path);
    if (object == bpf_.end()) return Error(EBADF) << what;
    if (info) {
        bpf_map_info answer = {};
        answer.value_size = object->second.value_size;
        answer.max_entries = static_cast<uint32_t>(object->second.values.size());
        memcpy(reinterpret_cast<void*>(attributes->info.info), &answer,
               std::min<size_t>(sizeof(answer), attributes->info.info_len));
        return 0;
    }
    int error = EINVAL;
    if (command == BPF_MAP_LOOKUP_ELEM) error = LookUp(*attributes, path);
    if (command == BPF_MAP_UPDATE_ELEM) {
        const uint32_t key = *reinterpret_cast<const uint32_t*>(attributes->key);
        error = key < object->second.values.size() ? 0 : E2BIG;
        if (error == 0) {
            object->second.values[key].assign(reinterpret_cast<const char*>(attributes->value),
                                              object->second.value_size);
        }
    }
    if (error != 0) return Error(error) << what;
    return 0;
}

int FakeSyscalls::DoPerf(borrowed_fd event, unsigned long request, void* argument) {
    const std::string program =
            request == PERF_EVENT_IOC_SET_BPF
                    ? PathOf(static_cast<int>(reinterpret_cast<intptr_t>(argument)))
                    : "";
    MutexLock guard(lock_);
    auto found = events_.find(event.get());
    if (found == events_.end()) return ENOTTY;
    if (request == PERF_EVENT_IOC_SET_BPF) {
        if (bpf_.count(program) == 0) return EBADF;
        found->second.program = program;
    } else {
        found->second.enabled = true;
    }
    return 0;
}
// NOLINTEND(performance-no-int-to-ptr)

Result<unique_fd> FakeSyscalls::PerfEventOpen(perf_event_attr* attributes,
                                              const std::string& what) {
    if (attributes->type != PERF_TYPE_TRACEPOINT) return Error(EINVAL) << what;
    MutexLock guard(lock_);
    unique_fd fd = NewDescriptor("perf event");
    events_[fd.get()] = {.tracepoint = attributes->config};
    return fd;
}

}  // namespace storekeeper
