// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/shell_command.h"

#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>
#include <sysexits.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/quantity_text.h"
#include "base/tokens.h"
#include "daemon/access.h"
#include "daemon/crypto_command.h"
#include "maintenance/decision_text.h"
#include "maintenance/policy/policy.h"
#include "report/dump.h"
#include "report/report.h"

namespace storekeeper {
namespace {

constexpr uid_t kShell = 2000;
constexpr char kUsage[] = "usage: cmd storekeeper ";

bool IsHelp(const std::string& argument) {
    return argument == "-h" || argument == "--help";
}

std::string Indented(const std::string& lines) {
    std::string text;
    for (const std::string& line : android::base::Split(lines, "\n")) text += "    " + line + "\n";
    return text;
}

// Callers that may use this verb, if not all callers of `cmd` may; "" otherwise.
std::string OnlyCallers(const std::string& verb) {
    const AccessRule* rule = FindAccessRule(VerbOperation(verb));
    return rule == nullptr || rule->Admits(kShell) ? "" : rule->Callers();
}

// A sentence about callers of `cmd` that may not use this verb or some of its subcommands; "" if
// all may.
std::string Restriction(const std::string& verb) {
    if (const std::string who = OnlyCallers(verb); !who.empty()) return "\nOnly for " + who + ".";
    const std::string operation = VerbOperation(verb);
    std::vector<std::string> some;
    std::string who;
    for (const AccessRule& rule : AccessRules()) {
        if (rule.Admits(kShell) || !rule.operation.starts_with(operation + " ")) continue;
        who = rule.Callers();
        some.emplace_back(rule.operation.substr(operation.size() + 1));
    }
    if (some.empty()) return "";
    return "\nOnly for " + who + ": " + android::base::Join(some, ", ") + ".";
}

// One line for each exit code, in ascending order.
std::string ExitCodesText() {
    std::map<int, std::string_view> codes = {{EX_OK, "success"},
                                             {EX_USAGE, "wrong usage"},
                                             {EX_NOPERM, "caller not permitted"}};
    // Outcomes with the code 0 do not replace the entry above: zero is success for all verbs.
    for (const OutcomeFacts& facts : kOutcomes) codes.emplace(facts.code, facts.meaning);
    for (const CryptoExit& exit : kCryptoExits) codes.emplace(exit.code, exit.meaning);
    std::string text = "Exit codes:\n";
    for (const auto& [code, meaning] : codes) {
        text += android::base::StringPrintf("  %2d  %.*s\n", code, static_cast<int>(meaning.size()),
                                            meaning.data());
    }
    return text;
}

}  // namespace

// The only list of verbs: names, arguments, help and handlers.
const std::vector<ShellCommand::Verb>& ShellCommand::Verbs() {
    static const std::vector<Verb> kVerbs = {
            {"status", "[--json]", "gates, next run and last run",
             "Prints the table of gates, the next run and the last run.", &ShellCommand::Section},
            {"why", "[--json]", "what the next run waits for",
             "Prints each gate with its value and limit, what closed gates wait for, and when the\n"
             "next run can begin.",
             &ShellCommand::Why},
            {"plan", "[--json]", "what the next run would do",
             "Prints what the next run would do: mounts, steps, where it continues, how much it\n"
             "discards at most, garbage collection and defragmentation.",
             &ShellCommand::Plan},
            {"receipts", "[-n COUNT] [--json]", "what the last runs did",
             "Prints the receipts of the last COUNT runs (default: 5), newest first.",
             &ShellCommand::Receipts},
            {"health", "[--json]", "used life and registers of the chip",
             "Prints the used life of the storage and the chip's registers.",
             &ShellCommand::Health},
            {"ledger", "[--json]", "wear against bytes written, and the forecast",
             "Prints the steps of wear with the bytes that each took, and the forecast.",
             &ShellCommand::Section},
            {"latency", "[--apps] [--json]", "I/O latency and the largest writers",
             "Prints I/O latencies and the largest writers by uid; --apps adds the names of apps.",
             &ShellCommand::Latency},
            {"mounts", "[--json]", "mount options that cost speed, life or safety",
             "Prints mount options that cost speed, life or safety, and what to change.",
             &ShellCommand::Section},
            {"crypto",
             "[status] [--json]\n"
             "bench [CIPHER KEY_BITS] [--json]\n"
             "recommend [--json]\n"
             "choose kernel|hardware|auto [--json]\n"
             "confirm [--json]\n"
             "rollback [--json]",
             "what encrypts; measure, recommend or choose an engine",
             "status: prints what encrypts each volume.\n"
             "bench: measures the drivers of the volume's cipher, or of CIPHER: cbc(aes) or\n"
             "xts(aes), with a key of KEY_BITS bits.\n"
             "recommend: compares engine and CPU, and recommends one.\n"
             "choose: puts the CPU (kernel) or the engine (hardware) on trial from the next boot\n"
             "on; auto ends the choice. confirm: measures again and keeps the choice, or rolls it\n"
             "back. Two boots without confirm roll it back, too.",
             &ShellCommand::Crypto},
            {"maintain", "--now", "run the whole maintenance now; safety gates apply",
             "Runs the whole maintenance now. Only the safety gates apply: battery and heat at\n"
             "their floors, checkpoint, framework, chip, state.",
             &ShellCommand::Maintain},
            {"trim", "[MOUNT...] [--hurry]", "trim now, ignoring the gates",
             "Trims these mounts now, or all configured ones, and ignores the gates. A chip that\n"
             "discards harm is never trimmed. --hurry: leaves out the pauses that keep the device\n"
             "responsive.",
             &ShellCommand::Trim},
            {"abort", "", "stop the run in progress",
             "Stops the run in progress at once; the next run continues there.",
             &ShellCommand::Abort},
            {"set-gate-override", "GATE VALUE|reset", "set the limit of a gate until the next boot",
             "Sets the limit of a gate until the next boot. VALUE is in seconds, percent, or\n"
             "degrees as 40C; for framework, 1 waives the gate and 0 keeps it in force.\n"
             "reset: the configured limit.",
             &ShellCommand::SetGateOverride},
            {"lift-quarantine", "", "let the next run examine a chip in quarantine",
             "Lets the next run examine a chip again that a discard has damaged.",
             &ShellCommand::LiftQuarantine},
            {"help", "[COMMAND|exit-codes]", "this list, or one command with its arguments",
             "Prints the list of commands, one command with its arguments, or the exit codes.",
             &ShellCommand::Help},
    };
    return kVerbs;
}

std::string ShellCommand::UsageLines(const std::string& before, const Verb& verb) {
    std::string text = before + verb.name;
    std::string gap = verb.arguments.empty() ? "" : " ";
    const std::string below = "\n" + std::string(text.size() + 1, ' ');
    for (const std::string& form : android::base::Split(verb.arguments, "\n")) {
        text += gap + form;
        gap = below;
    }
    return text + "\n";
}

std::string ShellCommand::HelpText() {
    std::string text = std::string(kUsage) + "COMMAND [ARGUMENT...]\n";
    for (const Verb& verb : Verbs()) {
        const std::string who = OnlyCallers(verb.name);
        text += android::base::StringPrintf("  %-18s %s", verb.name.c_str(), verb.summary.c_str()) +
                (who.empty() ? "" : " (" + who + " only)") + "\n";
    }
    return text + "help COMMAND prints its arguments, help exit-codes the exit codes.\n";
}

std::string ShellCommand::DetailText(const Verb& verb) {
    return UsageLines(kUsage, verb) + Indented(verb.help + Restriction(verb.name));
}

int ShellCommand::Usage(const std::string& problem) {
    err_text_ += Printable(problem) + "\n";
    err_text_ += verb_ != nullptr ? UsageLines(kUsage, *verb_)
                                  : "cmd storekeeper help lists the commands\n";
    return EX_USAGE;
}

int ShellCommand::Run(const std::vector<std::string>& arguments) {
    int code = Dispatch(arguments);
    android::base::Result<void> written = writer_.Write(out_, out_text_);
    if (!written.ok()) {
        Fail(written.error().message(), EX_IOERR);
        if (code == EX_OK) code = EX_IOERR;
    }
    // A failure of this write cannot be reported to anyone.
    (void)writer_.Write(err_, err_text_);
    return code;
}

int ShellCommand::Dispatch(const std::vector<std::string>& arguments) {
    if (arguments.empty()) return Usage("storekeeper: no command");
    if (IsHelp(arguments[0])) return Help({});
    for (const Verb& verb : Verbs()) {
        if (verb.name != arguments[0]) continue;
        verb_ = &verb;
        if (std::any_of(arguments.begin() + 1, arguments.end(), IsHelp)) {
            Print(DetailText(verb));
            return EX_OK;
        }
        if (const int refused = Refuse(verb.name); refused != EX_OK) return refused;
        const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
        if (verb.arguments == "[--json]" && !rest.empty() &&
            rest != std::vector<std::string>{"--json"}) {
            return Usage("storekeeper: " + verb.name + " takes --json only");
        }
        return (this->*verb.handler)(rest);
    }
    return Usage("storekeeper: unknown command '" + arguments[0] + "'");
}

int ShellCommand::Help(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
        Print(HelpText());
        return EX_OK;
    }
    if (arguments == std::vector<std::string>{"exit-codes"}) {
        Print(ExitCodesText());
        return EX_OK;
    }
    for (const Verb& verb : Verbs()) {
        if (arguments != std::vector<std::string>{verb.name}) continue;
        Print(DetailText(verb));
        return EX_OK;
    }
    return Usage("storekeeper: help takes one command, or exit-codes");
}

