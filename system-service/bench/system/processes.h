// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <string>
#include <vector>

namespace storekeeper {

// How a program ended and what it printed.
struct ChildAnswer {
    int status = 0;  // of waitpid(2)
    std::string out;
    std::string err;

    bool ok() const { return status == 0; }
    // "exit code 3", "killed by signal 9".
    std::string Ending() const;
};

// Runs `arguments[0]`, looked for in PATH, in this folder, and waits for its end; never by a shell.
// It gets SIGKILL when `stop_fd` becomes readable (the error's code is EINTR) or when this process
// ends. -1 is no such descriptor. What it prints beyond `most_bytes` is passed over. An error says
// why it did not start; how it ended is in the answer.
android::base::Result<ChildAnswer> RunChild(const std::vector<std::string>& arguments,
                                            const std::string& folder, int stop_fd,
                                            size_t most_bytes = 1024 * 1024);

// A wish of the user or of init that the program end: SIGINT, SIGTERM, SIGHUP. They are held back
// from the thread that makes this, and from those that it starts, as long as the object lives. When
// no descriptor is left for it they end the program, as without it.
class Termination {
  public:
    Termination();
    ~Termination();
    Termination(const Termination&) = delete;
    Termination& operator=(const Termination&) = delete;

    // Readable once one of them has come, for poll(2).
    int fd() const { return fd_.get(); }
    bool requested() const;

  private:
    android::base::unique_fd fd_;
};

}  // namespace storekeeper
