// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/run_state.h"

#include <android-base/file.h>
#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>
#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/checked_text.h"
#include "base/state_file.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::ParseInt;
using android::base::Result;
using android::base::Split;
using android::base::unique_fd;

constexpr char kHeader[] = "storekeeper-state 2";
// Without ages, interval, refusals and overrides.
constexpr char kFirstHeader[] = "storekeeper-state 1";

// "KEY wall_s=.. boot_ns=.. boot_id=..", without the end of the line.
std::string FormatStamp(const char* key, const RunStamp& stamp) {
    return android::base::StringPrintf("%s wall_s=%lld boot_ns=%lld boot_id=%s", key,
                                       static_cast<long long>(stamp.wall.count()),
                                       static_cast<long long>(stamp.since_boot.count()),
                                       stamp.boot_id.c_str());
}

std::string FormatAge(const RunAge& age) {
    return FormatStamp("age", age.at) + " elapsed_s=" + std::to_string(age.elapsed.count()) +
           " powered_s=" + std::to_string(age.powered.count());
}

// The value of `name=value`; an error when the word is another.
Result<std::string> ValueOf(const std::string& word, std::string_view name) {
    std::string prefix = std::string(name) + "=";
    if (word.compare(0, prefix.size(), prefix) != 0) return Error() << "no " << name;
    return word.substr(prefix.size());
}

Result<int64_t> NumberOf(const std::string& word, std::string_view name, int64_t min = 0) {
    std::string text = TRY(ValueOf(word, name));
    int64_t number = 0;
    if (!ParseInt(text, &number, min)) return Error() << "'" << text << "' as " << name;
    return number;
}

using Words = std::vector<std::string>;

Result<void> ExpectWords(const Words& words, size_t count) {
    if (words.size() == count) return {};
    return Error() << words.size() << " words instead of " << count;
}

// The stamp in the words 1 to 3, of `count` words.
Result<RunStamp> ParseStamp(const Words& words, size_t count = 4) {
    TRY(ExpectWords(words, count));
    RunStamp stamp;
    stamp.wall = WallTime(TRY(NumberOf(words[1], "wall_s")));
    stamp.since_boot = BootTime(TRY(NumberOf(words[2], "boot_ns")));
    stamp.boot_id = TRY(ValueOf(words[3], "boot_id"));
    return stamp;
}

Result<void> ParseLastComplete(const Words& words, PolicyState* state) {
    state->last_complete = TRY(ParseStamp(words));
    return {};
}

Result<void> ParseLastAttempt(const Words& words, PolicyState* state) {
    state->last_attempt = TRY(ParseStamp(words));
    return {};
}

Result<void> ParseAge(const Words& words, PolicyState* state) {
    RunAge age{.at = TRY(ParseStamp(words, 6))};
    age.elapsed = std::chrono::seconds(TRY(NumberOf(words[4], "elapsed_s")));
    age.powered = std::chrono::seconds(TRY(NumberOf(words[5], "powered_s")));
    state->age = std::move(age);
    return {};
}

Result<void> ParseInterval(const Words& words, PolicyState* state) {
    TRY(ExpectWords(words, 2));
    state->interval = std::chrono::seconds(TRY(NumberOf(words[1], "interval_s")));
    return {};
}

Result<void> ParseRefused(const Words& words, PolicyState* state) {
    RefusedRun refused{.at = TRY(ParseStamp(words, 5))};
    refused.gates = TRY(ValueOf(words[4], "gates"));
    std::replace(refused.gates.begin(), refused.gates.end(), ',', ' ');
    if (state->refused.size() == kMaxRefusedRuns) return Error() << "too many refused runs";
    state->refused.push_back(std::move(refused));
    return {};
}

Result<void> ParseOverride(const Words& words, PolicyState* state) {
    TRY(ExpectWords(words, 4));
    const std::string gate = TRY(ValueOf(words[1], "gate"));
    state->overrides[gate] = TRY(NumberOf(words[2], "limit", std::numeric_limits<int64_t>::min()));
    state->overrides_boot_id = TRY(ValueOf(words[3], "boot_id"));
    return {};
}

