// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/options.h"

#include <android-base/parseint.h>

#include <map>
#include <string_view>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using Verb = BenchOptions::Verb;

constexpr char kJobFiles[] = "/system_ext/etc/storekeeper/fio/";
constexpr unsigned kMaxRepetitions = 1000;

class Parser {
  public:
    explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

    Result<BenchOptions> Parse() && {
        if (arguments_.empty()) return Error() << "no command: run, age or compare";
        TRY(ParseVerb(arguments_[0]));
        for (at_ = 1; at_ < arguments_.size(); ++at_) TRY(ParseOne(arguments_[at_]));
        if (options_.verb == Verb::kAge && !sized_) {
            return Error() << "age needs --until-free SIZE: it fills the file system of --dir "
                           << options_.folder << " until only that is free";
        }
        if (options_.verb == Verb::kCompare && options_.results.size() != 2) {
            return Error() << "compare needs two result files, such as A.json B.json";
        }
        return options_;
    }

  private:
    Result<void> ParseVerb(const std::string& word) {
        const std::map<std::string_view, Verb> verbs = {{"--help", Verb::kHelp},
                                                        {"-h", Verb::kHelp},
                                                        {"help", Verb::kHelp},
                                                        {"run", Verb::kRun},
                                                        {"age", Verb::kAge},
                                                        {"compare", Verb::kCompare}};
        const auto verb = verbs.find(word);
        if (verb == verbs.end()) return Error() << "unknown command '" << word << "'";
        options_.verb = verb->second;
        return {};
    }

    Result<void> ParseOne(const std::string& word) {
        const bool is_run = options_.verb == Verb::kRun;
        const bool is_age = options_.verb == Verb::kAge;
        if (word == "--help" || word == "-h") {
            options_.verb = Verb::kHelp;
        } else if (word == "--json") {
            options_.json = true;
        } else if (word == "--dir" && (is_run || is_age)) {
            options_.folder = TRY(Value());
        } else if (is_run && word == "--matrix") {
            options_.matrix = TRY(Value());
        } else if (is_run && word == "--repeat") {
            options_.repeat = TRY(Number(kMaxRepetitions));
            if (options_.repeat == 0) return Error() << "--repeat 0 measures nothing";
        } else if (is_run && word == "--fio") {
            options_.fio = TRY(Value());
        } else if (is_run && word == "--output") {
            options_.output = TRY(Value());
        } else if (is_age && word == "--until-free") {
            options_.until_free_bytes = TRY(ParseBenchSize(TRY(Value())));
            sized_ = true;
        } else if (is_age && word == "--churn") {
            options_.churn = TRY(Number(UINT32_MAX));
        } else if (is_age && word == "--keep") {
            options_.keep = true;
        } else if (options_.verb == Verb::kCompare && !word.empty() && word[0] != '-') {
            options_.results.push_back(word);
        } else {
            return Error() << "unknown argument '" << word << "'";
        }
        return {};
    }

    Result<std::string> Value() {
        const std::string name = arguments_[at_];
        if (at_ + 1 == arguments_.size() || arguments_[at_ + 1].empty()) {
            return Error() << name << " needs a value";
        }
        return arguments_[++at_];
    }

    Result<unsigned> Number(unsigned max) {
        const std::string name = arguments_[at_];
        const std::string text = TRY(Value());
        unsigned number = 0;
        if (!android::base::ParseUint(text, &number, max)) {
            return Error() << name << ": '" << text << "' is not a number from 0 to " << max;
        }
        return number;
    }

    const std::vector<std::string>& arguments_;
    size_t at_ = 0;
    BenchOptions options_;
    bool sized_ = false;  // age has its --until-free
};

}  // namespace

Result<BenchOptions> ParseBenchOptions(const std::vector<std::string>& arguments) {
    return Parser(arguments).Parse();
}

std::string JobFilePath(const std::string& matrix) {
    const bool is_path = matrix.find('/') != std::string::npos || matrix.ends_with(".fio");
    return is_path ? matrix : kJobFiles + matrix + ".fio";
}

Result<uint64_t> ParseBenchSize(const std::string& text) {
    constexpr std::string_view kUnits = "kmgtKMGT";
    std::string digits = text;
    unsigned shift = 0;
    if (!digits.empty() && kUnits.find(digits.back()) != std::string_view::npos) {
        shift = 10 * static_cast<unsigned>(kUnits.find(digits.back()) % 4 + 1);
        digits.pop_back();
    }
    uint64_t number = 0;
    if (!android::base::ParseUint(digits, &number, UINT64_MAX >> shift)) {
        return Error() << "'" << text << "' is not a size such as 300M";
    }
    return number << shift;
}

}  // namespace storekeeper
