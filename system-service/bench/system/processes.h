// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <string>
#include <vector>

namespace storekeeper {

// The end of a program and its output.
struct ChildAnswer {
    int status = 0;  // as waitpid(2) returns it
    std::string out;
    std::string err;

    bool ok() const { return status == 0; }
    // The end for people: "exit code 3", "killed by signal 9".
    std::string Ending() const;
};

// Runs `arguments[0]`, found in PATH, in this folder without a shell, and waits for its end. It
// gets SIGKILL if `stop_fd` becomes readable (EINTR) or this process ends; -1 is no descriptor.
// Output beyond `most_bytes` is dropped. An error says why it did not start; the answer says how it
// ended.
android::base::Result<ChildAnswer> RunChild(const std::vector<std::string>& arguments,
                                            const std::string& folder, int stop_fd,
                                            size_t most_bytes = 1024 * 1024);

// A request by the user or by init to end the program: SIGINT, SIGTERM or SIGHUP. While the object
// lives, these signals are blocked in the thread that made it and in threads that this thread
// starts. If no descriptor is left for the object, the signals end the program as usual.
class Termination {
  public:
    Termination();
    ~Termination();
    Termination(const Termination&) = delete;
    Termination& operator=(const Termination&) = delete;

    // Readable after one of the signals has come; for poll(2).
    int fd() const { return fd_.get(); }
    bool requested() const;

  private:
    android::base::unique_fd fd_;
};

}  // namespace storekeeper
