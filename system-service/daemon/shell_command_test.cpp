// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/shell_command.h"

#include <android-base/file.h>
#include <android-base/strings.h>
#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string.h>
#include <sysexits.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>

#include "daemon/access.h"
#include "daemon/crypto_command.h"
#include "report/dump.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

struct Answer {
    int code = -1;
    std::string out;
    std::string err;
};

constexpr uid_t kRoot = 0;
constexpr uid_t kShell = 2000;

Answer Command(Phone& phone, const std::vector<std::string>& arguments, uid_t caller = kShell) {
    TemporaryFile out;
    TemporaryFile err;
    AnswerWriter writer;
    Answer answer;
    answer.code = ShellCommand(phone.daemon(), writer, caller, out.fd, err.fd).Run(arguments);
    EXPECT_TRUE(android::base::ReadFileToString(out.path, &answer.out));
    EXPECT_TRUE(android::base::ReadFileToString(err.path, &answer.err));
    return answer;
}

bool IsOneLine(const std::string& text) {
    return !text.empty() && text.find('\n') == text.size() - 1;
}

TEST(ShellCommandTest, HelpIsOneScreenAndPointsToTheRest) {
    Phone phone;
    const Answer answer = Command(phone, {"help"});
    EXPECT_EQ(0, answer.code);
    EXPECT_THAT(answer.err, IsEmpty());
    EXPECT_GE(24, std::count(answer.out.begin(), answer.out.end(), '\n')) << answer.out;
    for (const std::string& line : android::base::Split(answer.out, "\n")) {
        EXPECT_GE(80U, line.size()) << line;
    }
    EXPECT_THAT(answer.out, HasSubstr("set-gate-override  set the limit of a gate until the next "
                                      "boot (root only)\n"));
    EXPECT_EQ(Command(phone, {"trim", "--help"}).out, Command(phone, {"help", "trim"}).out);
    const Answer unknown = Command(phone, {"help", "nosuch"});
    EXPECT_EQ(64, unknown.code);
    EXPECT_THAT(unknown.out, IsEmpty());
    EXPECT_THAT(unknown.err, HasSubstr("help takes one command, or exit-codes\n"));
}

TEST(ShellCommandTest, HelpNamesEveryExitCode) {
    Phone phone;
    Answer answer = Command(phone, {"help", "exit-codes"});
    EXPECT_EQ(0, answer.code);
    EXPECT_THAT(answer.err, IsEmpty());
    for (const OutcomeFacts& facts : kOutcomes) {
        EXPECT_THAT(answer.out, HasSubstr(" " + std::to_string(facts.code) + "  ")) << facts.name;
    }
}

TEST(ShellCommandTest, ExitCodesAreListedInOrder) {
    Phone phone;
    const std::string help = Command(phone, {"help", "exit-codes"}).out;
    std::vector<int> codes;
    const std::string list = help.substr(help.find("Exit codes:\n") + 12);
    for (const std::string& line : android::base::Split(android::base::Trim(list), "\n")) {
        codes.push_back(atoi(line.c_str()));
    }
    EXPECT_LT(14U, codes.size());
    EXPECT_TRUE(std::is_sorted(codes.begin(), codes.end())) << list;
    EXPECT_EQ(codes.end(), std::adjacent_find(codes.begin(), codes.end())) << list;
}

TEST(ShellCommandTest, NoCodeHasTwoMeanings) {
    std::set<int> codes = {EX_USAGE, EX_NOPERM};
    for (const OutcomeFacts& facts : kOutcomes) EXPECT_TRUE(codes.insert(facts.code).second);
    Phone phone;
    const std::string help = Command(phone, {"help", "exit-codes"}).out;
    for (const CryptoExit& exit : kCryptoExits) {
        EXPECT_TRUE(codes.insert(exit.code).second) << exit.code;
        EXPECT_THAT(help, HasSubstr("  " + std::to_string(exit.code) + "  crypto: "));
    }
    EXPECT_THAT(help, HasSubstr("   0  success\n"));
}

