// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Runs the one command that `lab run` put into this guest, and reports to the host how it went.
// Input: /lab/command/argv (NUL-terminated words), timeout (seconds), get (a path a line).
// Output: ttyS1 its standard output, ttyS3 its standard error, ttyS2 for the host:
// "file INDEX SIZE\n" and the bytes for each path of `get`, then "exit N", "signal N" or "timeout".

#include <android-base/file.h>
#include <android-base/parseint.h>
#include <android-base/result.h>
#include <android-base/strings.h>
#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <vector>

namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::ReadFileToString;
using android::base::Result;
using android::base::unique_fd;
using android::base::WriteFully;
using android::base::WriteStringToFd;

constexpr std::string_view kInput = "/lab/command/";

struct Ports {
    unique_fd out;
    unique_fd error;
    unique_fd control;
};

struct Child {
    pid_t pid = 0;
    unique_fd pidfd;
    unique_fd out;
    unique_fd error;
};

struct Work {
    std::vector<std::string> argv;
    std::chrono::seconds timeout{};
    std::vector<std::string> get;
};

std::chrono::nanoseconds BootTime() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

Result<unique_fd> OpenPort(const char* path) {
    unique_fd fd(TEMP_FAILURE_RETRY(open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)));
    termios settings{};
    if (fd.get() < 0 || tcgetattr(fd.get(), &settings) != 0) return ErrnoError() << path;
    cfmakeraw(&settings);
    if (tcsetattr(fd.get(), TCSANOW, &settings) != 0) return ErrnoError() << path;
    return fd;
}

Result<Work> ReadWork() {
    const std::string base(kInput);
    std::string argv, timeout, get;
    if (!ReadFileToString(base + "argv", &argv)) return ErrnoError() << base << "argv";
    if (!ReadFileToString(base + "timeout", &timeout)) return ErrnoError() << base << "timeout";
    if (!ReadFileToString(base + "get", &get)) return ErrnoError() << base << "get";
    Work work;
    for (size_t at = 0; at < argv.size();) {
        work.argv.emplace_back(argv.c_str() + at);
        at += work.argv.back().size() + 1;
    }
    if (work.argv.empty()) return Error() << base << "argv is empty";
    int seconds = 0;
    if (!android::base::ParseInt(android::base::Trim(timeout), &seconds, 1)) {
        return Error() << base << "timeout: '" << timeout << "' is not a number of seconds";
    }
    work.timeout = std::chrono::seconds(seconds);
    for (const std::string& path : android::base::Split(get, "\n")) {
        if (!path.empty()) work.get.push_back(path);
    }
    return work;
}

Result<Child> Start(const Work& work) {
    Child child;
    unique_fd out_end, error_end;
    if (!android::base::Pipe(&child.out, &out_end, O_CLOEXEC) ||
        !android::base::Pipe(&child.error, &error_end, O_CLOEXEC)) {
        return ErrnoError() << "pipe";
    }
    for (const unique_fd* end : {&child.out, &child.error}) {
        if (fcntl(end->get(), F_SETFL, O_NONBLOCK) != 0) return ErrnoError() << "pipe flags";
    }
    std::vector<char*> argv;
    for (const std::string& word : work.argv) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    child.pid = fork();
    if (child.pid < 0) return ErrnoError() << "fork";
    if (child.pid == 0) {
        setpgid(0, 0);
        // The umask of a root shell; init's is 077.
        umask(022);
        dup2(out_end.get(), STDOUT_FILENO);
        dup2(error_end.get(), STDERR_FILENO);
        execvp(argv[0], argv.data());
        const std::string why = work.argv[0] + ": " + strerror(errno) + "\n";
        WriteStringToFd(why, STDERR_FILENO);
        // POSIX shells: 127 not found, 126 found but not executable.
        _exit(errno == ENOENT ? 127 : 126);
    }
    child.pidfd.reset(syscall(SYS_pidfd_open, child.pid, 0));
    if (child.pidfd.get() < 0) return ErrnoError() << "pidfd_open";
    return child;
}

