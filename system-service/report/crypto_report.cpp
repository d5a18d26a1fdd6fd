// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/stringprintf.h>

#include "base/json_text.h"
#include "base/quantity_text.h"
#include "report/report.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

Json::Value EstimateToJson(const Estimate& estimate) {
    Json::Value json;
    json["mean"] = estimate.mean;
    json["lower"] = estimate.lower;
    json["upper"] = estimate.upper;
    json["n"] = estimate.n;
    return json;
}

bool IsServingDriver(const CryptoDriver& driver, const CryptoInventory& inventory) {
    const CryptoDriver* serving = inventory.Serving(driver.name);
    return serving != nullptr && serving->driver == driver.driver;
}

Json::Value DriverToJson(const CryptoDriver& driver, const CryptoInventory& inventory) {
    Json::Value json;
    json["name"] = driver.name;
    json["driver"] = driver.driver;
    json["engine"] = std::string(EngineName(driver.engine));
    json["priority"] = driver.priority;
    json["refcnt"] = driver.refcount;
    json["selftest"] = TextOrNull(driver.selftest);
    json["async"] = driver.async;
    json["uses_tables"] = driver.uses_tables;
    json["serves"] = IsServingDriver(driver, inventory);
    return json;
}

Json::Value VolumeToJson(const VolumeState& volume) {
    Json::Value json;
    json["mount"] = volume.mount;
    json["state"] = std::string(StateName(volume.state));
    json["confidence"] = std::string(ConfidenceName(volume.confidence));
    json["cipher"] = TextOrNull(volume.name);
    json["driver"] = TextOrNull(volume.driver);
    json["unit_bytes"] = volume.unit_bytes;
    json["keys"] = TextOrNull(std::string(KeyKindName(volume.keys)));
    json["evidence"] = StringsToJson(volume.evidence);
    return json;
}

Json::Value FigureToJson(const CipherFigure& figure) {
    Json::Value json;
    json["driver"] = figure.driver;
    json["unit_bytes"] = Json::UInt64{figure.unit_bytes};
    json["threads"] = figure.threads;
    json["encrypt"] = figure.encrypt;
    json["mbps"] = EstimateToJson(figure.gross_mbps);
    json["net_mbps"] = OrNull(figure.net_mbps, EstimateToJson);
    json["cpu_pct"] = figure.cpu_percent;
    return json;
}

Json::Value BaselineToJson(const CryptoBaseline& baseline) {
    Json::Value json;
    json["write_mbps"] = baseline.write_mbps;
    json["read_mbps"] = baseline.read_mbps;
    json["method"] = baseline.method;
    json["unit_bytes"] = baseline.unit_bytes;
    json["cipher"] = TextOrNull(baseline.cipher);
    json["key_bits"] = 8 * baseline.key_bytes;
    return json;
}

Json::Value FileToJson(const FileSpeed& file) {
    Json::Value json;
    json["write_mbps"] = EstimateToJson(file.write_mbps);
    json["read_mbps"] = EstimateToJson(file.read_mbps);
    json["cpu_pct"] = file.cpu_percent;
    return json;
}

std::string SpeedText(const Estimate& estimate) {
    return FigureText(estimate.mean) + " +- " + FigureText(estimate.upper - estimate.mean);
}

}  // namespace

Json::Value CryptoMeasuredToJson(const CryptoMeasured& measured) {
    Json::Value json;
    json["name"] = measured.name;
    json["key_bits"] = Json::UInt64{measured.key_bytes * 8};
    json["hardware"] = TextOrNull(measured.hardware);
    json["cpu"] = TextOrNull(measured.cpu);
    json["method"] = measured.method;
    json["problem"] = measured.problem;
    json["note"] = measured.note;
    json["wrong"] = measured.wrong;
    json["figures"] = ArrayOf(measured.figures, FigureToJson);
    json["file"] = OrNull(measured.file, FileToJson);
    json["now"] = OrNull(measured.now, BaselineToJson);
    return json;
}

Json::Value CryptoChoiceToJson(const CryptoChoice& choice) {
    Json::Value json;
    json["mode"] = std::string(ModeName(choice.mode));
    json["stage"] = std::string(StageName(choice.stage));
    json["boots"] = choice.boots;
    json["reason"] = choice.reason;
    json["baseline"] = OrNull(choice.baseline, BaselineToJson);
    return json;
}