TEST(ShellCommandTest, EachFormOfCryptoIsALineThatItTakes) {
    Phone phone;
    const std::string help = Command(phone, {"crypto", "--help"}).out;
    EXPECT_THAT(help, StartsWith("usage: cmd storekeeper crypto [status] [--json]\n"
                                 "                              bench [CIPHER KEY_BITS] [--json]\n"
                                 "                              recommend [--json]\n"
                                 "                              choose kernel|hardware|auto"));
    for (const AccessRule& rule : AccessRules()) {
        const std::string_view operation = rule.operation;
        constexpr std::string_view kCrypto = "cmd storekeeper crypto ";
        if (!operation.starts_with(kCrypto)) continue;
        EXPECT_THAT(help, HasSubstr(std::string(operation.substr(kCrypto.size())))) << operation;
    }
    for (const std::string& line : android::base::Split(help, "\n")) EXPECT_LE(line.size(), 96U);
}

TEST(ShellCommandTest, EachVerbHasHelpOfItsOwn) {
    Phone phone;
    for (const char* verb : {"status", "trim", "crypto", "set-gate-override", "abort"}) {
        for (const char* option : {"-h", "--help"}) {
            Answer answer = Command(phone, {verb, option});
            EXPECT_EQ(0, answer.code) << verb;
            EXPECT_THAT(answer.out, StartsWith(std::string("usage: cmd storekeeper ") + verb));
            EXPECT_THAT(answer.err, IsEmpty());
        }
    }
    EXPECT_EQ(Command(phone, {"help"}).out, Command(phone, {"--help"}).out);
    EXPECT_THAT(phone.syscalls.trimmed(), IsEmpty());
}

TEST(ShellCommandTest, MountPointsAsPeopleWriteThem) {
    Phone phone;
    for (const char* path : {"/data/", "//data", "/data//"}) {
        EXPECT_EQ(0, Command(phone, {"trim", path}).code) << path;
    }
    const Answer wrong = Command(phone, {"trim", "/data,/cache"});
    EXPECT_EQ(64, wrong.code);
    EXPECT_THAT(wrong.err, HasSubstr("separate mount points by spaces: /data /cache\n"));
}

TEST(ShellCommandTest, HelpNamesEachVerbOnce) {
    Phone phone;
    std::map<std::string, int> reported;
    for (const std::string& line : android::base::Split(Command(phone, {"help"}).out, "\n")) {
        if (line.starts_with("  ") && line[2] != ' ' && !isdigit(line[2])) {
            ++reported[line.substr(2, line.find(' ', 2) - 2)];
        }
    }
    EXPECT_LT(8, reported.size());
    for (const auto& [verb, times] : reported) EXPECT_EQ(1, times) << verb;
}

TEST(ShellCommandTest, WrongUsageIs64WithUsageOnErr) {
    Phone phone;
    for (const auto& arguments : std::vector<std::vector<std::string>>{{},
                                                                       {"nosuch"},
                                                                       {""},
                                                                       {"status", "x"},
                                                                       {"health", "--xml"},
                                                                       {"trim", "data"},
                                                                       {"trim", ""},
                                                                       {"trim", "/data", "--now"},
                                                                       {"abort", "x"},
                                                                       {"why", "x"},
                                                                       {"maintain"},
                                                                       {"maintain", "now"}}) {
        Answer answer = Command(phone, arguments);
        EXPECT_EQ(64, answer.code);
        EXPECT_THAT(answer.out, IsEmpty());
        EXPECT_THAT(answer.err, StartsWith("storekeeper: "));
        // One line describes the failure, one the usage of the verb.
        EXPECT_EQ(2, std::count(answer.err.begin(), answer.err.end(), '\n')) << answer.err;
        const bool known = !arguments.empty() && arguments[0] != "nosuch" && !arguments[0].empty();
        EXPECT_THAT(answer.err, HasSubstr(known ? "\nusage: cmd storekeeper " + arguments[0]
                                                : "\ncmd storekeeper help lists the commands"));
    }
    EXPECT_THAT(phone.syscalls.trimmed(), IsEmpty());
}

