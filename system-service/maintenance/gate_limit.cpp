// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/gate_limit.h"

#include <android-base/parseint.h>
#include <android-base/stringprintf.h>

#include <cctype>
#include <cstdlib>

#include "maintenance/policy/policy.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

Result<int64_t> ParseGateLimit(const std::string& gate, const std::string& text) {
    bool heat = false;
    for (const OverrideRange& range : OverrideRanges(PolicyConfig())) {
        heat |= gate == range.gate && std::string(range.unit) == "dC";
    }
    std::string number = text;
    bool degrees = false;
    if (heat && !number.empty() && number.back() == 'C') {
        degrees = true;
        number.pop_back();
        if (number.size() > 2 && number[number.size() - 2] == '.') {
            number.erase(number.size() - 2, 1);
        } else {
            number += "0";
        }
        // "C" alone is no number.
        if (text.size() == 1) number.clear();
    }
    int64_t value = 0;
    // ParseInt() passes over spaces, which nobody means.
    const bool starts = !number.empty() && (isdigit(number[0]) || number[0] == '-');
    if (!starts || (degrees && number.size() > 6) || !android::base::ParseInt(number, &value)) {
        return Error() << "'" << text << "' is neither a number nor reset"
                       << (heat ? "; write 40C for 40 degrees" : "");
    }
    return value;
}

}  // namespace storekeeper
