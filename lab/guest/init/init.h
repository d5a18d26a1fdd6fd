// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "builtins.h"
#include "guest_log.h"
#include "property_store.h"
#include "rc_script.h"
#include "supervisor.h"
#include "triggers.h"

namespace storekeeper::lab {

/** PID 1: runs actions, keeps services, answers properties that command it. */
class Init : public ServiceHost {
  public:
    Init(const RcScript& script, const PropertyStore& properties, GuestLog& log);

    /** Runs until the guest is switched off; returns only with an error that ends everything. */
    android::base::Result<void> Run();

    android::base::Result<pid_t> Launch(const ServiceConfig& service) override;
    void Kill(pid_t pid) override;
    void StateChanged(const std::string& name, const std::string& state) override;
    void Log(const std::string& line) override;

  private:
    struct Output {
        std::string service;
        android::base::unique_fd fd;
    };

    android::base::Result<void> Watch(int fd);
    android::base::Result<void> OpenSources();
    void RunActions();
    void Wait();
    void ReadSignals();
    void CollectChanges();
    void CollectChange(const std::string& name);
    void HandleChanges();
    void HandleChange(const std::string& name, const std::string& value);
    void ReadOutput(int fd);
    void Reap();
    android::base::Result<void> Control(std::string_view verb, const std::string& service);
    android::base::Result<void> Exec(const ServiceConfig& program);
    android::base::Result<void> ExecStart(const std::string& service);

    const PropertyStore& properties_;
    GuestLog& log_;
    Supervisor supervisor_;
    TriggerQueue triggers_;
    CommandContext context_;

    android::base::unique_fd epoll_;
    android::base::unique_fd signals_;
    std::optional<PropertyWatch> watch_;
    std::map<int, Output> outputs_;
    /** Properties as they were found, not yet acted upon. */
    std::deque<std::pair<std::string, std::string>> changes_;

    const Action* action_ = nullptr;  ///< being run
    size_t next_command_ = 0;
    pid_t exec_pid_ = 0;        ///< of the `exec` that the action waits for
    std::string exec_service_;  ///< of the `exec_start`
};

/** Ends all processes, unmounts what is on the medium, then reboots or powers off. */
[[noreturn]] void SwitchOff(bool reboot_after, GuestLog& log);

/** CLOCK_BOOTTIME. */
BootTime Now();

}  // namespace storekeeper::lab