TEST(ShellCommandTest, TrimPrintsALineAMount) {
    Phone phone;
    Answer answer = Command(phone, {"trim"});
    EXPECT_EQ(0, answer.code);
    EXPECT_THAT(answer.out, HasSubstr("Trimmed 3.9 MiB on /data ("));
    EXPECT_THAT(answer.out, HasSubstr("Trimmed 3.9 MiB on /cache ("));
    EXPECT_THAT(answer.err, IsEmpty());
}

TEST(ShellCommandTest, CodesAreDistinctFrom65To78) {
    std::set<int> codes;
    for (const OutcomeFacts& facts : kOutcomes) {
        EXPECT_TRUE(codes.insert(facts.code).second) << facts.name;
        if (facts.outcome == TrimOutcome::kTrimmed) continue;
        EXPECT_GE(facts.code, 65);
        EXPECT_LE(facts.code, 78);
    }
}

struct Refusal {
    const char* name;
    std::function<void(Phone&)> prepare;
    const char* mount;
    int code = -1;
    std::string reason;
};

class ShellCommandRefusalTest : public testing::TestWithParam<Refusal> {};

TEST_P(ShellCommandRefusalTest, IsOneLineThatNamesTheReason) {
    Phone phone;
    GetParam().prepare(phone);
    Answer answer = Command(phone, {"trim", GetParam().mount});
    EXPECT_EQ(GetParam().code, answer.code);
    EXPECT_THAT(answer.out, IsEmpty());
    EXPECT_TRUE(IsOneLine(answer.err)) << answer.err;
    EXPECT_THAT(answer.err, StartsWith(std::string("storekeeper: ") + GetParam().mount));
    EXPECT_THAT(answer.err, HasSubstr(GetParam().reason));
}

void SetMounts(Phone& phone, const std::string& lines) {
    phone.tree.Write("/proc/self/mountinfo", lines);
}

INSTANTIATE_TEST_SUITE_P(
        All, ShellCommandRefusalTest,
        testing::Values(
                Refusal{"NotGiven", [](Phone&) {}, "/system", 65,
                        "not listed in ro.storekeeper.trim.mounts"},
                Refusal{"NotMounted",
                        [](Phone& p) { SetMounts(p, "1 0 0:1 / / rw - tmpfs x rw\n"); }, "/data",
                        66, "not mounted"},
                Refusal{"ReadOnly",
                        [](Phone& p) { SetMounts(p, "1 0 179:2 / /data ro - ext4 /dev/x rw\n"); },
                        "/data", 73, "read-only"},
                Refusal{"NoDiscard",
                        [](Phone& p) { SetMounts(p, "1 0 0:2 / /data rw - tmpfs x rw\n"); },
                        "/data", 69, "no block device"},
                Refusal{"NoDiscardSaysTheKernel", [](Phone& p) { p.FailTrim(EOPNOTSUPP); }, "/data",
                        69, "not supported"},
                Refusal{"NotPermitted", [](Phone& p) { p.FailTrim(EPERM); }, "/data", 71,
                        "not permitted"},
                Refusal{"IoError", [](Phone& p) { p.FailTrim(EIO); }, "/data", 74, strerror(EIO)},
                Refusal{"OutOfMemory", [](Phone& p) { p.FailTrim(ENOMEM); }, "/data", 70,
                        "memory"}),
        [](const auto& row) { return row.param.name; });

TEST(ShellCommandTest, BusyAndAbort) {
    Phone phone;
    std::vector<Answer> answers;
    phone.DuringFitrim([&] {
        if (!answers.empty()) return;
        answers.push_back(Command(phone, {"trim"}));
        answers.push_back(Command(phone, {"status"}));
        answers.push_back(Command(phone, {"abort"}));
    });
    Answer answer = Command(phone, {"trim"});
    EXPECT_EQ(75, answers.at(0).code);
    EXPECT_EQ("storekeeper: another run is in progress\n", answers.at(0).err);
    EXPECT_THAT(answers.at(1).out, StartsWith("Maintenance: trimming /data"));
    EXPECT_EQ(0, answers.at(2).code);
    EXPECT_EQ(72, answer.code);
    EXPECT_THAT(answer.err, HasSubstr("/data: stopped: abort requested"));
    EXPECT_EQ("No run is in progress.\n", Command(phone, {"abort"}).out);
}

