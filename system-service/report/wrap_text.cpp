// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/wrap_text.h"

#include <android-base/strings.h>

#include <algorithm>

namespace storekeeper {

std::string WrapText(const std::string& text, std::optional<size_t> indent) {
    std::string wrapped;
    for (std::string line : android::base::Split(text, "\n")) {
        line.erase(line.find_last_not_of(' ') + 1);
        if (line.empty()) continue;
        const size_t first = line.find_first_not_of(' ');
        const std::string blanks(indent.value_or(first + 4), ' ');
        size_t begin = first;
        while (line.size() > kScreenColumns) {
            size_t end = line.rfind(' ', kScreenColumns);
            // A word that is longer than a line stays whole.
            if (end == std::string::npos || end < begin) end = line.find(' ', begin);
            if (end == std::string::npos) break;
            wrapped += line.substr(0, line.find_last_not_of(' ', end) + 1) + "\n";
            line = blanks + line.substr(line.find_first_not_of(' ', end));
            begin = blanks.size();
        }
        wrapped += line + "\n";
    }
    return wrapped;
}

}  // namespace storekeeper
