// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/processes.h"

#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <initializer_list>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// Wait for a killed child. One that waits for its device ends only when the kernel releases it.
constexpr int kKillWaitMs = 500;
constexpr size_t kQuantum = 16 * 1024;

struct Pipe {
    unique_fd read;
    unique_fd write;
};

Result<Pipe> MakePipe() {
    std::array<int, 2> ends = {};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return ErrnoError() << "cannot create a pipe";
    return Pipe{.read = unique_fd(ends[0]), .write = unique_fd(ends[1])};
}

// Runs in the child, so it makes only calls that are safe after a fork.
[[noreturn]] void Become(char* const* argv, const char* folder, const Pipe& out, const Pipe& err,
                         const Pipe& failure, pid_t parent) {
    const auto give_up = [&failure] {
        const int error = errno;
        static_cast<void>(TEMP_FAILURE_RETRY(write(failure.write.get(), &error, sizeof(error))));
        _exit(127);
    };
    // A group of its own keeps the terminal's ^C away: the parent decides.
    if (setpgid(0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up();
    if (getppid() != parent) _exit(127);
    if (chdir(folder) != 0) give_up();
    const int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(out.write.get(), STDOUT_FILENO) < 0 ||
        dup2(err.write.get(), STDERR_FILENO) < 0) {
        give_up();
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[0], argv);
    give_up();
    _exit(127);
}

// Adds the available bytes to the text; false at the end.
bool Drain(int fd, size_t most, std::string* text) {
    std::array<char, kQuantum> buffer = {};
    const ssize_t count = TEMP_FAILURE_RETRY(read(fd, buffer.data(), buffer.size()));
    if (count <= 0) return false;
    text->append(buffer.data(), std::min(static_cast<size_t>(count), most - text->size()));
    return true;
}

// Reads both pipes to their ends; false if the stop came first.
bool ReadAll(const Pipe& out, const Pipe& err, int stop_fd, size_t most, ChildAnswer* answer) {
    std::array<pollfd, 3> fds = {{{.fd = out.read.get(), .events = POLLIN, .revents = 0},
                                  {.fd = err.read.get(), .events = POLLIN, .revents = 0},
                                  {.fd = stop_fd, .events = POLLIN, .revents = 0}}};
    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        if (TEMP_FAILURE_RETRY(poll(fds.data(), fds.size(), -1)) < 0) return false;
        if (fds[2].revents != 0) return false;
        if (fds[0].revents != 0 && !Drain(fds[0].fd, most, &answer->out)) fds[0].fd = -1;
        if (fds[1].revents != 0 && !Drain(fds[1].fd, most, &answer->err)) fds[1].fd = -1;
    }
    return true;
}

void Kill(pid_t child) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    for (int waited = 0; waited < kKillWaitMs; ++waited) {
        if (TEMP_FAILURE_RETRY(waitpid(child, nullptr, WNOHANG)) != 0) return;
        usleep(1000);
    }
}

sigset_t Signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
    return signals;
}

}  // namespace

std::string ChildAnswer::Ending() const {
    if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
    return "exit code " + std::to_string(WEXITSTATUS(status));
}

Result<ChildAnswer> RunChild(const std::vector<std::string>& arguments, const std::string& folder,
                             int stop_fd, size_t most_bytes) {
    if (arguments.empty()) return Error() << "no program to start";
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (const std::string& argument : arguments) {
        argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    Pipe out = TRY(MakePipe());
    Pipe err = TRY(MakePipe());
    Pipe failure = TRY(MakePipe());
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) return ErrnoError() << "cannot start " << arguments[0];
    if (child == 0) Become(argv.data(), folder.c_str(), out, err, failure, parent);
    for (Pipe* pipe : {&out, &err, &failure}) pipe->write.reset();

    int error = 0;
    // A successful execvp() closes the pipe.
    if (TEMP_FAILURE_RETRY(read(failure.read.get(), &error, sizeof(error))) ==
        static_cast<ssize_t>(sizeof(error))) {
        static_cast<void>(TEMP_FAILURE_RETRY(waitpid(child, nullptr, 0)));
        return Error(error) << "cannot start " << arguments[0];
    }
    ChildAnswer answer;
    if (!ReadAll(out, err, stop_fd, most_bytes, &answer)) {
        Kill(child);
        return Error(EINTR) << arguments[0] << " was stopped";
    }
    if (TEMP_FAILURE_RETRY(waitpid(child, &answer.status, 0)) != child) {
        return ErrnoError() << "cannot wait for " << arguments[0];
    }
    return answer;
}

Termination::Termination() {
    const sigset_t signals = Signals();
    fd_.reset(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    // Signals that no descriptor reports are not blocked.
    if (fd_.ok()) sigprocmask(SIG_BLOCK, &signals, nullptr);
}

Termination::~Termination() {
    const sigset_t signals = Signals();
    // Signals that were reported must not end the program afterwards.
    const timespec now = {};
    while (sigtimedwait(&signals, nullptr, &now) > 0) {
    }
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

bool Termination::requested() const {
    pollfd wanted = {.fd = fd_.get(), .events = POLLIN, .revents = 0};
    return TEMP_FAILURE_RETRY(poll(&wanted, 1, 0)) > 0;
}

}  // namespace storekeeper