int ShellCommand::Section(const std::vector<std::string>& arguments) {
    const std::string name =
            verb_->name == "status" || verb_->name == "why" ? "maintenance" : verb_->name;
    const DumpSources sources = daemon_.Sources();
    Print(arguments.empty() ? DumpText(sources, {name}) : WriteJson(SectionToJson(sources, name)));
    return EX_OK;
}

int ShellCommand::Latency(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
        if (argument != "--apps" && argument != "--json") {
            return Usage("storekeeper: latency takes --apps and --json only");
        }
    }
    const DumpRequest request = ParseDumpRequest(arguments);
    const DumpSources sources = daemon_.Sources(request.apps);
    Print(request.json ? WriteJson(SectionToJson(sources, verb_->name))
                       : DumpText(sources, {verb_->name}));
    return EX_OK;
}

int ShellCommand::Health(const std::vector<std::string>& arguments) {
    daemon_.Health();
    return Section(arguments);
}

int ShellCommand::Crypto(const std::vector<std::string>& arguments) {
    const std::string verb = "crypto " + CryptoVerb(arguments);
    if (FindAccessRule(VerbOperation(verb)) == nullptr) {
        return Usage("storekeeper: unknown command '" + verb + "'");
    }
    if (const int refused = Refuse(verb); refused != EX_OK) return refused;
    const CryptoAnswer answer = RunCryptoCommand(daemon_.crypto(), arguments);
    Print(answer.out);
    if (answer.code == EX_USAGE) return Usage("storekeeper: " + answer.problem);
    return answer.code == EX_OK ? EX_OK : Fail(answer.problem, answer.code);
}

