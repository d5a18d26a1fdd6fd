// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "supervisor.h"

#include <algorithm>

namespace storekeeper::lab {

using android::base::Error;
using android::base::Result;

namespace {

// Android's init calls more than four exits within four minutes a crash loop
// (system/core/init/README.md, `critical`).
constexpr size_t kCrashLoop = 4;
constexpr std::chrono::minutes kCrashWindow{4};

}  // namespace

Supervisor::Supervisor(const std::vector<ServiceConfig>& services, ServiceHost& host)
      : host_(host) {
    for (const ServiceConfig& service : services) {
        State state;
        state.config = &service;
        state.disabled = service.disabled;
        states_.emplace(service.name, std::move(state));
        order_.push_back(service.name);
    }
}

Result<Supervisor::State*> Supervisor::Find(const std::string& name) {
    const auto found = states_.find(name);
    if (found == states_.end()) return Error() << "no service is called '" << name << "'";
    return &found->second;
}

Result<void> Supervisor::StartState(State* state, BootTime now) {
    state->disabled = false;
    if (state->pid != 0) {
        if (state->stopping) state->restart_at_once = true;
        return {};
    }
    state->due.reset();
    auto pid = host_.Launch(*state->config);
    if (!pid.ok()) {
        state->disabled = true;
        host_.StateChanged(state->config->name, "stopped");
        return Error() << "service '" << state->config->name << "': " << pid.error().message();
    }
    state->pid = *pid;
    state->started = now;
    state->stopping = false;
    state->restart_at_once = false;
    host_.StateChanged(state->config->name, "running");
    return {};
}

Result<void> Supervisor::Start(const std::string& name, BootTime now) {
    auto state = Find(name);
    if (!state.ok()) return state.error();
    return StartState(*state, now);
}

Result<void> Supervisor::Stop(const std::string& name) {
    auto found = Find(name);
    if (!found.ok()) return found.error();
    State* state = *found;
    state->disabled = true;
    state->class_started = false;
    state->restart_at_once = false;
    if (state->pid != 0) {
        state->stopping = true;
        host_.StateChanged(name, "stopping");
        host_.Kill(state->pid);
    } else if (state->due) {
        state->due.reset();
        host_.StateChanged(name, "stopped");
    }
    return {};
}

Result<void> Supervisor::Restart(const std::string& name, BootTime now) {
    auto state = Find(name);
    if (!state.ok()) return state.error();
    if ((*state)->pid == 0) return StartState(*state, now);
    if (auto stopped = Stop(name); !stopped.ok()) return stopped.error();
    return StartState(*state, now);
}

void Supervisor::StartClass(const std::string& name, BootTime now) {
    for (const std::string& service : order_) {
        State& state = states_.at(service);
        if (std::ranges::find(state.config->classes, name) == state.config->classes.end()) continue;
        if (state.disabled) {
            state.class_started = true;
        } else if (auto started = StartState(&state, now); !started.ok()) {
            host_.Log(started.error().message());
        }
    }
}

Result<void> Supervisor::Enable(const std::string& name, BootTime now) {
    auto state = Find(name);
    if (!state.ok()) return state.error();
    (*state)->disabled = false;
    if ((*state)->class_started) return StartState(*state, now);
    return {};
}

bool Supervisor::IsRunning(const std::string& name) const {
    const auto found = states_.find(name);
    return found != states_.end() && found->second.pid != 0;
}

void Supervisor::NoteCrash(State* state, BootTime now) {
    auto& crashes = state->crashes;
    crashes.push_back(now);
    std::erase_if(crashes, [&](BootTime at) { return now - at > kCrashWindow; });
    if (crashes.size() > kCrashLoop) {
        host_.Log("service '" + state->config->name + "' is in a crash loop: it ended " +
                  std::to_string(crashes.size()) + " times in 4 minutes");
    }
}

bool Supervisor::Exited(pid_t pid, const std::string& how, BootTime now) {
    const auto found =
            std::ranges::find_if(states_, [&](const auto& s) { return s.second.pid == pid; });
    if (found == states_.end()) return false;
    State& state = found->second;
    const ServiceConfig& config = *state.config;
    host_.Log("service '" + config.name + "' (pid " + std::to_string(pid) + ") " + how);
    // Processes that the service left running are killed, like its cgroup on Android.
    host_.Kill(pid);
    state.pid = 0;
    const bool stopping = std::exchange(state.stopping, false);
    if (std::exchange(state.restart_at_once, false)) {
        host_.StateChanged(config.name, "restarting");
        if (auto started = StartState(&state, now); !started.ok()) {
            host_.Log(started.error().message());
        }
        return true;
    }
    if (config.oneshot && !stopping) state.disabled = true;
    if (state.disabled) {
        host_.StateChanged(config.name, "stopped");
        return true;
    }
    NoteCrash(&state, now);
    host_.StateChanged(config.name, "restarting");
    state.due = std::max(now, state.started + config.restart_period);
    return true;
}

std::optional<BootTime> Supervisor::NextStart() const {
    std::optional<BootTime> next;
    for (const auto& [name, state] : states_) {
        if (state.due && (!next || *state.due < *next)) next = state.due;
    }
    return next;
}

void Supervisor::StartDue(BootTime now) {
    for (const std::string& name : order_) {
        State& state = states_.at(name);
        if (!state.due || *state.due > now) continue;
        if (auto started = StartState(&state, now); !started.ok()) {
            host_.Log(started.error().message());
        }
    }
}

}  // namespace storekeeper::lab
