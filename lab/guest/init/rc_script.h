// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <linux/capability.h>

#include <bitset>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace storekeeper::lab {

/** The place of a statement in an .rc file. */
struct RcLocation {
    std::string file;
    int line = 0;

    std::string ToString() const { return file + ":" + std::to_string(line); }
};

using CapabilitySet = std::bitset<CAP_LAST_CAP + 1>;

/** The kernel's scheduling classes for I/O, IOPRIO_CLASS_* of linux/ioprio.h. */
enum class IoClass { kRealtime = 1, kBestEffort = 2, kIdle = 3 };

struct IoPriority {
    IoClass io_class = IoClass::kBestEffort;
    int level = 0;  ///< 0 (first served) to 7
};

/** A `service` section. User and group names stay names; they are looked up at start. */
struct ServiceConfig {
    std::string name;
    std::vector<std::string> argv;
    std::vector<std::string> classes = {"default"};
    std::string user = "root";
    std::vector<std::string> groups;  ///< the first is the primary one; empty: root
    std::optional<CapabilitySet> capabilities;
    std::optional<IoPriority> io_priority;
    std::optional<int> nice;
    std::map<std::string, std::string> environment;
    std::string seclabel;  ///< empty: as the policy says
    std::chrono::seconds restart_period{5};
    bool disabled = false;
    bool oneshot = false;
    RcLocation where;
};

struct Command {
    std::string name;
    std::vector<std::string> args;
    RcLocation where;
};

/** An `on` section: an event, properties with the values they must have, or both. */
struct Action {
    std::string event;
    std::map<std::string, std::string> properties;  ///< value "*" stands for any value
    std::vector<Command> commands;
    RcLocation where;

    std::string TriggerName() const;
};

struct RcScript {
    std::vector<ServiceConfig> services;
    std::vector<Action> actions;
    /** Options of Android that mean nothing in this guest, as "file:line: text". */
    std::vector<std::string> notes;
};

}  // namespace storekeeper::lab
