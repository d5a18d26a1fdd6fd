// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/run_memory.h"

#include <android-base/logging.h>
#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/try.h"
#include "maintenance/decision_text.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseInt;
using android::base::Result;
using android::base::Split;

// Largest age of the written memory after a run was refused for another reason than the last one.
constexpr std::chrono::seconds kRefusalWritePeriod = std::chrono::hours(4);

// "KEY wall_s=.. boot_ns=.. boot_id=.."
std::string FormatStamp(const char* key, const RunStamp& stamp) {
    return android::base::StringPrintf("%s wall_s=%lld boot_ns=%lld boot_id=%s", key,
                                       static_cast<long long>(stamp.wall.count()),
                                       static_cast<long long>(stamp.since_boot.count()),
                                       stamp.boot_id.c_str());
}

// The values of one entry, by name. The name of the key is "".
using Values = std::map<std::string, std::string>;

Values ParseValues(const std::string& entry) {
    Values values;
    for (const std::string& word : Split(entry, " ")) {
        const size_t equals = word.find('=');
        const bool is_key = equals == std::string::npos;
        values[is_key ? "" : word.substr(0, equals)] = is_key ? word : word.substr(equals + 1);
    }
    return values;
}

Result<std::string> ValueOf(const Values& values, const std::string& name) {
    const auto value = values.find(name);
    if (value == values.end()) return Error() << "no " << name;
    return value->second;
}

Result<int64_t> NumberOf(const Values& values, const std::string& name, int64_t min = 0) {
    const std::string text = TRY(ValueOf(values, name));
    int64_t number = 0;
    if (!ParseInt(text, &number, min)) return Error() << "'" << text << "' as " << name;
    return number;
}

Result<std::chrono::seconds> SecondsOf(const Values& values, const std::string& name) {
    return std::chrono::seconds(TRY(NumberOf(values, name)));
}

Result<RunStamp> StampOf(const Values& values) {
    RunStamp stamp;
    stamp.wall = TRY(SecondsOf(values, "wall_s"));
    stamp.since_boot = BootTime(TRY(NumberOf(values, "boot_ns")));
    stamp.boot_id = TRY(ValueOf(values, "boot_id"));
    return stamp;
}

Result<void> ParseEntry(const Values& values, PolicyState* state) {
    const std::string key = TRY(ValueOf(values, ""));
    if (key == "last_complete") {
        state->last_complete = TRY(StampOf(values));
        if (values.count("written_bytes") != 0) {
            state->written_bytes = static_cast<uint64_t>(TRY(NumberOf(values, "written_bytes")));
        }
    } else if (key == "last_attempt") {
        state->last_attempt = TRY(StampOf(values));
    } else if (key == "age") {
        RunAge age{.at = TRY(StampOf(values))};
        age.elapsed = TRY(SecondsOf(values, "elapsed_s"));
        age.powered = TRY(SecondsOf(values, "powered_s"));
        state->age = std::move(age);
    } else if (key == "interval") {
        // Versions before 2026-11 had an adaptive interval.
    } else if (key == "refused" && state->refused.size() < kMaxRefusedRuns) {
        RefusedRun refused{.at = TRY(StampOf(values))};
        refused.gates = TRY(ValueOf(values, "gates"));
        std::replace(refused.gates.begin(), refused.gates.end(), ',', ' ');
        state->refused.push_back(std::move(refused));
    } else if (key == "override") {
        state->overrides[TRY(ValueOf(values, "gate"))] =
                TRY(NumberOf(values, "limit", std::numeric_limits<int64_t>::min()));
        state->overrides_boot_id = TRY(ValueOf(values, "boot_id"));
    } else {
        return Error() << "unknown, or one too many";
    }
    return {};
}

}  // namespace

RunMemory::RunMemory(RecordFile& records, const Clock& clock, std::string boot_id)
      : records_(records), clock_(clock), boot_id_(std::move(boot_id)) {
    MutexLock saving(save_lock_);
    Result<void> kept = LoadOnce();
    if (kept.ok()) kept = records_.CheckWritable();
    Note(kept);
    MutexLock guard(lock_);
    if (!state_.age.has_value()) state_.age = RunAge{.at = Now()};
    state_.overrides_boot_id = boot_id_;
}

