// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rc_script.h"

namespace storekeeper::lab {

/** Time since boot; the guest's clock, which stands still while the guest does. */
using BootTime = std::chrono::nanoseconds;

/** The system calls that the supervisor needs. */
class ServiceHost {
  public:
    virtual ~ServiceHost() = default;

    virtual android::base::Result<pid_t> Launch(const ServiceConfig& service) = 0;
    /** Kills the service's whole process group. */
    virtual void Kill(pid_t pid) = 0;
    /** The state changed: stopped, running, restarting or stopping (Android's init.svc.NAME). */
    virtual void StateChanged(const std::string& name, const std::string& state) = 0;
    virtual void Log(const std::string& line) = 0;
};

/** Keeps the services as the script and its commands want them. */
class Supervisor {
  public:
    /** Both must live longer than the supervisor. */
    Supervisor(const std::vector<ServiceConfig>& services, ServiceHost& host);

    android::base::Result<void> Start(const std::string& name, BootTime now);
    android::base::Result<void> Stop(const std::string& name);
    android::base::Result<void> Restart(const std::string& name, BootTime now);
    /** Starts the services of a class that are not disabled. */
    void StartClass(const std::string& name, BootTime now);
    /** Takes back `disabled`; starts the service if its class was started already. */
    android::base::Result<void> Enable(const std::string& name, BootTime now);

    /** True if the service's process exists. */
    bool IsRunning(const std::string& name) const;

    /** A child ended; false when it is none of the services. `how` is for the log. */
    bool Exited(pid_t pid, const std::string& how, BootTime now);

    /** When StartDue() has something to do next, if ever. */
    std::optional<BootTime> NextStart() const;
    void StartDue(BootTime now);

  private:
    struct State {
        const ServiceConfig* config = nullptr;
        pid_t pid = 0;
        bool disabled = false;
        bool class_started = false;  ///< while it was disabled
        bool stopping = false;
        bool restart_at_once = false;
        BootTime started{};
        std::optional<BootTime> due;
        std::vector<BootTime> crashes;
    };

    android::base::Result<State*> Find(const std::string& name);
    android::base::Result<void> StartState(State* state, BootTime now);
    void NoteCrash(State* state, BootTime now);

    std::map<std::string, State> states_;
    std::vector<std::string> order_;
    ServiceHost& host_;
};

}  // namespace storekeeper::lab