TEST(ShellCommandTest, APlanTrimsNothing) {
    Phone phone;
    Answer answer = Command(phone, {"plan"});
    EXPECT_EQ(0, answer.code);
    EXPECT_EQ(
            "/data: ext4, block groups, 16 steps of 128 MiB; discards at most 512 MiB, "
            "duration not known yet\n"
            "/cache: ext4, block groups, 16 steps of 128 MiB; discards at most 512 MiB, "
            "duration not known yet\n"
            "Garbage collection: nothing, off: ro.storekeeper.gc.seconds is 0\n"
            "Defragmentation: nothing, the disk of /data is not a UFS\n",
            answer.out);
    EXPECT_THAT(phone.syscalls.fitrims(), IsEmpty());
    EXPECT_THAT(Command(phone, {"plan", "--json"}).out, HasSubstr("\"cursor_bytes\" : 0"));
    EXPECT_EQ(64, Command(phone, {"plan", "/data"}).code);
}

TEST(ShellCommandTest, ThePlanGoesOnWhereTheLastRunStopped) {
    Phone phone;
    phone.DuringFitrim([&] {
        if (phone.syscalls.fitrims().size() == 3) phone.keeper().Abort();
    });
    Command(phone, {"trim", "/data"});
    EXPECT_THAT(Command(phone, {"plan"}).out,
                HasSubstr("continues at 256 MiB of 1 GiB; discards at most 384 MiB"));
}

TEST(ShellCommandTest, ReceiptsAreCountedFromTheLatest) {
    Phone phone;
    EXPECT_EQ("No run yet.\n", Command(phone, {"receipts"}).out);
    Command(phone, {"trim", "/data"});
    Command(phone, {"trim", "/cache"});
    Answer one = Command(phone, {"receipts", "-n", "1"});
    EXPECT_THAT(one.out, HasSubstr("by command, trimmed"));
    EXPECT_THAT(one.out, HasSubstr("/cache"));
    EXPECT_THAT(one.out, testing::Not(HasSubstr("/data")));
    EXPECT_THAT(Command(phone, {"receipts", "--json"}).out, HasSubstr("\"slices\" : 10"));
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"receipts", "-n"},
                                                  {"receipts", "-n", "0"},
                                                  {"receipts", "-n", "x"},
                                                  {"receipts", "all"}}) {
        EXPECT_EQ(64, Command(phone, wrong).code);
    }
}

TEST(ShellCommandTest, CommandWhyReportsEachGateAndWhenTheNextRunCanHappen) {
    Phone phone;
    phone.clock.Advance(minutes(10));
    phone.keeper().Tick();
    phone.clock.Advance(minutes(5));
    Answer answer = Command(phone, {"why"});
    EXPECT_EQ(0, answer.code);
    EXPECT_THAT(answer.out, HasSubstr("  Gate       State  Value       Limit     Detail\n"));
    EXPECT_THAT(answer.out, HasSubstr("  untouched  closed 16 min 40 s >= 1 h    43 min 20 s to go "
                                      "(closed for 5 min);\n" +
                                      std::string(42, ' ') + "screen off\n"));
    EXPECT_THAT(answer.out, HasSubstr("  battery    open   100 %       >= 30 %   on charger\n"));
    EXPECT_THAT(answer.out, HasSubstr("  heat       open   25.0 C      <= 40.0 C battery\n"));
    EXPECT_THAT(answer.out,
                HasSubstr("A run is due, waiting for: untouched; 43 min 20 s at the earliest. In "
                          "6 d 23 h\n    all gates except the safety gates are waived.\n"));
    EXPECT_THAT(Command(phone, {"why", "--json"}).out, HasSubstr("\"margin\""));
    // dumpsys prints the same text.
    EXPECT_THAT(DumpText(phone.Sources(), {"maintenance"}), StartsWith(answer.out));
    phone.clock.Advance(hours(1));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_THAT(Command(phone, {"why"}).out,
                HasSubstr("Next run: in 1 d at the earliest, if all other gates are open.\n"));
}

