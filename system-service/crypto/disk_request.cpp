// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/disk_request.h"

#include <android-base/parsedouble.h>
#include <android-base/parseint.h>
#include <android-base/stringprintf.h>

#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/tokens.h"
#include "base/try.h"
#include "crypto/properties.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kWrongProperty[] = "storekeeper.disk.wrong";
constexpr char kProblemProperty[] = "storekeeper.disk.problem";
constexpr char kNoteProperty[] = "storekeeper.disk.note";

struct FigureProperty {
    const char* name;
    bool hardware;
    bool encrypt;
};
constexpr FigureProperty kFigures[] = {{"storekeeper.disk.engine.write", true, true},
                                       {"storekeeper.disk.engine.read", true, false},
                                       {"storekeeper.disk.cpu.write", false, true},
                                       {"storekeeper.disk.cpu.read", false, false}};
// Without <algorithm>, whose functions are no constants in Android 11's library.
constexpr bool AllFit() {
    for (const FigureProperty& property : kFigures) {
        if (!FitsPropertyName(property.name)) return false;
    }
    return true;
}
static_assert(AllFit());
static_assert(FitsPropertyName(kDiskRequestProperty));
// A terabyte a second.
constexpr double kMaxMbps = 1e6;
// driver, n, and three values of each of two estimates
constexpr size_t kWords = 8;
constexpr char kNotKnown[] = "-";

Result<void> Check(const DiskRequest& request) {
    const bool xts = request.name == "xts(aes)";
    if (!xts && request.name != "cbc(aes)") return Error() << "not a disk's: " << request.name;
    const size_t aes_key = request.key_bytes / (xts ? 2 : 1);
    if (request.key_bytes != aes_key * (xts ? 2 : 1) || (aes_key != 16 && aes_key != 32)) {
        return Error() << request.name << " has no key of " << request.key_bytes << " bytes";
    }
    if (request.unit_bytes != 512 && request.unit_bytes != 4096) {
        return Error() << "dm-crypt has no units of " << request.unit_bytes << " bytes";
    }
    return {};
}

std::string FormatEstimate(const std::optional<Estimate>& estimate) {
    if (!estimate.has_value()) return " - - -";
    return android::base::StringPrintf(" %.5g %.5g %.5g", estimate->mean, estimate->lower,
                                       estimate->upper);
}

Result<Estimate> ParseEstimate(const std::string* words, unsigned n) {
    std::array<double, 3> values{};
    for (size_t i = 0; i < values.size(); ++i) {
        // ParseDouble() takes "nan" for one in any range.
        if (!android::base::ParseDouble(words[i].c_str(), &values[i], 0.0, kMaxMbps) ||
            std::isnan(values[i])) {
            return Error() << "'" << words[i] << "' as a speed";
        }
    }
    return Estimate{.mean = values[0], .lower = values[1], .upper = values[2], .n = n};
}

Result<CipherFigure> ParseFigure(const std::string& text, const FigureProperty& property,
                                 size_t unit_bytes) {
    const std::vector<std::string> words = Tokenize(text, " ");
    unsigned n = 0;
    if (words.size() != kWords || !android::base::ParseUint(words[1], &n)) {
        return Error() << "'" << text << "' as " << property.name;
    }
    CipherFigure figure{.driver = words[0], .unit_bytes = unit_bytes, .encrypt = property.encrypt};
    figure.gross_mbps = TRY(ParseEstimate(&words[2], n));
    if (words[5] != kNotKnown) figure.net_mbps = TRY(ParseEstimate(&words[5], n));
    return figure;
}

}  // namespace

Result<std::string> FormatDiskRequest(const DiskRequest& request) {
    TRY(Check(request));
    return request.number + " " + request.name + " " + std::to_string(request.key_bytes) + " " +
           std::to_string(request.unit_bytes);
}

Result<DiskRequest> ParseDiskRequest(std::string_view text) {
    const std::vector<std::string> words = Tokenize(text, " ");
    DiskRequest request;
    uint64_t number = 0;
    if (words.size() != 4 || !android::base::ParseUint(words[0], &number) ||
        !android::base::ParseUint(words[2], &request.key_bytes) ||
        !android::base::ParseUint(words[3], &request.unit_bytes)) {
        return Error() << "'" << text << "' as " << kDiskRequestProperty;
    }
    request.number = words[0];
    request.name = words[1];
    TRY(Check(request));
    return request;
}

Result<void> PublishDiskAnswer(
        const DiskRequest& request, const CryptoMeasured& measured,
        const std::function<bool(const std::string&, const std::string&)>& set) {
    std::vector<std::pair<const char*, std::string>> values =
            {{kWrongProperty, measured.wrong.substr(0, kMaxPropertyBytes)},
             {kProblemProperty, measured.problem.substr(0, kMaxPropertyBytes)},
             {kNoteProperty, measured.note.substr(0, kMaxPropertyBytes)}};
    for (const FigureProperty& property : kFigures) {
        const std::string& driver = property.hardware ? measured.hardware : measured.cpu;
        const CipherFigure* figure =
                FindFigure(measured, driver, request.unit_bytes, property.encrypt);
        values.emplace_back(property.name, figure == nullptr
                                                   ? ""
                                                   : driver + " " +
                                                             std::to_string(figure->gross_mbps.n) +
                                                             FormatEstimate(figure->gross_mbps) +
                                                             FormatEstimate(figure->net_mbps));
    }
    values.emplace_back(kDiskDoneProperty, request.number);
    for (const auto& [name, value] : values) {
        if (!set(name, value)) return Error() << "cannot set " << name << " to '" << value << "'";
    }
    return {};
}

Result<void> ReadDiskAnswer(const DiskRequest& request,
                            const std::function<std::string(const std::string&)>& property,
                            CryptoMeasured* to) {
    if (property(kDiskDoneProperty) != request.number) {
        return Error() << "no answer from storekeeper_crypto_measure; see the log";
    }
    if (const std::string problem = property(kProblemProperty); !problem.empty()) {
        return Error() << problem;
    }
    std::vector<CipherFigure> figures;
    for (const FigureProperty& from : kFigures) {
        const std::string& driver = from.hardware ? to->hardware : to->cpu;
        const std::string text = property(from.name);
        if (driver.empty() && text.empty()) continue;
        CipherFigure figure = TRY(ParseFigure(text, from, request.unit_bytes));
        if (figure.driver != driver) {
            return Error() << from.name << " is of " << figure.driver << ", not of '" << driver
                           << "'";
        }
        figures.push_back(std::move(figure));
    }
    if (figures.empty()) return Error() << "no driver of " << request.name << " is known";
    to->wrong = property(kWrongProperty);
    to->note = property(kNoteProperty);
    to->figures = std::move(figures);
    return {};
}

}  // namespace storekeeper
