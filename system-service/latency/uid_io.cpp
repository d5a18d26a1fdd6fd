// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/uid_io.h"

#include <android-base/parseint.h>

#include <array>
#include <map>
#include <string>

#include "base/tokens.h"
#include "latency/latency_sample.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// Columns: uid, then rchar, wchar, read_bytes, write_bytes in the foreground, the same four in the
// background, fsyncs in the foreground and in the background.
constexpr size_t kColumns = 11;
constexpr size_t kForegroundRead = 3;
constexpr size_t kForegroundWritten = 4;
constexpr size_t kBackgroundRead = 7;
constexpr size_t kBackgroundWritten = 8;
constexpr size_t kForegroundFsyncs = 9;
constexpr size_t kBackgroundFsyncs = 10;
// 11 numbers of at most 20 digits.
constexpr size_t kMaxLine = 256;
constexpr std::string_view kTask = "task,";

// The kernel prints a uid as a signed number.
bool ParseUid(const std::string& text, uint32_t* uid) {
    int32_t number = 0;
    if (android::base::ParseInt(text, &number)) {
        *uid = static_cast<uint32_t>(number);
        return true;
    }
    return android::base::ParseUint(text, uid);
}

bool ParseLine(std::string_view line, UidIo* io) {
    if (line.size() > kMaxLine) return false;
    const std::vector<std::string> words = Tokenize(line, " ");
    if (words.size() != kColumns || !ParseUid(words[0], &io->uid)) return false;
    std::array<uint64_t, kColumns> numbers = {};
    for (size_t i = 1; i < kColumns; ++i) {
        if (!android::base::ParseUint(words[i], &numbers[i])) return false;
    }
    io->read_bytes = SumUpToMax(numbers[kForegroundRead], numbers[kBackgroundRead]);
    io->written_bytes = SumUpToMax(numbers[kForegroundWritten], numbers[kBackgroundWritten]);
    io->fsyncs = SumUpToMax(numbers[kForegroundFsyncs], numbers[kBackgroundFsyncs]);
    return true;
}

}  // namespace

Result<std::vector<UidIo>> ParseUidIo(std::string_view stats) {
    std::map<uint32_t, UidIo> by_uid;
    for (size_t number = 1; !stats.empty(); ++number) {
        const std::string_view line = NextLine(&stats);
        if (line.starts_with(kTask)) continue;
        UidIo io;
        if (!ParseLine(line, &io)) {
            return Error() << kUidIoPath << ": line " << number << " is not a uid and "
                           << kColumns - 1 << " numbers";
        }
        if (!by_uid.emplace(io.uid, io).second) {
            return Error() << kUidIoPath << ": line " << number << " has uid " << io.uid
                           << " a second time";
        }
    }
    std::vector<UidIo> all;
    all.reserve(by_uid.size());
    for (const auto& [uid, io] : by_uid) all.push_back(io);
    return all;
}

std::vector<UidIo> UidDelta(const std::vector<UidIo>& before, const std::vector<UidIo>& after) {
    std::map<uint32_t, UidIo> then;
    for (const UidIo& io : before) then[io.uid] = io;
    std::vector<UidIo> grown;
    for (const UidIo& now : after) {
        const UidIo& old = then[now.uid];
        const UidIo io = {.uid = now.uid,
                          .read_bytes = IncreaseOrZero(old.read_bytes, now.read_bytes),
                          .written_bytes = IncreaseOrZero(old.written_bytes, now.written_bytes),
                          .fsyncs = IncreaseOrZero(old.fsyncs, now.fsyncs)};
        if (io.read_bytes != 0 || io.written_bytes != 0 || io.fsyncs != 0) grown.push_back(io);
    }
    return grown;
}

}  // namespace storekeeper
