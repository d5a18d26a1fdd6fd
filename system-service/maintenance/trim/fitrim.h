// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/stop_signal.h"

namespace storekeeper {

// A range of a file system, in bytes.
struct TrimRange {
    uint64_t start = 0;
    uint64_t length = 0;
};

struct TrimAnswer {
    uint64_t bytes = 0;  // trimmed bytes, as the file system claims; some answers are no counts
    // The system was suspended during the call. Since 2023 (Linux 6.6 and stable releases from 5.4
    // on) ext4 leaves a range unfinished then, without an error ("ext4: do not let fstrim block
    // system suspend").
    bool suspended = false;
};

// FITRIM calls on one mounted file system.
class TrimSession {
  public:
    virtual ~TrimSession() = default;

    // Returns when the range is done. EINTR: `stop` was raised, the call has ended in the kernel,
    // and the session is over. Other codes are the ioctl's.
    virtual android::base::Result<TrimAnswer> Trim(const TrimRange& range,
                                                   const StopSignal& stop) = 0;
};

// Begins sessions. Only a fatal signal ends a FITRIM early, so a session is a process to kill.
class FitrimRunner {
  public:
    virtual ~FitrimRunner() = default;

    // `path` names the directory `mount` in errors.
    virtual android::base::Result<std::unique_ptr<TrimSession>> Begin(
            android::base::unique_fd mount, const std::string& path) = 0;
};

// The argument that makes storekeeperd a FITRIM worker; main() hands over to FitrimWorkerMain().
inline constexpr std::string_view kFitrimWorkerArgument = "--fitrim-worker";

// Runs each session in a process of its own, `storekeeperd --fitrim-worker`, which inherits the
// directory and one end of a socket pair. It does its I/O in the idle class, and ends with the
// thread that began it.
class FitrimProcess : public FitrimRunner {
  public:
    // `program` understands kFitrimWorkerArgument.
    explicit FitrimProcess(std::string program = "/proc/self/exe") : program_(std::move(program)) {}

    android::base::Result<std::unique_ptr<TrimSession>> Begin(android::base::unique_fd mount,
                                                              const std::string& path) override;

  private:
    const std::string program_;
};

// Runs the worker until its socket closes; returns its exit code.
int FitrimWorkerMain();

}  // namespace storekeeper
