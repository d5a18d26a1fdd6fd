// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/qcrypto_driver.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>

#include "base/tokens.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kDevices[] = "/sys/bus/platform/devices";

// True for "qcrypto.0", "fd440000.qcrypto" and "fd440000.qcom,qcrypto".
bool IsEngine(const std::string& device) {
    return device.starts_with("qcrypto.") || device.ends_with(".qcrypto") ||
           device.ends_with(",qcrypto");
}

constexpr uint64_t kWrap = uint64_t{1} << 32;
// Limit of a file's size: _disp_stats() fills a buffer of 4 KiB, in later kernels 8 KiB.
constexpr size_t kMaxBytes = 16 * 1024;

Result<uint64_t> CountOf(const std::string& text) {
    int64_t count = 0;
    // The 3.4 driver prints an unsigned with %d.
    if (android::base::ParseInt(text, &count, int64_t{INT32_MIN}) && count < 0) {
        return kWrap - static_cast<uint64_t>(-count);
    }
    uint64_t positive = 0;
    if (!android::base::ParseUint(text, &positive)) return Error() << "'" << text << "'";
    return positive;
}

std::optional<uint64_t> Difference(uint64_t before, uint64_t after) {
    if (after >= before) return after - before;
    // A counter that was in the upper half of 32 bits has wrapped; another one has been cleared.
    if (before < kWrap && before >= kWrap / 2 && after < kWrap / 2) return after + kWrap - before;
    return std::nullopt;
}

}  // namespace

std::vector<std::string> BoundEngineDevices(const FileReader& files) {
    std::vector<std::string> devices =
            files.List(kEngineDriverFolder).value_or(std::vector<std::string>());
    // The other entries of the folder are files without a dot.
    std::erase_if(devices,
                  [](const std::string& name) { return name.find('.') == std::string::npos; });
    return devices;
}

bool HasUnloadedEngine(const FileReader& files) {
    if (files.Exists(kEngineDriverFolder)) return false;
    const Result<std::vector<std::string>> devices = files.List(kDevices);
    return devices.ok() && std::any_of(devices->begin(), devices->end(), IsEngine);
}

Result<QcryptoStats> ParseQcryptoStats(std::string_view text) {
    if (text.size() > kMaxBytes) return Error() << "longer than " << kMaxBytes << " bytes";
    std::optional<uint64_t> encryptions;
    std::optional<uint64_t> decryptions;
    for (const std::string& line : android::base::Split(std::string(text), "\n")) {
        const std::vector<std::string> halves = android::base::Split(line, ":");
        if (halves.size() != 2) continue;
        const std::vector<std::string> words = Tokenize(halves[0], " \t");
        if (words.size() != 4 || words[0] != "ABLK" ||
            !(words[1] + words[2] == "AESCIPHER" || words[1] + words[2] == "CIPHERAES")) {
            continue;
        }
        const uint64_t count = TRY(CountOf(android::base::Trim(halves[1])));
        if (words[3] == "encryption") encryptions = count;
        if (words[3] == "decryption") decryptions = count;
    }
    if (!encryptions.has_value() || !decryptions.has_value()) return Error() << "no counts of AES";
    return QcryptoStats{.encryptions = *encryptions, .decryptions = *decryptions};
}

Result<QcryptoStats> ReadQcryptoStats(const FileReader& files) {
    QcryptoStats sum;
    bool any = false;
    for (const std::string& name : TRY(files.List(kQcryptoStatsFolder))) {
        if (!name.starts_with("stats-")) continue;
        const std::string path = std::string(kQcryptoStatsFolder) + "/" + name;
        Result<QcryptoStats> one = ParseQcryptoStats(TRY(files.ReadTable(path)));
        if (!one.ok()) return Error() << path << ": " << one.error().message();
        sum.encryptions += one->encryptions;
        sum.decryptions += one->decryptions;
        any = true;
    }
    if (!any) return Error() << kQcryptoStatsFolder << " has no stats-1";
    return sum;
}

std::optional<uint64_t> RequestsBetween(const QcryptoStats& before, const QcryptoStats& after) {
    const std::optional<uint64_t> encrypted = Difference(before.encryptions, after.encryptions);
    const std::optional<uint64_t> decrypted = Difference(before.decryptions, after.decryptions);
    if (!encrypted.has_value() || !decrypted.has_value()) return std::nullopt;
    return *encrypted + *decrypted;
}

}  // namespace storekeeper