Result<void> RunMemory::LoadOnce() {
    if (loaded_) return {};
    TRY(records_.Load());
    loaded_ = true;
    Result<PolicyState> stored = ParseState(records_.Last(RecordKind::kState));
    if (!stored.ok()) {
        records_.AddNote("The memory of earlier runs was lost: " + stored.error().message());
    }
    MutexLock guard(lock_);
    // Events from before the file could be read.
    PolicyState since = std::exchange(state_, stored.ok() ? std::move(*stored) : PolicyState());
    if (!state_.age.has_value()) {
        // This is the first start on this device, or after an earlier version.
        state_.age = state_.last_complete.has_value() ? RunAge{.at = *state_.last_complete}
                                                      : RunAge{.at = Now()};
        write_within_ = std::chrono::seconds(0);
    }
    if (state_.overrides_boot_id != boot_id_) state_.overrides.clear();
    state_.overrides_boot_id = boot_id_;
    for (const auto& [gate, limit] : since.overrides) state_.overrides[gate] = limit;
    state_.refused.insert(state_.refused.end(), since.refused.begin(), since.refused.end());
    while (state_.refused.size() > kMaxRefusedRuns) state_.refused.erase(state_.refused.begin());
    return {};
}

RunStamp RunMemory::Now() const {
    return {.boot_id = boot_id_, .since_boot = clock_.SinceBoot(), .wall = clock_.Wall()};
}

Result<void> RunMemory::Recheck() {
    Result<void> writable = records_.CheckWritable();
    if (!writable.ok()) {
        Note(writable);
    } else if (!Problem().ok()) {
        Remember([](PolicyState*) {});
    }
    return Problem();
}

void RunMemory::Note(const Result<void>& kept) {
    MutexLock guard(lock_);
    if (kept.ok() && !problem_.ok()) LOG(INFO) << "The state can be saved again";
    if (!kept.ok() && (problem_.ok() || problem_.error().code() != kept.error().code())) {
        LOG(ERROR) << "The state cannot be saved: " << kept.error().message();
    }
    problem_ = kept;
}

void RunMemory::NoteRefusal(const Decision& decision) {
    if (!decision.due || decision.run) return;
    const std::string closed = ClosedGates(decision);
    MutexLock guard(lock_);
    std::vector<RefusedRun>& refused = state_.refused;
    if (!refused.empty() && refused.back().gates == closed) return;
    refused.push_back({.at = Now(), .gates = closed});
    if (refused.size() > kMaxRefusedRuns) refused.erase(refused.begin());
    write_within_ = std::min(write_within_.value_or(kRefusalWritePeriod), kRefusalWritePeriod);
}

void RunMemory::WriteWhenWorthIt() {
    {
        MutexLock guard(lock_);
        if (!IsWorthWriting(*state_.age, Now(), write_within_.value_or(kWritePeriod))) return;
    }
    Remember([](PolicyState*) {});
}

void RunMemory::Remember(const std::function<void(PolicyState*)>& change) {
    MutexLock saving(save_lock_);
    Result<void> kept = LoadOnce();
    PolicyState state;
    {
        MutexLock guard(lock_);
        state_.age = BringUpToDate(*state_.age, Now());
        change(&state_);
        write_within_.reset();
        state = state_;
    }
    if (kept.ok()) {
        records_.Put(RecordKind::kState, FormatState(state));
        kept = records_.Write();
    }
    Note(kept);
}

std::string FormatState(const PolicyState& state) {
    std::vector<std::string> entries;
    if (state.last_complete.has_value()) {
        entries.push_back(FormatStamp("last_complete", *state.last_complete));
        if (state.written_bytes.has_value()) {
            entries.back() += " written_bytes=" + std::to_string(*state.written_bytes);
        }
    }
    if (state.last_attempt.has_value()) {
        entries.push_back(FormatStamp("last_attempt", *state.last_attempt));
    }
    if (state.age.has_value()) {
        entries.push_back(FormatStamp("age", state.age->at) +
                          " elapsed_s=" + std::to_string(state.age->elapsed.count()) +
                          " powered_s=" + std::to_string(state.age->powered.count()));
    }
    for (const RefusedRun& refused : state.refused) {
        std::string gates = refused.gates;
        std::replace(gates.begin(), gates.end(), ' ', ',');
        entries.push_back(FormatStamp("refused", refused.at) + " gates=" + gates);
    }
    for (const auto& [gate, limit] : state.overrides) {
        entries.push_back("override gate=" + gate + " limit=" + std::to_string(limit) +
                          " boot_id=" + state.overrides_boot_id);
    }
    return android::base::Join(entries, '\t');
}

Result<PolicyState> ParseState(const std::string& text) {
    PolicyState state;
    for (const std::string& entry : Split(text, "\t")) {
        if (entry.empty()) continue;
        const Result<void> parsed = ParseEntry(ParseValues(entry), &state);
        if (!parsed.ok()) return Error() << "'" << entry << "': " << parsed.error().message();
    }
    return state;
}

}  // namespace storekeeper
