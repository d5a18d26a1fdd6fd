// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "service_options.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "capabilities.h"

namespace storekeeper::lab {

using android::base::Error;
using android::base::Result;
using Words = std::vector<std::string>;

namespace {

constexpr size_t kAny = std::numeric_limits<size_t>::max();

// system/core/init/service_parser.cpp: the supplementary groups of one service.
constexpr size_t kMaxGroups = 13;

Result<void> SetClasses(const Words& args, ServiceConfig* service) {
    service->classes = args;
    return {};
}

Result<void> SetUser(const Words& args, ServiceConfig* service) {
    service->user = args[0];
    return {};
}

Result<void> SetGroups(const Words& args, ServiceConfig* service) {
    service->groups = args;
    return {};
}

Result<void> SetCapabilities(const Words& args, ServiceConfig* service) {
    service->capabilities.emplace();
    for (const std::string& name : args) {
        auto capability = LookUpCapability(name);
        if (!capability.ok()) return capability.error();
        service->capabilities->set(*capability);
    }
    return {};
}

Result<void> SetIoPriority(const Words& args, ServiceConfig* service) {
    IoPriority priority;
    if (args[0] == "rt") {
        priority.io_class = IoClass::kRealtime;
    } else if (args[0] == "be") {
        priority.io_class = IoClass::kBestEffort;
    } else if (args[0] == "idle") {
        priority.io_class = IoClass::kIdle;
    } else {
        return Error() << "ioprio class '" << args[0] << "' is none of rt, be, idle";
    }
    if (!android::base::ParseInt(args[1], &priority.level, 0, 7)) {
        return Error() << "ioprio level '" << args[1] << "' is not a number from 0 to 7";
    }
    service->io_priority = priority;
    return {};
}

Result<void> SetNice(const Words& args, ServiceConfig* service) {
    int nice = 0;
    if (!android::base::ParseInt(args[0], &nice, -20, 19)) {
        return Error() << "priority '" << args[0] << "' is not a number from -20 to 19";
    }
    service->nice = nice;
    return {};
}

Result<void> SetEnvironment(const Words& args, ServiceConfig* service) {
    service->environment[args[0]] = args[1];
    return {};
}

Result<void> SetRestartPeriod(const Words& args, ServiceConfig* service) {
    int seconds = 0;
    if (!android::base::ParseInt(args[0], &seconds, 5)) {
        return Error() << "restart_period '" << args[0] << "' is not a number of 5 or more seconds";
    }
    service->restart_period = std::chrono::seconds(seconds);
    return {};
}

Result<void> SetSeclabel(const Words& args, ServiceConfig* service) {
    service->seclabel = args[0];
    return {};
}

Result<void> SetDisabled(const Words&, ServiceConfig* service) {
    service->disabled = true;
    return {};
}

Result<void> SetOneshot(const Words&, ServiceConfig* service) {
    service->oneshot = true;
    return {};
}

struct Option {
    std::string_view keyword;
    size_t min_args;
    size_t max_args;
    Result<void> (*apply)(const Words& args, ServiceConfig* service);
};

constexpr std::array kOptions = {
        Option{"capabilities", 0, kAny, SetCapabilities},
        Option{"class", 1, kAny, SetClasses},
        Option{"disabled", 0, 0, SetDisabled},
        Option{"group", 1, kMaxGroups, SetGroups},
        Option{"ioprio", 2, 2, SetIoPriority},
        Option{"oneshot", 0, 0, SetOneshot},
        Option{"priority", 1, 1, SetNice},
        Option{"restart_period", 1, 1, SetRestartPeriod},
        Option{"seclabel", 1, 1, SetSeclabel},
        Option{"setenv", 2, 2, SetEnvironment},
        Option{"user", 1, 1, SetUser},
};

// The guest has no task profiles, hwservicemanager, APEX, or ordered shutdown.
constexpr std::array<std::string_view, 13> kMeaningless = {
        "critical",  "interface", "keycodes",         "memcg.limit_in_bytes",
        "onrestart", "override",  "oom_score_adjust", "reboot_on_failure",
        "rlimit",    "shutdown",  "stdio_to_kmsg",    "task_profiles",
        "writepid",
};

}  // namespace

Result<std::string> ApplyServiceOption(const Words& words, ServiceConfig* service) {
    const std::string& keyword = words[0];
    if (std::ranges::find(kMeaningless, keyword) != kMeaningless.end()) {
        return "'" + keyword + "' has no effect in this guest";
    }
    const auto option = std::ranges::find(kOptions, keyword, &Option::keyword);
    if (option == kOptions.end()) {
        return Error() << "unknown service option '" << keyword << "'";
    }
    const Words args(words.begin() + 1, words.end());
    if (args.size() < option->min_args || args.size() > option->max_args) {
        return Error() << "'" << keyword << "' takes "
                       << (option->max_args == kAny ? "at least " + std::to_string(option->min_args)
                                                    : std::to_string(option->min_args) + " to " +
                                                              std::to_string(option->max_args))
                       << " arguments, got " << args.size();
    }
    if (auto applied = option->apply(args, service); !applied.ok()) return applied.error();
    return std::string();
}

}  // namespace storekeeper::lab
