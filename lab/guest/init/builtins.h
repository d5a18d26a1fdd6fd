// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "property_store.h"
#include "rc_parser.h"
#include "supervisor.h"
#include "triggers.h"

namespace storekeeper::lab {

/** The state and functions that the commands of actions use. */
struct CommandContext {
    const PropertyStore& properties;
    Supervisor& supervisor;
    TriggerQueue& triggers;
    std::function<BootTime()> now;
    /** Starts a program for `exec`; no further command runs until it has ended. */
    std::function<android::base::Result<void>(const ServiceConfig& program)> exec;
    /** Starts a service of the script for `exec_start`; no further command runs until it ends. */
    std::function<android::base::Result<void>(const std::string& service)> exec_start;
};

/** The commands and their argument counts, for the parser. */
std::span<const CommandSyntax> BuiltinSyntax();

/** Runs one command; ${property} in its arguments is replaced first. */
android::base::Result<void> RunBuiltin(const Command& command, CommandContext& context);

}  // namespace storekeeper::lab