TEST(ShellCommandTest, MaintainPassesTheSoftGatesAndNoSafeOne) {
    Phone phone;
    MaintenanceReadings readings = FakeInputs::Untouched();
    readings.interaction = InteractionReading{.screen_on = true, .last_input = BootTime(0)};
    readings.power = PowerReading{.has_battery = true, .percent = 39, .on_charger = false};
    phone.inputs.Set(readings);
    Answer answer = Command(phone, {"maintain", "--now"});
    EXPECT_EQ(75, answer.code);
    EXPECT_EQ("storekeeper: no run: battery 39 % (limit >= 40 %, off charger)\n", answer.err);
    EXPECT_THAT(phone.syscalls.trimmed(), IsEmpty());
    readings.power->percent = 40;
    phone.inputs.Set(readings);
    answer = Command(phone, {"maintain", "--now"});
    EXPECT_EQ(0, answer.code);
    EXPECT_THAT(answer.out, HasSubstr("Trimmed 3.9 MiB on /data ("));
    // An immediate second run ignores the interval as well.
    EXPECT_EQ(0, Command(phone, {"maintain", "--now"}).code);
}

TEST(ShellCommandTest, OnlyRootSetsALimitAndItEndsWithTheBoot) {
    Phone phone;
    const std::vector<std::string> command = {"set-gate-override", "untouched", "60"};
    Answer answer = Command(phone, command);
    EXPECT_EQ(77, answer.code);
    EXPECT_TRUE(IsOneLine(answer.err)) << answer.err;
    EXPECT_THAT(Command(phone, {"why"}).out, HasSubstr(">= 1 h"));
    EXPECT_EQ(0, Command(phone, command, kRoot).code);
    EXPECT_THAT(Command(phone, {"why"}).out, HasSubstr(">= 1 min"));
    EXPECT_THAT(Command(phone, {"why"}).out, HasSubstr("limit set by root"));
    phone.Restart();
    EXPECT_THAT(Command(phone, {"why"}).out, HasSubstr(">= 1 min"));
    EXPECT_EQ(0, Command(phone, {"set-gate-override", "untouched", "reset"}, kRoot).code);
    EXPECT_THAT(Command(phone, {"why"}).out, HasSubstr(">= 1 h"));

    EXPECT_EQ(0, Command(phone, command, kRoot).code);
    for (const char* boot : {"99999999-2222-3333-4444-555555555555\n", "\n", "\n"}) {
        phone.tree.Write("/proc/sys/kernel/random/boot_id", boot);
        phone.Restart();
        EXPECT_THAT(Command(phone, {"why"}).out, HasSubstr(">= 1 h"));
        EXPECT_EQ(0, Command(phone, command, kRoot).code);
    }
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"nosuch", "1"},
                                               {"chip", "1"},
                                               {"checkpoint", "1"},
                                               {"battery", "19"},
                                               {"heat", "451"},
                                               {"battery", "101"}}) {
        Answer refused = Command(phone, {"set-gate-override", wrong[0], wrong[1]}, kRoot);
        EXPECT_EQ(64, refused.code) << wrong[0];
        EXPECT_TRUE(IsOneLine(refused.err)) << refused.err;
    }
    EXPECT_EQ(64, Command(phone, {"set-gate-override", "heat", "warm"}, kRoot).code);
    EXPECT_EQ(64, Command(phone, {"set-gate-override", "heat"}, kRoot).code);
}

TEST(ShellCommandTest, HealthAndStatusInBothForms) {
    Phone phone;
    EXPECT_THAT(Command(phone, {"health"}).out,
                StartsWith("Storage life: 0-10 % used (90-100 % left), pre-EOL normal\n"));
    EXPECT_THAT(Command(phone, {"health", "--json"}).out, StartsWith("{\n"));
    EXPECT_THAT(Command(phone, {"status"}).out, HasSubstr("untouched"));
    EXPECT_THAT(Command(phone, {"status", "--json"}).out, HasSubstr("\"would_run\""));
}