Json::Value CryptoToJson(const CryptoStatus& status) {
    Json::Value json;
    json["mode"] = std::string(ModeName(status.mode));
    json["choice"] = CryptoChoiceToJson(status.choice);
    json["choice_file"] = TextOrNull(status.choice_file);
    json["volumes"] = ArrayOf(status.volumes, VolumeToJson);
    json["mounts_left_out"] = Json::UInt64{status.mounts_left_out};
    json["drivers"] = ArrayOf(status.inventory.drivers, [&](const CryptoDriver& driver) {
        return DriverToJson(driver, status.inventory);
    });
    json["notes"] = StringsToJson(status.notes);
    json["measured"] = OrNull(status.measured, CryptoMeasuredToJson);
    return json;
}

std::string CryptoChoiceText(const CryptoChoice& choice) {
    std::string text = "Choice: " + std::string(ModeName(choice.mode));
    if (choice.stage != CryptoChoice::Stage::kNone) {
        text += ", " + std::string(StageName(choice.stage));
    }
    if (!choice.reason.empty()) text += " (" + choice.reason + ")";
    if (choice.baseline.has_value()) {
        text += "; baseline: write " + FigureText(choice.baseline->write_mbps) + " MB/s, read " +
                FigureText(choice.baseline->read_mbps) + " MB/s by " + choice.baseline->method;
    }
    return text + "\n";
}

std::string CryptoMeasuredText(const CryptoMeasured& measured) {
    std::string text = "A file on /data, measured by " + measured.method +
                       ": its file system, encryption if it has any, and the storage\n";
    if (!measured.file.has_value()) {
        text = StringPrintf("%s, %zu bit, measured by %s\n", measured.name.c_str(),
                            measured.key_bytes * 8, measured.method.c_str());
    }
    for (const auto& [key, line] : {std::pair("wrong", &measured.wrong),
                                    {"problem", &measured.problem},
                                    {"note", &measured.note}}) {
        if (!line->empty()) text += std::string(key) + ": " + *line + "\n";
    }
    if (!measured.figures.empty()) {
        text += StringPrintf("  %-28s %6s %7s %-7s %18s %18s %6s\n", "driver", "bytes", "threads",
                             "", "MB/s", "net", "CPU %");
    }
    for (const CipherFigure& figure : measured.figures) {
        text += StringPrintf("  %-28s %6zu %7u %-7s %18s %18s %6.0f\n", figure.driver.c_str(),
                             figure.unit_bytes, figure.threads,
                             figure.encrypt ? "encrypt" : "decrypt",
                             SpeedText(figure.gross_mbps).c_str(),
                             figure.net_mbps.has_value() ? SpeedText(*figure.net_mbps).c_str()
                                                         : "not known",
                             figure.cpu_percent);
    }
    if (const std::optional<FileSpeed>& file = measured.file; file.has_value()) {
        text += "  file: write " + SpeedText(file->write_mbps) + ", read " +
                SpeedText(file->read_mbps) +
                StringPrintf(" MB/s, CPU %.0f %%\n", file->cpu_percent);
    }
    return text;
}

std::string CryptoText(const CryptoStatus& status) {
    std::string text = "Encryption: mode " + std::string(ModeName(status.mode)) + "\n";
    for (const VolumeState& volume : status.volumes) {
        text += "  " + volume.mount + ": " + std::string(StateName(volume.state)) +
                " (confidence " + std::string(ConfidenceName(volume.confidence)) + ")\n";
        for (const std::string& line : volume.evidence) text += "    " + line + "\n";
    }
    text += MountsLeftOutText(status.mounts_left_out);
    text += CryptoChoiceText(status.choice);
    for (const std::string& note : status.notes) text += "Note: " + note + "\n";
    text += "Drivers:\n";
    for (const CryptoDriver& driver : status.inventory.drivers) {
        text += StringPrintf("  %s %-24s %-28s %-8s priority %d, refcnt %u%s\n",
                             IsServingDriver(driver, status.inventory) ? "*" : " ",
                             driver.name.c_str(), driver.driver.c_str(),
                             std::string(EngineName(driver.engine)).c_str(), driver.priority,
                             driver.refcount, driver.uses_tables ? ", uses tables" : "");
    }
    if (status.measured.has_value()) text += CryptoMeasuredText(*status.measured);
    return text;
}

}  // namespace storekeeper
