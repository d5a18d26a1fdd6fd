// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/stop_signal.h"
#include "maintenance/trim/free_map.h"

namespace storekeeper {

struct TrimAnswer {
    uint64_t bytes = 0;  // what the file system claims; 2^64-1 is no count
    // The system was suspended meanwhile. From 6.6 on ext4 leaves a range unfinished then, without
    // an error ("ext4: do not let fstrim block system suspend").
    bool suspended = false;
    std::chrono::nanoseconds took{};  // by CLOCK_MONOTONIC, in the kernel
};

// FITRIM calls on one mounted file system.
class TrimSession {
  public:
    // Called now and then while a FITRIM is under way; false: no more.
    using Meanwhile = std::function<bool()>;

    virtual ~TrimSession() = default;

    // Returns when the range is done, or with the code EINTR as soon as the kernel lets go of it
    // once `stop` is raised; the session is over then. Other codes are the ioctl's.
    virtual android::base::Result<TrimAnswer> Trim(const TrimRange& range, const StopSignal& stop,
                                                   const Meanwhile& meanwhile) = 0;

    // What is free in the range (free_map.h). Errors as those of Trim(), and ENOTTY or EOPNOTSUPP
    // where the file system does not report it.
    virtual android::base::Result<FreeMap> Free(const TrimRange& range, const StopSignal& stop) = 0;
};

// Only a fatal signal ends a FITRIM early: a session has somebody to kill.
class FitrimRunner {
  public:
    virtual ~FitrimRunner() = default;

    // `path` names the directory `mount` in errors.
    virtual android::base::Result<std::unique_ptr<TrimSession>> Begin(
            android::base::unique_fd mount, const std::string& path) = 0;
};

// The argument that makes storekeeperd a FITRIM worker; main() hands over to FitrimWorkerMain().
inline constexpr std::string_view kFitrimWorkerArgument = "--fitrim-worker";

// Runs each session in a process of its own, which is killed to stop it. The process does its I/O
// in the idle class and ends with the thread that began it.
class FitrimProcess : public FitrimRunner {
  public:
    // `program` understands kFitrimWorkerArgument.
    explicit FitrimProcess(std::string program = "/proc/self/exe") : program_(std::move(program)) {}

    android::base::Result<std::unique_ptr<TrimSession>> Begin(android::base::unique_fd mount,
                                                              const std::string& path) override;

  private:
    const std::string program_;
};

// The worker's whole life; returns its exit code.
int FitrimWorkerMain();

// Answers requests on `socket` for the directory `mount` until the other end closes.
void ServeFitrim(int socket, int mount);

}  // namespace storekeeper
