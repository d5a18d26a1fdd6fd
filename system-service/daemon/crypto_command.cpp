// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/crypto_command.h"

#include <android-base/parseint.h>
#include <sysexits.h>

#include <algorithm>

#include "report/report.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kJson[] = "--json";

CryptoAnswer UsageError(const std::string& problem) {
    return {.code = EX_USAGE, .problem = problem};
}

CryptoAnswer Unavailable(const std::string& problem) {
    return {.code = kCryptoNotHere.code, .problem = problem};
}

template <typename T>
std::string Format(const T& value, bool as_json, Json::Value (*json)(const T&),
                   std::string (*text)(const T&)) {
    return as_json ? WriteJson(json(value)) : text(value);
}

// Handles "bench" and "bench CIPHER KEY_BITS".
CryptoAnswer Bench(CryptoKeeper& crypto, const std::vector<std::string>& words, bool json) {
    std::string name;
    size_t bits = 0;
    if (words.size() == 3) {
        name = words[1];
        const bool known = name == "cbc(aes)" || name == "xts(aes)";
        if (!known || !android::base::ParseUint(words[2], &bits, size_t{512}) || bits == 0 ||
            bits % 64 != 0) {
            return UsageError("crypto bench takes cbc(aes) or xts(aes), and the bits of the key");
        }
    } else if (words.size() != 1) {
        return UsageError("crypto bench takes a cipher with the bits of its key, or nothing");
    }
    Result<CryptoMeasured> measured = crypto.Measure(name, bits / 8);
    if (!measured.ok()) return Unavailable(measured.error().message());
    return {.out = Format(*measured, json, CryptoMeasuredToJson, CryptoMeasuredText)};
}

CryptoAnswer Recommendations(CryptoKeeper& crypto, bool json) {
    const Recommendation recommendation = crypto.Advise();
    Json::Value value;
    value["advice"] = std::string(AdviceName(recommendation.advice));
    value["text"] = recommendation.text;
    return {.out = json ? WriteJson(value) : recommendation.text + "\n"};
}

CryptoAnswer ChoiceAnswer(const Result<CryptoChoice>& choice, bool json) {
    if (!choice.ok()) return Unavailable(choice.error().message());
    return {.out = Format(*choice, json, CryptoChoiceToJson, CryptoChoiceText)};
}

CryptoAnswer Confirm(CryptoKeeper& crypto, bool json) {
    Result<VerificationResult> verdict = crypto.Confirm();
    if (!verdict.ok()) return Unavailable(verdict.error().message());
    CryptoAnswer answer = ChoiceAnswer(verdict->next, json);
    if (verdict->result == VerificationResult::Result::kNotYet) {
        answer.code = kCryptoNotConfirmed.code;
        answer.problem = "not confirmed: " + verdict->reason;
    } else if (verdict->result == VerificationResult::Result::kRolledBack) {
        answer.code = kCryptoRolledBack.code;
        answer.problem = "rolled back: " + verdict->reason;
    }
    return answer;
}

}  // namespace

std::string CryptoVerb(const std::vector<std::string>& arguments) {
    const auto verb = std::find_if(arguments.begin(), arguments.end(),
                                   [](const std::string& word) { return word != kJson; });
    return verb == arguments.end() ? "status" : *verb;
}

CryptoAnswer RunCryptoCommand(CryptoKeeper& crypto, std::vector<std::string> arguments) {
    const std::string verb = CryptoVerb(arguments);
    const auto rest = std::remove(arguments.begin(), arguments.end(), kJson);
    const bool json = rest != arguments.end();
    arguments.erase(rest, arguments.end());
    if (verb == "bench") return Bench(crypto, arguments, json);
    if (verb == "choose") {
        const std::optional<CryptoMode> mode =
                ModeOf(arguments.size() == 2 ? arguments[1] : std::string());
        if (!mode.has_value()) return UsageError("crypto choose takes kernel, hardware or auto");
        return ChoiceAnswer(crypto.Choose(*mode), json);
    }
    if (arguments.size() > 1) return UsageError("crypto " + verb + " takes --json only");
    if (verb == "status") return {.out = Format(crypto.Status(), json, CryptoToJson, CryptoText)};
    if (verb == "recommend") return Recommendations(crypto, json);
    if (verb == "confirm") return Confirm(crypto, json);
    if (verb == "rollback") return ChoiceAnswer(crypto.RollBack(), json);
    return UsageError("unknown command 'crypto " + verb + "'");
}

}  // namespace storekeeper
