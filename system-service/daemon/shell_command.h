// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/unique_fd.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/answer_writer.h"
#include "daemon/daemon.h"

namespace storekeeper {

// The verbs of `cmd storekeeper`. Exit codes: 0, 64 for wrong usage, and those of kOutcomes. 74
// also means that the answer could not be written, 75 also a run that the gates refuse, 77 an
// operation for root only. `help exit-codes` lists them.
class ShellCommand {
  public:
    // `caller` is the calling uid. The caller keeps the ownership of the descriptors.
    ShellCommand(Daemon& daemon, AnswerWriter& writer, uid_t caller, android::base::borrowed_fd out,
                 android::base::borrowed_fd err)
          : daemon_(daemon),
            keeper_(daemon.keeper()),
            writer_(writer),
            caller_(caller),
            out_(out),
            err_(err) {}

    // `arguments` lack the service's name and have passed CheckArguments(). Answers go to `out`,
    // one line about a failure to `err`.
    int Run(const std::vector<std::string>& arguments);

  private:
    struct Verb {
        std::string name;
        std::string arguments;  // one line per form
        std::string summary;    // in the list of commands
        std::string help;       // complete sentences
        int (ShellCommand::*handler)(const std::vector<std::string>&);
    };
    static const std::vector<Verb>& Verbs();
    // The list of commands, at most 24 lines.
    static std::string HelpText();
    // Arguments, explanation and permitted callers of one verb.
    static std::string DetailText(const Verb& verb);
    // The forms of a verb, one per line and aligned; `before` starts the first line.
    static std::string UsageLines(const std::string& before, const Verb& verb);

    int Help(const std::vector<std::string>& arguments);
    int Health(const std::vector<std::string>& arguments);
    int Latency(const std::vector<std::string>& arguments);
    // Prints the section of the dump that the verb stands for.
    int Section(const std::vector<std::string>& arguments);
    int Crypto(const std::vector<std::string>& arguments);
    int Trim(const std::vector<std::string>& arguments);
    int Abort(const std::vector<std::string>& arguments);
    int Plan(const std::vector<std::string>& arguments);
    int Receipts(const std::vector<std::string>& arguments);
    int Why(const std::vector<std::string>& arguments);
    int Maintain(const std::vector<std::string>& arguments);
    int SetGateOverride(const std::vector<std::string>& arguments);
    int LiftQuarantine(const std::vector<std::string>& arguments);
    int Dispatch(const std::vector<std::string>& arguments);
    void Print(const std::string& text) { out_text_ += text; }
    int PrintReceipt(const android::base::Result<TrimReceipt>& receipt);
    // EX_OK, or EX_NOPERM with the reason in err_text_.
    int Refuse(std::string_view verb);
    int Fail(const std::string& problem, int code);
    int Usage(const std::string& problem);

    Daemon& daemon_;
    Keeper& keeper_;
    AnswerWriter& writer_;
    const uid_t caller_;
    android::base::borrowed_fd out_;
    android::base::borrowed_fd err_;
    // Text collected for a single write at the end, when no other wait is left.
    std::string out_text_;
    std::string err_text_;
    const Verb* verb_ = nullptr;  // the requested verb; null until it is known
};

}  // namespace storekeeper