TEST(ShellCommandTest, AnArgumentIsEchoedWithoutControlCharacters) {
    Phone phone;
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"bad\x1b[2J\nverb"},
                                               {"trim", "bad\x1b[2J\nverb"},
                                               {"trim", "/bad\x1b[2J\nverb"},
                                               {"crypto", "bad\x1b[2J\nverb"},
                                               {"set-gate-override", "bad\x1b[2J\nverb", "1"},
                                               {"set-gate-override", "heat", "bad\x1b[2J\nverb"}}) {
        const std::string said = Command(phone, arguments, kRoot).err;
        EXPECT_THAT(said, HasSubstr("bad\\x1b[2J\\x0averb")) << arguments[0];
        EXPECT_EQ(std::string::npos, said.find('\x1b')) << arguments[0];
    }
}

TEST(ShellCommandTest, AGateWithoutANumberIsWaivedOrInForce) {
    Phone phone;
    const auto set = [&](const std::string& value) {
        return Command(phone, {"set-gate-override", "framework", value}, kRoot);
    };
    EXPECT_EQ("framework: in force until the next boot\n", set("0").out);
    EXPECT_THAT(Command(phone, {"why"}).out, HasSubstr("force by root\n"));
    EXPECT_EQ("framework: waived until the next boot\n", set("1").out);
    EXPECT_THAT(Command(phone, {"why"}).out, HasSubstr("waived by root\n"));
    EXPECT_EQ(64, set("2").code);
    EXPECT_EQ("storekeeper: framework: 2 is out of range: 0 keeps the gate in force, 1 waives it\n",
              set("2").err);
    EXPECT_EQ("framework: as configured\n", set("reset").out);
}

TEST(ShellCommandTest, ALimitBeyondAnyNumberIsOutOfRange) {
    Phone phone;
    for (const char* sign : {"", "-"}) {
        const std::string huge = std::string(sign) + "99999999999999999999999";
        const Answer answer = Command(phone, {"set-gate-override", "battery", huge}, kRoot);
        EXPECT_EQ(64, answer.code);
        EXPECT_THAT(answer.err, HasSubstr("'" + huge + "' is out of range: 20 % to 100 %\n"));
    }
}

TEST(ShellCommandTest, AHeatLimitNamesItsUnit) {
    Phone phone;
    const auto set = [&](const std::string& gate, const std::string& value) {
        return Command(phone, {"set-gate-override", gate, value}, kRoot);
    };
    EXPECT_EQ("heat: limit 35.0 C until the next boot\n", set("heat", "350").out);
    EXPECT_EQ("heat: limit 40.0 C until the next boot\n", set("heat", "40C").out);
    EXPECT_THAT(Command(phone, {"why"}).out, HasSubstr("<= 40.0 C"));
    EXPECT_EQ("zones: limit 60.5 C until the next boot\n", set("zones", "60.5C").out);
    EXPECT_EQ("battery: limit 50 % until the next boot\n", set("battery", "50").out);
    EXPECT_EQ("untouched: limit 1 h until the next boot\n", set("untouched", "3600").out);
    // 4.0 degrees; the user meant 40.
    Answer cold = set("heat", "40");
    EXPECT_EQ(64, cold.code);
    EXPECT_EQ(
            "storekeeper: heat: 4.0 C is out of range: 10.0 C to 45.0 C; a number without a unit "
            "is in tenths of a degree, write 40C for 40 degrees\n",
            cold.err);
    for (const char* wrong : {"40F", "C", "4.55C", "-C", "40.C", "99999999999999999999C", " 350"}) {
        EXPECT_EQ(64, set("heat", wrong).code) << wrong;
    }
    EXPECT_EQ(64, set("battery", "50C").code);
}

TEST(ShellCommandTest, AnAnswerThatCannotBeWrittenIsNoSuccess) {
    Phone phone;
    android::base::unique_fd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
    AnswerWriter writer;
    TemporaryFile err;
    for (int out : {full.get(), -1}) {
        EXPECT_EQ(EX_IOERR,
                  ShellCommand(phone.daemon(), writer, kShell, out, err.fd).Run({"help"}));
    }
    std::string said;
    EXPECT_TRUE(android::base::ReadFileToString(err.path, &said));
    EXPECT_THAT(said, HasSubstr("storekeeper: cannot write the answer: No space left on device"));
}

}  // namespace
}  // namespace storekeeper
