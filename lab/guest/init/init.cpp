// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "init.h"

#include <android-base/strings.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>

#include "launcher.h"

namespace storekeeper::lab {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::StartsWith;
using android::base::unique_fd;

namespace {

constexpr std::string_view kControlPrefix = "ctl.";
constexpr char kPowerProperty[] = "sys.powerctl";
// The events of an Android boot that our scripts hook, in their order.
constexpr std::array kBootEvents = {"early-init", "init",         "post-fs",
                                    "late-fs",    "post-fs-data", "boot"};

std::string DescribeExit(int status) {
    if (WIFSIGNALED(status)) {
        return "was killed by signal " + std::to_string(WTERMSIG(status));
    }
    return "exited with status " + std::to_string(WEXITSTATUS(status));
}

int TimeoutUntil(std::optional<BootTime> due, BootTime now) {
    if (!due) return -1;
    if (*due <= now) return 0;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*due - now).count();
    return static_cast<int>(std::min<decltype(left)>(left, std::numeric_limits<int>::max()));
}

}  // namespace

BootTime Now() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

Init::Init(const RcScript& script, const PropertyStore& properties, GuestLog& log)
      : properties_(properties),
        log_(log),
        supervisor_(script.services, *this),
        triggers_(script.actions,
                  [this](const std::string& name) {
                      auto value = properties_.Get(name);
                      return value.ok() ? value->value_or("") : "";
                  }),
        context_{properties,
                 supervisor_,
                 triggers_,
                 Now,
                 [this](const ServiceConfig& program) { return Exec(program); },
                 [this](const std::string& service) { return ExecStart(service); }} {}

Result<void> Init::Run() {
    if (auto opened = OpenSources(); !opened.ok()) return opened.error();
    for (const char* event : kBootEvents) triggers_.QueueEvent(event);
    triggers_.EnableProperties();
    while (true) {
        RunActions();
        Wait();
    }
}

Result<void> Init::Watch(int fd) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = fd;
    if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) return ErrnoError() << "epoll_ctl";
    return {};
}

Result<void> Init::OpenSources() {
    epoll_.reset(epoll_create1(EPOLL_CLOEXEC));
    if (epoll_.get() < 0) return ErrnoError() << "epoll_create1";
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (sigprocmask(SIG_BLOCK, &child, nullptr) != 0) return ErrnoError() << "sigprocmask";
    signals_.reset(signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
    if (signals_.get() < 0) return ErrnoError() << "signalfd";
    auto watch = properties_.Watch();
    if (!watch.ok()) return watch.error();
    watch_.emplace(std::move(*watch));
    if (auto watched = Watch(signals_.get()); !watched.ok()) return watched.error();
    return Watch(watch_->fd());
}

void Init::RunActions() {
    while (true) {
        HandleChanges();
        if (exec_pid_ != 0 || supervisor_.IsRunning(exec_service_)) return;
        exec_service_.clear();
        if (action_ == nullptr) {
            action_ = triggers_.Next();
            next_command_ = 0;
            if (action_ == nullptr) return;
            log_.Info("on " + action_->TriggerName() + " (" + action_->where.ToString() + ")");
        }
        if (next_command_ == action_->commands.size()) {
            action_ = nullptr;
            continue;
        }
        const Command& command = action_->commands[next_command_++];
        if (auto run = RunBuiltin(command, context_); !run.ok()) {
            log_.Error(command.where.ToString() + ": " + command.name + ": " +
                       run.error().message());
        }
        CollectChanges();
    }
}

void Init::Wait() {
    std::array<epoll_event, 16> events{};
    const int ready = epoll_wait(epoll_.get(), events.data(), events.size(),
                                 TimeoutUntil(supervisor_.NextStart(), Now()));
    for (int i = 0; i < ready; ++i) {
        const int fd = events[i].data.fd;
        if (fd == signals_.get()) {
            ReadSignals();
        } else if (fd == watch_->fd()) {
            CollectChanges();
        } else {
            ReadOutput(fd);
        }
    }
    supervisor_.StartDue(Now());
}

void Init::ReadSignals() {
    signalfd_siginfo info{};
    while (read(signals_.get(), &info, sizeof(info)) == sizeof(info)) {
    }
    Reap();
}

void Init::Reap() {
    int status = 0;
    while (true) {
        const pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0) return;
        if (pid == exec_pid_) {
            exec_pid_ = 0;
            if (status != 0) log_.Error("exec: the program " + DescribeExit(status));
        } else {
            supervisor_.Exited(pid, DescribeExit(status), Now());
        }
    }
}

