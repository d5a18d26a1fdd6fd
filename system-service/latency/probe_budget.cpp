// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/probe_budget.h"

#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <algorithm>
#include <vector>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::duration_cast;
using std::chrono::seconds;

constexpr char kTitle[] = "storekeeper-probe-1";
// The budget fits one sector of the oldest cards, which is written completely or not at all.
constexpr size_t kMaxText = 512;
// A boot id has 36 characters.
constexpr size_t kMaxBootId = 64;

}  // namespace

ProbeBudget ProbeBudget::RefilledAt(BootTime now, const std::string& boot) const {
    ProbeBudget budget = *this;
    const bool same = !boot.empty() && boot == boot_id && now >= noted;
    budget.idle += duration_cast<seconds>(same ? now - noted : now);
    budget.noted = now;
    budget.boot_id = boot;
    if (budget.idle >= kDay) {
        budget.used_kib = 0;
        budget.idle = kDay;
    }
    return budget;
}

uint32_t ProbeBudget::RemainingKib(uint32_t kib_per_day) const {
    return kib_per_day - std::min(kib_per_day, used_kib);
}

std::string ProbeBudget::Encode() const {
    return android::base::StringPrintf("%s %u %lld %lld %u %s\n", kTitle, used_kib,
                                       static_cast<long long>(idle.count()),
                                       static_cast<long long>(noted.count()), filled_pages,
                                       boot_id.empty() ? "-" : boot_id.c_str());
}

Result<ProbeBudget> ProbeBudget::Decode(std::string_view text) {
    const size_t end = text.substr(0, kMaxText).find('\n');
    if (end == std::string_view::npos) return Error() << "the probe's file begins with no line";
    const std::vector<std::string> words =
            android::base::Split(std::string(text.substr(0, end)), " ");
    ProbeBudget budget;
    int64_t idle_s = 0;
    int64_t noted_ns = 0;
    if (words.size() != 6 || words[0] != kTitle ||
        !android::base::ParseUint(words[1], &budget.used_kib) ||
        !android::base::ParseInt(words[2], &idle_s, int64_t{0}, int64_t{seconds(kDay).count()}) ||
        !android::base::ParseInt(words[3], &noted_ns, int64_t{0}) ||
        !android::base::ParseUint(words[4], &budget.filled_pages) || words[5].size() > kMaxBootId) {
        return Error() << "the probe's file does not begin with its budget";
    }
    budget.idle = seconds(idle_s);
    budget.noted = BootTime(noted_ns);
    budget.boot_id = words[5] == "-" ? "" : words[5];
    return budget;
}

}  // namespace storekeeper
