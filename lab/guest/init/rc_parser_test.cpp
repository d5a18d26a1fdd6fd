// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "rc_parser.h"

#include <gtest/gtest.h>

#include "builtins.h"

namespace storekeeper::lab {
namespace {

using Words = std::vector<std::string>;

RcScript ParseGood(std::string_view text) {
    RcScript script;
    auto parsed = RcParser(BuiltinSyntax()).Parse("test.rc", text, &script);
    EXPECT_TRUE(parsed.ok()) << parsed.error().message();
    return script;
}

TEST(SplitStatements, SplitsWordsAsInitDoes) {
    struct {
        const char* text;
        std::vector<Words> words;
    } const cases[] = {
            {"", {}},
            {"\n  \t\n# only a comment\n", {}},
            {"a b\tc\r\n", {{"a", "b", "c"}}},
            {"a \"b c\" d", {{"a", "b c", "d"}}},
            {"a \"\" d", {{"a", "", "d"}}},
            {"a b\\ c", {{"a", "b c"}}},
            {"a b\\nc\\td\\\\e", {{"a", "b\nc\td\\e"}}},
            {"a b \\\n  c\nd", {{"a", "b", "c"}, {"d"}}},
            {"a b\\\nc", {{"a", "bc"}}},
            {"a b#c # d", {{"a", "b#c"}}},
            {"a\n\nb", {{"a"}, {"b"}}},
    };
    for (const auto& c : cases) {
        auto statements = SplitStatements("f", c.text);
        ASSERT_TRUE(statements.ok()) << c.text;
        std::vector<Words> words;
        for (const RcStatement& s : *statements) words.push_back(s.words);
        EXPECT_EQ(words, c.words) << c.text;
    }
}

TEST(SplitStatements, KnowsTheLineEachStatementBeginsOn) {
    auto statements = SplitStatements("f", "\na\nb \\\n  c\n# x\nd\n");
    ASSERT_TRUE(statements.ok());
    ASSERT_EQ(statements->size(), 3U);
    EXPECT_EQ((*statements)[0].line, 2);
    EXPECT_EQ((*statements)[1].line, 3);
    EXPECT_EQ((*statements)[2].line, 6);
}

TEST(SplitStatements, RefusesWhatIsNoText) {
    EXPECT_EQ(SplitStatements("f", "a\n\"b c\n").error().message(),
              "f:2: a quote is opened and never closed");
    EXPECT_EQ(SplitStatements("f", std::string_view("a\nb\0c", 5)).error().message(),
              "f:2: a zero byte; is this a text file?");
    EXPECT_EQ(SplitStatements("f", std::string_view("a\n\0c", 4)).error().message(),
              "f:2: a zero byte; is this a text file?");
}

TEST(RcParser, ReadsAService) {
    const RcScript script = ParseGood(R"(
service keeper /system_ext/bin/keeper --flag "two words"
    class late_start extra
    user system
    group system input log
    capabilities SYS_ADMIN BLOCK_SUSPEND
    ioprio idle 7
    priority 10
    setenv TMPDIR /data/local/tmp
    restart_period 60
    disabled
    oneshot
)");
    ASSERT_EQ(script.services.size(), 1U);
    const ServiceConfig& service = script.services[0];
    EXPECT_EQ(service.name, "keeper");
    EXPECT_EQ(service.argv, (Words{"/system_ext/bin/keeper", "--flag", "two words"}));
    EXPECT_EQ(service.classes, (Words{"late_start", "extra"}));
    EXPECT_EQ(service.user, "system");
    EXPECT_EQ(service.groups, (Words{"system", "input", "log"}));
    ASSERT_TRUE(service.capabilities.has_value());
    EXPECT_EQ(service.capabilities->count(), 2U);
    EXPECT_TRUE(service.capabilities->test(CAP_SYS_ADMIN));
    EXPECT_TRUE(service.capabilities->test(CAP_BLOCK_SUSPEND));
    ASSERT_TRUE(service.io_priority.has_value());
    EXPECT_EQ(service.io_priority->io_class, IoClass::kIdle);
    EXPECT_EQ(service.io_priority->level, 7);
    EXPECT_EQ(service.nice, 10);
    EXPECT_EQ(service.environment.at("TMPDIR"), "/data/local/tmp");
    EXPECT_EQ(service.restart_period, std::chrono::seconds(60));
    EXPECT_TRUE(service.disabled);
    EXPECT_TRUE(service.oneshot);
    EXPECT_EQ(service.where.ToString(), "test.rc:2");
}

TEST(RcParser, GivesAServiceInitsDefaults) {
    const RcScript script =
            ParseGood("service a /bin/a\nservice b /bin/b\n  capabilities\n  seclabel u:r:b:s0\n");
    ASSERT_EQ(script.services.size(), 2U);
    EXPECT_EQ(script.services[0].classes, Words{"default"});
    EXPECT_EQ(script.services[0].user, "root");
    EXPECT_FALSE(script.services[0].capabilities.has_value());
    EXPECT_FALSE(script.services[0].disabled);
    EXPECT_EQ(script.services[0].restart_period, std::chrono::seconds(5));
    ASSERT_TRUE(script.services[1].capabilities.has_value());
    EXPECT_TRUE(script.services[1].capabilities->none());
    EXPECT_EQ(script.services[0].seclabel, "");
    EXPECT_EQ(script.services[1].seclabel, "u:r:b:s0");
}

TEST(RcParser, NotesOptionsThatMeanNothingHere) {
    const RcScript script = ParseGood(
            "service a /bin/a\n  task_profiles ServiceCapacityLow\n  writepid /a\n  user "
            "log\n");
    ASSERT_EQ(script.notes.size(), 2U);
    EXPECT_EQ(script.notes[0], "test.rc:2: 'task_profiles' has no effect in this guest");
    EXPECT_EQ(script.services[0].user, "log");
}

TEST(RcParser, ReadsActions) {
    const RcScript script = ParseGood(R"(
on post-fs-data && property:ro.x=1
    mkdir /data/misc/storekeeper 0770 system system encryption=Require

on property:a.b=* && property:c=
    start keeper
)");
    ASSERT_EQ(script.actions.size(), 2U);
    EXPECT_EQ(script.actions[0].event, "post-fs-data");
    EXPECT_EQ(script.actions[0].properties.at("ro.x"), "1");
    ASSERT_EQ(script.actions[0].commands.size(), 1U);
    EXPECT_EQ(script.actions[0].commands[0].name, "mkdir");
    EXPECT_EQ(script.actions[0].commands[0].where.ToString(), "test.rc:3");
    EXPECT_EQ(script.actions[0].TriggerName(), "post-fs-data && property:ro.x=1");
    EXPECT_EQ(script.actions[1].event, "");
    EXPECT_EQ(script.actions[1].properties.at("a.b"), "*");
    EXPECT_EQ(script.actions[1].properties.at("c"), "");
}

TEST(RcParser, NamesFileAndLineOfEveryFault) {
    struct {
        const char* text;
        const char* message;
    } const cases[] = {
            {"mkdir /x\n", "t.rc:1: 'mkdir' stands before any 'service' or 'on'"},
            {"import /x.rc\n", "t.rc:1: imports are not interpreted here"},
            {"service\n", "t.rc:1: a service needs a name and a program"},
            {"service a\n", "t.rc:1: a service needs a name and a program"},
            {"service a bin/a\n", "t.rc:1: service 'a': program 'bin/a' is not an absolute path"},
            {"service a /a\nservice a /b\n", "t.rc:2: service 'a' is already defined at t.rc:1"},
            {"service a /a\n  capabilites KILL\n", "t.rc:2: unknown service option 'capabilites'"},
            {"service a /a\n  capabilities CAP_KILL\n",
             "t.rc:2: unknown capability 'CAP_KILL'; names have no CAP_ before them"},
            {"service a /a\n  ioprio low 3\n",
             "t.rc:2: ioprio class 'low' is none of rt, be, idle"},
            {"service a /a\n  ioprio be 8\n",
             "t.rc:2: ioprio level '8' is not a number from 0 to 7"},
            {"service a /a\n  user\n", "t.rc:2: 'user' takes 1 to 1 arguments, got 0"},
            {"service a /a\n  group\n", "t.rc:2: 'group' takes 1 to 13 arguments, got 0"},
            {"service a /a\n  class\n", "t.rc:2: 'class' takes at least 1 arguments, got 0"},
            {"service a /a\n  priority 20\n",
             "t.rc:2: priority '20' is not a number from -20 to 19"},
            {"service a /a\n  restart_period 1\n",
             "t.rc:2: restart_period '1' is not a number of 5 or more seconds"},
            {"service a /a\n  oneshot now\n", "t.rc:2: 'oneshot' takes 0 to 0 arguments, got 1"},
            {"on\n", "t.rc:1: 'on' needs a trigger"},
            {"on boot fs\n", "t.rc:1: expected '&&', found 'fs'"},
            {"on boot &&\n", "t.rc:1: nothing follows the last '&&'"},
            {"on boot && fs\n", "t.rc:1: two events, 'boot' and 'fs', in one trigger"},
            {"on property:a\n", "t.rc:1: property trigger 'property:a' is not property:name=value"},
            {"on property:=a\n",
             "t.rc:1: property trigger 'property:=a' is not property:name=value"},
            {"on property:a=1 && property:a=2\n",
             "t.rc:1: property 'a' stands twice in one trigger"},
            {"on boot\n  format /data\n", "t.rc:2: unknown command 'format'"},
            {"on boot\n  chmod /data\n", "t.rc:2: 'chmod' got 1 arguments; it takes 2 to 2"},
            // A section whose head is wrong is not read: one fault, not two.
            {"service a a\n  bogus\non boot\n  bogus\n",
             "t.rc:1: service 'a': program 'a' is not an absolute path\n"
             "t.rc:4: unknown command 'bogus'"},
    };
    for (const auto& c : cases) {
        RcScript script;
        auto parsed = RcParser(BuiltinSyntax()).Parse("t.rc", c.text, &script);
        ASSERT_FALSE(parsed.ok()) << c.text;
        EXPECT_EQ(parsed.error().message(), c.message) << c.text;
    }
}

}  // namespace
}  // namespace storekeeper::lab
