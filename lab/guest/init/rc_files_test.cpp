// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The .rc files of this repository: what the guest boots with must be what the parser takes.

#include <android-base/file.h>
#include <android-base/strings.h>
#include <dirent.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "builtins.h"
#include "rc_parser.h"

namespace storekeeper::lab {
namespace {

// A product installs one of these two.
constexpr char kTrim[] = "storekeeperd_trim.rc";
constexpr char kReportOnly[] = "storekeeperd_report_only.rc";

/** The files of a product that leaves out the file `without`. */
std::vector<std::string> RcFiles(const std::string& without) {
    std::vector<std::string> files = {TOP "/lab/guest/lab.rc"};
    const std::string shipped = TOP "/init-rc";
    std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(shipped.c_str()), closedir);
    while (dirent* entry = dir ? readdir(dir.get()) : nullptr) {
        if (android::base::EndsWith(entry->d_name, ".rc") && entry->d_name != without) {
            files.push_back(shipped + "/" + entry->d_name);
        }
    }
    return files;
}

RcScript ParseAll(const std::string& without = kReportOnly) {
    RcScript script;
    for (const std::string& file : RcFiles(without)) {
        std::string text;
        EXPECT_TRUE(android::base::ReadFileToString(file, &text)) << file;
        auto parsed = RcParser(BuiltinSyntax()).Parse(file, text, &script);
        EXPECT_TRUE(parsed.ok()) << parsed.error().message();
    }
    return script;
}

/** First words of the lines of /etc/passwd or /etc/group of the guest. */
std::set<std::string> Names(const std::string& file) {
    std::string text;
    EXPECT_TRUE(android::base::ReadFileToString(file, &text)) << file;
    std::set<std::string> names;
    for (const std::string& line : android::base::Split(text, "\n")) {
        if (!line.empty() && line[0] != '#') names.insert(line.substr(0, line.find(':')));
    }
    return names;
}

TEST(RcFiles, TheShippedServiceIsThere) {
    const RcScript script = ParseAll();
    const auto keeper = std::ranges::find(script.services, "storekeeperd", &ServiceConfig::name);
    ASSERT_NE(keeper, script.services.end());
    EXPECT_EQ(keeper->user, "system");
    ASSERT_TRUE(keeper->capabilities.has_value());
    EXPECT_TRUE(keeper->capabilities->test(CAP_SYS_ADMIN));
}

TEST(RcFiles, AReportOnlyProductHasTheSameServiceWithoutRights) {
    const RcScript script = ParseAll(kTrim);
    const auto keeper = std::ranges::find(script.services, "storekeeperd", &ServiceConfig::name);
    ASSERT_NE(keeper, script.services.end());
    EXPECT_EQ(keeper->user, "system");
    EXPECT_EQ(keeper->groups, std::vector<std::string>{"system"});
    ASSERT_TRUE(keeper->capabilities.has_value());
    EXPECT_TRUE(keeper->capabilities->none());
    EXPECT_TRUE(keeper->disabled);
    // init writes nothing for it.
    for (const Action& action : script.actions) {
        for (const Command& command : action.commands) {
            EXPECT_FALSE(command.where.ToString().find("storekeeperd") != std::string::npos &&
                         command.name == "write")
                    << command.where.ToString();
        }
    }
}

TEST(RcFiles, TheEarlyStepHasItsTwoCapabilitiesAndRunsOnce) {
    const RcScript script = ParseAll();
    const auto early =
            std::ranges::find(script.services, "storekeeper_crypto_early", &ServiceConfig::name);
    ASSERT_NE(early, script.services.end());
    ASSERT_TRUE(early->capabilities.has_value());
    EXPECT_EQ(early->capabilities->count(), 2U);
    EXPECT_TRUE(early->capabilities->test(CAP_SYS_ADMIN));
    EXPECT_TRUE(early->capabilities->test(CAP_NET_ADMIN));
    EXPECT_TRUE(early->oneshot);
    EXPECT_TRUE(early->disabled);
}

TEST(RcFiles, UsersAndGroupsAreTheGuests) {
    const std::set<std::string> users = Names(TOP "/lab/guest/etc/passwd");
    const std::set<std::string> groups = Names(TOP "/lab/guest/etc/group");
    for (const ServiceConfig& service : ParseAll().services) {
        EXPECT_TRUE(users.contains(service.user)) << service.name << ": " << service.user;
        for (const std::string& group : service.groups) {
            EXPECT_TRUE(groups.contains(group)) << service.name << ": " << group;
        }
    }
}

TEST(RcFiles, ServicesThatAreStartedExist) {
    const RcScript script = ParseAll();
    for (const Action& action : script.actions) {
        for (const Command& command : action.commands) {
            if (command.name != "start" && command.name != "stop" && command.name != "enable" &&
                command.name != "exec_start") {
                continue;
            }
            const auto found =
                    std::ranges::find(script.services, command.args[0], &ServiceConfig::name);
            EXPECT_NE(found, script.services.end())
                    << command.where.ToString() << ": " << command.args[0];
        }
    }
}

}  // namespace
}  // namespace storekeeper::lab