// inotify reports names only, and two changes between two looks are one. So that no state of our
// own is missed, this is called after each property that init itself has set, too.
void Init::CollectChanges() {
    auto changes = watch_->Read();
    if (!changes.ok()) {
        log_.Error("properties: " + changes.error().message());
        return;
    }
    if (!changes->overflowed) {
        for (const std::string& name : changes->names) CollectChange(name);
        return;
    }
    auto all = properties_.List();
    if (!all.ok()) {
        log_.Error("properties: " + all.error().message());
        return;
    }
    for (const auto& [name, value] : *all) changes_.emplace_back(name, value);
}

void Init::CollectChange(const std::string& name) {
    auto value = properties_.Get(name);
    if (!value.ok()) {
        log_.Error("properties: " + value.error().message());
        return;
    }
    changes_.emplace_back(name, value->value_or(""));
}

void Init::HandleChanges() {
    while (!changes_.empty()) {
        const auto [name, value] = std::move(changes_.front());
        changes_.pop_front();
        HandleChange(name, value);
    }
}

void Init::HandleChange(const std::string& name, const std::string& value) {
    if (name == kPowerProperty) {
        if (!value.empty()) SwitchOff(StartsWith(value, "reboot"), log_);
    } else if (StartsWith(name, kControlPrefix)) {
        const std::string_view verb = std::string_view(name).substr(kControlPrefix.size());
        if (auto done = Control(verb, value); !done.ok()) {
            log_.Error(name + ": " + done.error().message());
        }
    } else {
        triggers_.QueueProperty(name, value);
    }
}

Result<void> Init::Control(std::string_view verb, const std::string& service) {
    if (verb == "start") return supervisor_.Start(service, Now());
    if (verb == "stop") return supervisor_.Stop(service);
    if (verb == "restart") return supervisor_.Restart(service, Now());
    // servicemanager asks for whoever implements an interface; no service of ours is lazy.
    if (verb == "interface_start") return {};
    return Error() << "unknown; use ctl.start, ctl.stop or ctl.restart";
}

void Init::ReadOutput(int fd) {
    const auto found = outputs_.find(fd);
    if (found == outputs_.end()) return;
    std::array<char, 4096> buffer{};
    while (true) {
        const ssize_t got = TEMP_FAILURE_RETRY(read(fd, buffer.data(), buffer.size()));
        if (got > 0) {
            log_.ServiceOutput(found->second.service, {buffer.data(), static_cast<size_t>(got)});
            continue;
        }
        if (got < 0 && errno == EAGAIN) return;
        log_.ServiceClosed(found->second.service);
        outputs_.erase(found);
        return;
    }
}

Result<pid_t> Init::Launch(const ServiceConfig& service) {
    auto process = LaunchService(service);
    if (!process.ok()) return process.error();
    log_.Info("started service '" + service.name + "' (pid " + std::to_string(process->pid) + ")");
    const int fd = process->output.get();
    if (auto watched = Watch(fd); !watched.ok()) {
        log_.Error(service.name + ": " + watched.error().message());
    } else {
        outputs_.insert_or_assign(fd, Output{service.name, std::move(process->output)});
    }
    return process->pid;
}

Result<void> Init::Exec(const ServiceConfig& program) {
    auto pid = Launch(program);
    if (!pid.ok()) return pid.error();
    exec_pid_ = *pid;
    return {};
}

Result<void> Init::ExecStart(const std::string& service) {
    if (auto started = supervisor_.Start(service, Now()); !started.ok()) return started.error();
    exec_service_ = service;
    return {};
}

void Init::Kill(pid_t pid) {
    kill(-pid, SIGKILL);
}

void Init::StateChanged(const std::string& name, const std::string& state) {
    if (auto set = properties_.Set("init.svc." + name, state); !set.ok()) {
        log_.Error(set.error().message());
    }
    CollectChanges();
}

void Init::Log(const std::string& line) {
    log_.Info(line);
}

}  // namespace storekeeper::lab
