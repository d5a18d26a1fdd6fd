// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/cpu_time.h"

#include <android-base/parseint.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/tokens.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

Result<CpuTime> ParseProcStat(std::string_view stat) {
    const std::string line(stat.substr(0, std::min(stat.find('\n'), stat.size())));
    const std::vector<std::string> words = Tokenize(line, " ");
    // user nice system idle iowait irq softirq; Linux 2.6 has them all.
    std::array<uint64_t, 7> ticks = {};
    if (words.size() <= ticks.size() || words[0] != "cpu") {
        return Error() << kProcStatPath << " does not begin with the line of all processors";
    }
    for (size_t i = 0; i < ticks.size(); ++i) {
        if (!android::base::ParseUint(words[i + 1], &ticks[i])) {
            return Error() << kProcStatPath << ": '" << words[i + 1].substr(0, 20)
                           << "' is not a number";
        }
    }
    return CpuTime{.user = ticks[0] + ticks[1],
                   .system = ticks[2] + ticks[5] + ticks[6],
                   .idle = ticks[3] + ticks[4]};
}

}  // namespace storekeeper