int ShellCommand::Trim(const std::vector<std::string>& arguments) {
    std::vector<std::string> mounts = arguments;
    std::erase(mounts, "--hurry");
    const bool hurry = mounts.size() != arguments.size();
    for (const std::string& mount : mounts) {
        if (!mount.starts_with('/') || Printable(mount) != mount) {
            return Usage("storekeeper: '" + mount + "' is not a mount point");
        }
        if (mount.find(',') != std::string::npos) {
            return Usage("storekeeper: '" + mount + "': separate mount points by spaces: " +
                         android::base::Join(android::base::Split(mount, ","), " "));
        }
    }
    android::base::Result<void> bounded = CheckArguments(mounts, kMaxMounts);
    if (!bounded.ok()) return Fail(bounded.error().message(), EX_USAGE);
    return PrintReceipt(keeper_.Trim(mounts, hurry));
}

int ShellCommand::PrintReceipt(const android::base::Result<TrimReceipt>& receipt) {
    if (!receipt.ok()) {
        return Fail(receipt.error().message(),
                    OutcomeFactsOf(OutcomeOf(receipt.error().code())).code);
    }
    Print(ReceiptText(*receipt));
    const int code = OutcomeFactsOf(receipt->outcome).code;
    return receipt->reason.empty() ? code : Fail(receipt->reason, code);
}