/** Copies the available bytes; false once the writing end is closed. */
bool Copy(const unique_fd& from, const unique_fd& to) {
    std::array<char, 4096> buffer{};
    while (true) {
        const ssize_t got = TEMP_FAILURE_RETRY(read(from.get(), buffer.data(), buffer.size()));
        if (got <= 0) return got < 0 && errno == EAGAIN;
        WriteFully(to, buffer.data(), got);
    }
}

/** Follows the child to its end; returns the verdict for the host. */
std::string Follow(Child& child, std::chrono::seconds timeout, const Ports& ports) {
    const auto deadline = BootTime() + timeout;
    std::array<pollfd, 3> fds = {pollfd{child.pidfd.get(), POLLIN, 0},
                                 pollfd{child.out.get(), POLLIN, 0},
                                 pollfd{child.error.get(), POLLIN, 0}};
    bool timed_out = false;
    while ((fds[0].revents & POLLIN) == 0) {
        const auto left = deadline - BootTime();
        if (left.count() <= 0 && !timed_out) {
            timed_out = true;
            kill(-child.pid, SIGKILL);
        }
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(left).count();
        const int limit = std::numeric_limits<int>::max();
        poll(fds.data(), fds.size(),
             timed_out ? -1 : static_cast<int>(std::min<int64_t>(wait, limit)));
        // A closed end would make poll return for ever: -1 takes it out.
        if (fds[1].revents != 0 && !Copy(child.out, ports.out)) fds[1].fd = -1;
        if (fds[2].revents != 0 && !Copy(child.error, ports.error)) fds[2].fd = -1;
    }
    Copy(child.out, ports.out);
    Copy(child.error, ports.error);
    int status = 0;
    TEMP_FAILURE_RETRY(waitpid(child.pid, &status, 0));
    if (timed_out) return "timeout\n";
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status)) + "\n";
    return "exit " + std::to_string(WEXITSTATUS(status)) + "\n";
}

void SendFiles(const std::vector<std::string>& paths, const Ports& ports) {
    for (size_t i = 0; i < paths.size(); ++i) {
        std::string content;
        if (!ReadFileToString(paths[i], &content)) {
            WriteStringToFd("lab: " + paths[i] + ": " + strerror(errno) + "\n", ports.error);
            continue;
        }
        WriteStringToFd("file " + std::to_string(i) + " " + std::to_string(content.size()) + "\n",
                        ports.control);
        WriteFully(ports.control, content.data(), content.size());
    }
}

/**
 * Runs before the command whenever there is something to copy: what a command printed is at the
 * host even if the next thing it does ends the guest. Its children are ordinary processes.
 */
Result<void> GoFirst() {
    const sched_param priority{.sched_priority = 1};
    if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority) != 0) {
        return ErrnoError() << "sched_setscheduler";
    }
    return {};
}

Result<void> Run() {
    if (auto first = GoFirst(); !first.ok()) return first;
    Ports ports;
    for (auto [path, fd] : {std::pair{"/dev/ttyS1", &ports.out},
                            {"/dev/ttyS2", &ports.control},
                            {"/dev/ttyS3", &ports.error}}) {
        auto port = OpenPort(path);
        if (!port.ok()) return port.error();
        *fd = std::move(*port);
    }
    auto work = ReadWork();
    if (!work.ok()) return work.error();
    auto child = Start(*work);
    if (!child.ok()) return child.error();
    const std::string verdict = Follow(*child, work->timeout, ports);
    SendFiles(work->get, ports);
    tcdrain(ports.out.get());
    tcdrain(ports.error.get());
    WriteStringToFd(verdict, ports.control);
    tcdrain(ports.control.get());
    return {};
}

}  // namespace

int main() {
    if (auto run = Run(); !run.ok()) {
        WriteStringToFd("lab-command: " + run.error().message() + "\n", STDERR_FILENO);
        return 1;
    }
    return 0;
}
