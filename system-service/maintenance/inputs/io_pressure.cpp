// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/inputs/io_pressure.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/tokens.h"

namespace storekeeper {
namespace {

using android::base::ConsumePrefix;
using android::base::Error;
using android::base::ParseInt;
using android::base::Result;

// Longer than any line of the file.
constexpr size_t kMaxLine = 256;

// "2.41" as a percentage, rounded up.
std::optional<int> ParsePercent(const std::string& text) {
    std::vector<std::string> parts = android::base::Split(text, ".");
    int whole = 0;
    int hundredths = 0;
    if (parts.size() != 2 || parts[1].size() != 2 || !ParseInt(parts[0], &whole, 0, 100) ||
        !ParseInt(parts[1], &hundredths, 0, 99)) {
        return std::nullopt;
    }
    return std::min(100, whole + (hundredths > 0 ? 1 : 0));
}

}  // namespace

// "some avg10=0.00 avg60=0.00 avg300=0.00 total=N"
Result<int> ParseIoPressure(std::string_view pressure) {
    const std::string_view line = pressure.substr(0, pressure.find('\n'));
    if (line.size() > kMaxLine) return Error() << kIoPressurePath << ": a line is too long";
    const std::vector<std::string> words = Tokenize(line, " ");
    if (words.size() != 5 || words[0] != "some") {
        return Error() << kIoPressurePath << " does not begin with 'some' and four figures";
    }
    std::string_view avg10 = words[1];
    if (!ConsumePrefix(&avg10, "avg10=")) {
        return Error() << kIoPressurePath << " has no 'avg10=' but '" << words[1] << "'";
    }
    const std::optional<int> percent = ParsePercent(std::string(avg10));
    if (!percent.has_value()) return Error() << kIoPressurePath << ": avg10 is '" << avg10 << "'";
    return *percent;
}

}  // namespace storekeeper
