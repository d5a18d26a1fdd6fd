// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/fitrim.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// Numbers of the descriptors that the worker inherits.
constexpr int kMountFd = 3;
constexpr int kSocketFd = 4;
constexpr int kFirstFreeFd = 10;

// Constants of include/uapi/linux/ioprio.h, which older user spaces lack.
constexpr int kIoPriorityWhoProcess = 1;
constexpr int kIoPriorityClassIdle = 3 << 13;

// Both ends are the same program: byte order and version agree.
struct Answer {
    uint64_t bytes;
    int32_t error;
    int32_t suspended;
};

// Time that the system was suspended since boot, within a microsecond or so.
std::chrono::nanoseconds Suspended() {
    return ReadClock(CLOCK_BOOTTIME) - ReadClock(CLOCK_MONOTONIC);
}

Answer Fitrim(int mount, const TrimRange& wanted) {
    fstrim_range range = {.start = wanted.start, .len = wanted.length, .minlen = 0};
    const auto before = Suspended();
    const int error = ioctl(mount, FITRIM, &range) == 0 ? 0 : errno;
    const bool suspended = Suspended() - before > std::chrono::milliseconds(1);
    return {.bytes = range.len, .error = error, .suspended = suspended ? 1 : 0};
}

class ProcessSession : public TrimSession {
  public:
    ProcessSession(pid_t pid, unique_fd socket, std::string program, std::string path)
          : pid_(pid),
            socket_(std::move(socket)),
            program_(std::move(program)),
            path_(std::move(path)) {}
    ~ProcessSession() override { End(); }

    Result<TrimAnswer> Trim(const TrimRange& range, const StopSignal& stop) override {
        if (pid_ == 0) return Error(EINTR) << "FITRIM on " << path_ << ": stopped";
        if (TEMP_FAILURE_RETRY(send(socket_.get(), &range, sizeof(range), MSG_NOSIGNAL)) < 0) {
            return EndLostWorker();
        }
        std::array<pollfd, 2> fds = {{{.fd = socket_.get(), .events = POLLIN, .revents = 0},
                                      {.fd = stop.fd(), .events = POLLIN, .revents = 0}}};
        if (TEMP_FAILURE_RETRY(poll(fds.data(), fds.size(), -1)) < 0) {
            return ErrnoError() << "cannot wait for FITRIM on " << path_;
        }
        // An answer that has arrived counts, stopped or not.
        if (fds[0].revents == 0) {
            End();
            return Error(EINTR) << "FITRIM on " << path_ << " was stopped";
        }
        Answer answer = {};
        if (TEMP_FAILURE_RETRY(recv(socket_.get(), &answer, sizeof(answer), 0)) !=
            static_cast<ssize_t>(sizeof(answer))) {
            return EndLostWorker();
        }
        if (answer.error != 0) return Error(answer.error) << "FITRIM on " << path_;
        return TrimAnswer{.bytes = answer.bytes, .suspended = answer.suspended != 0};
    }

  private:
    // Kills the worker and waits until the kernel has released it: no discard follows.
    int End() {
        int status = 0;
        if (pid_ == 0) return status;
        kill(pid_, SIGKILL);
        static_cast<void>(TEMP_FAILURE_RETRY(waitpid(pid_, &status, 0)));
        pid_ = 0;
        return status;
    }

    ResultFailure EndLostWorker() {
        const int status = End();
        // bionic's posix_spawn() reports no failed exec; its child exits so, as a shell's does.
        if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
            return {"cannot start " + program_ + " as a worker", ECHILD};
        }
        return {"FITRIM on " + path_ + ": its worker process ended (status " +
                        std::to_string(status) + "); see the log for the cause",
                ECHILD};
    }

    pid_t pid_;
    unique_fd socket_;
    const std::string program_;
    const std::string path_;
};

// Uses posix_spawn(3), because fork would copy a process with threads.
Result<pid_t> Spawn(const std::string& program, int mount, int socket) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, mount, kMountFd);
    posix_spawn_file_actions_adddup2(&actions, socket, kSocketFd);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // The daemon blocks the signals it reads from a descriptor.
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    std::string name = "storekeeperd";
    std::string argument(kFitrimWorkerArgument);
    std::array<char*, 3> argv = {name.data(), argument.data(), nullptr};
    pid_t pid = 0;
    const int error =
            posix_spawn(&pid, program.c_str(), &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) return Error(error) << "cannot start " << program << " as a worker";
    return pid;
}

}  // namespace

Result<std::unique_ptr<TrimSession>> FitrimProcess::Begin(unique_fd mount,
                                                          const std::string& path) {
    std::array<int, 2> ends = {};
    // SEQPACKET: a message arrives whole or not at all.
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        return ErrnoError() << "cannot create a socket to the FITRIM worker";
    }
    unique_fd ours(ends[0]);
    unique_fd theirs(ends[1]);
    // Copies above the inherited numbers: dup2 of a number onto itself keeps close-on-exec.
    unique_fd mount_up(fcntl(mount.get(), F_DUPFD_CLOEXEC, kFirstFreeFd));
    unique_fd theirs_up(fcntl(theirs.get(), F_DUPFD_CLOEXEC, kFirstFreeFd));
    if (!mount_up.ok() || !theirs_up.ok()) {
        return ErrnoError() << "cannot duplicate a descriptor for the FITRIM worker";
    }
    pid_t pid = TRY(Spawn(program_, mount_up.get(), theirs_up.get()));
    return std::make_unique<ProcessSession>(pid, std::move(ours), program_, path);
}

int FitrimWorkerMain() {
    // Started from /proc/self/exe, it would be called "exe" by ps and in AVC messages. A name has
    // at most 15 characters (prctl(2)).
    prctl(PR_SET_NAME, "fitrim-worker");
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return EX_OSERR;
    // A daemon that died before prctl() has closed the socket, and may have left a request in it.
    pollfd daemon = {.fd = kSocketFd, .events = 0, .revents = 0};
    if (poll(&daemon, 1, 0) != 0) return EX_UNAVAILABLE;
    // If the idle class cannot be set, the throttled queue still lets other requests in between.
    static_cast<void>(syscall(SYS_ioprio_set, kIoPriorityWhoProcess, 0, kIoPriorityClassIdle));
    TrimRange range = {};
    while (TEMP_FAILURE_RETRY(recv(kSocketFd, &range, sizeof(range), 0)) ==
           static_cast<ssize_t>(sizeof(range))) {
        const Answer answer = Fitrim(kMountFd, range);
        if (TEMP_FAILURE_RETRY(send(kSocketFd, &answer, sizeof(answer), MSG_NOSIGNAL)) < 0) break;
    }
    return EX_OK;
}

}  // namespace storekeeper
