// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/f2fs_iostat.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/tokens.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// Where the columns are headed so, each line has bytes, requests and their quotient; else bytes.
constexpr std::string_view kHeading = "io_bytes";
constexpr std::string_view kReads = "[READ]";
constexpr std::string_view kOthers = "[OTHER]";
constexpr std::string_view kDiscard = "fs discard";
constexpr size_t kMaxLine = 512;

// What is written, by its name, which lost and gained "data" over time. Compressed data (cdata) is
// counted as data already.
struct Line {
    std::string_view name;
    uint64_t F2fsIostat::*sum;
};
constexpr Line kLines[] = {
        {"app buffered", &F2fsIostat::app_bytes},
        {"app buffered data", &F2fsIostat::app_bytes},
        {"app direct", &F2fsIostat::app_bytes},
        {"app direct data", &F2fsIostat::app_bytes},
        {"app mapped", &F2fsIostat::app_bytes},
        {"app mapped data", &F2fsIostat::app_bytes},
        {"fs data", &F2fsIostat::fs_bytes},
        {"fs node", &F2fsIostat::fs_bytes},
        {"fs meta", &F2fsIostat::fs_bytes},
        {"fs gc data", &F2fsIostat::gc_bytes},
        {"fs gc node", &F2fsIostat::gc_bytes},
        {"fs cp data", &F2fsIostat::checkpoint_bytes},
        {"fs cp node", &F2fsIostat::checkpoint_bytes},
        {"fs cp meta", &F2fsIostat::checkpoint_bytes},
};
// Every kernel that has the file has this line.
constexpr std::string_view kFirst = "fs data";

}  // namespace

Result<F2fsIostat> ParseF2fsIostat(std::string_view iostat_info) {
    if (iostat_info.empty()) return Error() << "f2fs iostat_info is empty: iostat is off";
    bool of_reads = false;
    bool in_bytes = false;
    // Names appear again for reads, which early kernels do not head: the first one is of writes.
    std::map<std::string, uint64_t> numbers;
    for (const std::string& line : android::base::Split(std::string(iostat_info), "\n")) {
        if (line.size() > kMaxLine) return Error() << "f2fs iostat_info: a line of that length";
        const std::string text = android::base::Trim(line);
        if (android::base::StartsWith(text, kHeading)) in_bytes = true;
        if (text == kReads) of_reads = true;
        if (text == kOthers) of_reads = false;
        const size_t colon = text.find(':');
        if (of_reads || colon == std::string::npos) continue;
        const std::string name = text.substr(0, colon);
        const std::vector<std::string> words = Tokenize(text.substr(colon + 1), " \t");
        uint64_t number = 0;
        if (words.empty() || !android::base::ParseUint(words[0], &number)) {
            return Error() << "f2fs iostat_info: '" << name << "' has no number";
        }
        numbers.emplace(name, number);
    }
    if (numbers.count(std::string(kFirst)) == 0) {
        return Error() << "f2fs iostat_info has no line '" << kFirst << "'";
    }
    F2fsIostat iostat;
    for (const Line& line : kLines) {
        const auto number = numbers.find(std::string(line.name));
        if (number == numbers.end()) continue;
        uint64_t& sum = iostat.*line.sum;
        if (number->second > UINT64_MAX - sum) {
            return Error() << "f2fs iostat_info: '" << line.name << "' has too large a number";
        }
        sum += number->second;
    }
    const auto discard = numbers.find(std::string(kDiscard));
    if (in_bytes && discard != numbers.end()) iostat.discarded_bytes = discard->second;
    return iostat;
}

}  // namespace storekeeper
