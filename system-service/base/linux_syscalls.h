// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "base/syscalls.h"

namespace storekeeper {

class LinuxSyscalls : public Syscalls {
  public:
    android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                         int flags) override;
    android::base::Result<int> Ioctl(android::base::borrowed_fd fd, unsigned long request,
                                     void* argument, const std::string& what) override;
    android::base::Result<size_t> Read(android::base::borrowed_fd fd, void* buffer,
                                       size_t size) override;
    android::base::Result<size_t> Pread(android::base::borrowed_fd fd, void* buffer, size_t size,
                                        off_t offset) override;
    android::base::Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer,
                                         size_t size, off_t offset) override;
    android::base::Result<void> Fdatasync(android::base::borrowed_fd fd) override;
    android::base::Result<struct statvfs> Statvfs(const std::string& path) override;
    android::base::Result<dev_t> DeviceOf(android::base::borrowed_fd fd) override;
    android::base::Result<int> Bpf(bpf_cmd command, bpf_attr* attributes,
                                   const std::string& what) override;
    android::base::Result<android::base::unique_fd> PerfEventOpen(perf_event_attr* attributes,
                                                                  const std::string& what) override;
};

}  // namespace storekeeper
