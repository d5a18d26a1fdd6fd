// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <string_view>

#include "maintenance/trim/fitrim.h"

namespace storekeeper {

// The argument that makes storekeeperd a FITRIM worker; main() hands over to FitrimWorkerMain().
inline constexpr std::string_view kFitrimWorkerArgument = "--fitrim-worker";

// Runs each session in a process of its own, which is killed to stop it. The process does its I/O
// in the idle class and ends with the thread that began it.
class FitrimProcess : public FitrimRunner {
  public:
    // `program` understands kFitrimWorkerArgument.
    explicit FitrimProcess(std::string program = "/proc/self/exe");

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