int ShellCommand::Refuse(std::string_view verb) {
    android::base::Result<void> access = CheckCaller(VerbOperation(verb), caller_);
    return access.ok() ? EX_OK : Fail(access.error().message(), EX_NOPERM);
}

int ShellCommand::Fail(const std::string& problem, int code) {
    err_text_ += "storekeeper: " + Printable(problem) + "\n";
    return code;
}

int ShellCommand::Abort(const std::vector<std::string>& arguments) {
    if (!arguments.empty()) return Usage("storekeeper: abort takes no arguments");
    bool running = keeper_.Abort();
    Print(running ? "Stopping.\n" : "No run is in progress.\n");
    return EX_OK;
}

int ShellCommand::Plan(const std::vector<std::string>& arguments) {
    const RunPlan plan = keeper_.Plan();
    const std::vector<TrimReceipt> receipts = keeper_.Receipts(RecordFile::kMaxReceipts);
    Print(arguments.empty() ? PlanText(plan, receipts) : WriteJson(PlanToJson(plan, receipts)));
    return EX_OK;
}

int ShellCommand::Receipts(const std::vector<std::string>& arguments) {
    size_t count = 5;
    bool json = false;
    for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "--json") {
            json = true;
        } else if (arguments[i] != "-n" || ++i == arguments.size() ||
                   !android::base::ParseUint(arguments[i], &count) || count == 0) {
            return Usage("storekeeper: receipts takes -n COUNT and --json only");
        }
    }
    const std::vector<TrimReceipt> receipts = keeper_.Receipts(count);
    Print(json ? WriteJson(ReceiptsToJson(receipts)) : ReceiptsText(receipts));
    return EX_OK;
}

int ShellCommand::Why(const std::vector<std::string>& arguments) {
    if (!arguments.empty()) return Section(arguments);
    Print(WhyText(keeper_.Status()));
    return EX_OK;
}

int ShellCommand::Maintain(const std::vector<std::string>& arguments) {
    if (arguments != std::vector<std::string>{"--now"}) {
        return Usage("storekeeper: maintain takes --now; scheduled maintenance needs no command");
    }
    return PrintReceipt(keeper_.Maintain());
}

int ShellCommand::SetGateOverride(const std::vector<std::string>& arguments) {
    if (arguments.size() != 2) return Usage("storekeeper: set-gate-override takes GATE and VALUE");
    std::optional<int64_t> limit;
    if (arguments[1] != "reset") {
        android::base::Result<int64_t> value = ParseGateLimit(arguments[0], arguments[1]);
        if (!value.ok()) return Usage("storekeeper: " + value.error().message());
        limit = *value;
    }
    android::base::Result<void> set = keeper_.SetOverride(arguments[0], limit);
    if (!set.ok()) {
        return Fail(set.error().message(), set.error().code() == EPERM ? EX_OSERR : EX_USAGE);
    }
    // SetOverride() has refused gates without a range.
    const std::string unit = FindOverrideRange(arguments[0])->unit;
    const bool is_switch = unit == "yes";
    if (!limit.has_value()) {
        Print(arguments[0] + (is_switch ? ": as configured\n" : ": limit as configured\n"));
        return EX_OK;
    }
    Print(arguments[0] + ": " +
          (!is_switch   ? "limit " + QuantityText(*limit, unit)
           : *limit > 0 ? "waived"
                        : "in force") +
          " until the next boot\n");
    return EX_OK;
}

int ShellCommand::LiftQuarantine(const std::vector<std::string>& arguments) {
    if (!arguments.empty()) return Usage("storekeeper: lift-quarantine takes no arguments");
    android::base::Result<size_t> lifted = keeper_.LiftQuarantine();
    if (!lifted.ok()) {
        return Fail(lifted.error().message(),
                    OutcomeFactsOf(OutcomeOf(lifted.error().code())).code);
    }
    Print(*lifted == 0 ? "No chip is in quarantine.\n"
                       : "Lifted; the next run examines the chip anew.\n");
    return EX_OK;
}

}  // namespace storekeeper