Result<void> ParseLine(const Words& words, PolicyState* state) {
    struct Key {
        std::string_view name;
        Result<void> (*parse)(const Words& words, PolicyState* state);
    };
    constexpr Key kKeys[] = {
            {"last_complete", ParseLastComplete},
            {"last_attempt", ParseLastAttempt},
            {"age", ParseAge},
            {"interval", ParseInterval},
            {"refused", ParseRefused},
            {"override", ParseOverride},
    };
    for (const Key& key : kKeys) {
        if (key.name == words[0]) return key.parse(words, state);
    }
    return Error() << "unknown key '" << words[0] << "'";
}

}  // namespace

std::string FormatState(const PolicyState& state) {
    std::string body = std::string(kHeader) + "\n";
    if (state.last_complete.has_value()) {
        body += FormatStamp("last_complete", *state.last_complete) + "\n";
    }
    if (state.last_attempt.has_value()) {
        body += FormatStamp("last_attempt", *state.last_attempt) + "\n";
    }
    if (state.age.has_value()) body += FormatAge(*state.age) + "\n";
    if (state.interval.has_value()) {
        body += "interval interval_s=" + std::to_string(state.interval->count()) + "\n";
    }
    for (const RefusedRun& refused : state.refused) {
        std::string gates = refused.gates;
        std::replace(gates.begin(), gates.end(), ' ', ',');
        body += FormatStamp("refused", refused.at) + " gates=" + gates + "\n";
    }
    for (const auto& [gate, limit] : state.overrides) {
        body += "override gate=" + gate + " limit=" + std::to_string(limit) +
                " boot_id=" + state.overrides_boot_id + "\n";
    }
    return WithChecksum(body);
}

Result<PolicyState> ParseState(std::string_view text) {
    std::string_view body = TRY(CheckedBody(text));
    std::vector<std::string> lines = Split(std::string(body), "\n");
    if (lines.front() != kHeader && lines.front() != kFirstHeader) {
        return Error() << "it does not begin with '" << kHeader << "'";
    }
    PolicyState state;
    for (size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].empty()) continue;
        Result<void> parsed = ParseLine(Split(lines[i], " "), &state);
        if (!parsed.ok()) return Error() << "line " << i + 1 << ": " << parsed.error().message();
    }
    return state;
}

StateStore::StateStore(std::string path) : path_(std::move(path)) {}

Result<StateStore::Loaded> StateStore::Load() const {
    Result<std::string> text = ReadStateFile(path_);
    if (!text.ok() && text.error().code() == ENOENT) {
        // Without its folder the file may be on a file system that is not mounted now.
        const std::string folder = android::base::Dirname(path_);
        if (access(folder.c_str(), F_OK) != 0) return ErrnoError() << "cannot find " << folder;
        return Loaded{};
    }
    if (!text.ok() && !IsUnusable(text.error())) return text.error();
    Result<PolicyState> state = text.ok() ? ParseState(*text) : Result<PolicyState>(text.error());
    if (state.ok()) return Loaded{.state = std::move(*state), .note = ""};
    return Loaded{.state = {},
                  .note = "The memory of earlier runs was lost: " + path_ + " could not be used (" +
                          state.error().message() + ")" + MakeRoom(path_)};
}

Result<void> StateStore::Save(const PolicyState& state) const {
    return ReplaceFile(path_, FormatState(state));
}

Result<void> StateStore::CheckWritable() const {
    // O_NONBLOCK: whatever stands there must not hold the caller.
    const unique_fd fd(TEMP_FAILURE_RETRY(
            open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)));
    // Save() replaces what is not there or is no regular file.
    if (!fd.ok() && errno != ENOENT && errno != ELOOP && errno != ENXIO && errno != EISDIR) {
        return ErrnoError() << "cannot open " << path_;
    }
    const std::string folder = android::base::Dirname(path_);
    if (access(folder.c_str(), W_OK) != 0) return ErrnoError() << "cannot write to " << folder;
    return {};
}

}  // namespace storekeeper
