// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/crypto_report.h"

#include <android-base/stringprintf.h>

#include "base/json_text.h"

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

Json::Value DriverToJson(const CryptoDriver& driver, const CryptoInventory& inventory) {
    const CryptoDriver* serving = inventory.Serving(driver.name);
    Json::Value json;
    json["name"] = driver.name;
    json["driver"] = driver.driver;
    json["engine"] = std::string(EngineName(driver.engine));
    json["priority"] = driver.priority;
    json["refcnt"] = driver.refcount;
    json["selftest"] = TextOrNull(driver.selftest);
    json["async"] = driver.async;
    json["uses_tables"] = driver.uses_tables;
    json["serves"] = serving != nullptr && serving->driver == driver.driver;
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
    json["net_mbps"] =
            figure.net_mbps.has_value() ? EstimateToJson(*figure.net_mbps) : Json::Value();
    json["cpu_pct"] = figure.cpu_percent;
    return json;
}

Json::Value BaselineToJson(const std::optional<CryptoBaseline>& baseline) {
    if (!baseline.has_value()) return {};
    Json::Value json;
    json["write_mbps"] = baseline->write_mbps;
    json["read_mbps"] = baseline->read_mbps;
    json["method"] = baseline->method;
    json["unit_bytes"] = baseline->unit_bytes;
    json["cipher"] = TextOrNull(baseline->cipher);
    json["key_bits"] = 8 * baseline->key_bytes;
    return json;
}

Json::Value FileToJson(const std::optional<FileSpeed>& file) {
    if (!file.has_value()) return {};
    Json::Value json;
    json["write_mbps"] = EstimateToJson(file->write_mbps);
    json["read_mbps"] = EstimateToJson(file->read_mbps);
    json["cpu_pct"] = file->cpu_percent;
    return json;
}

std::string SpeedText(const Json::Value& estimate) {
    if (estimate.isNull()) return "      not told";
    return StringPrintf("%8.1f +-%4.1f", estimate["mean"].asDouble(),
                        estimate["upper"].asDouble() - estimate["mean"].asDouble());
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
    json["figures"] = Json::Value(Json::arrayValue);
    for (const CipherFigure& figure : measured.figures)
        json["figures"].append(FigureToJson(figure));
    json["file"] = FileToJson(measured.file);
    json["now"] = BaselineToJson(measured.now);
    return json;
}

Json::Value CryptoChoiceToJson(const CryptoChoice& choice) {
    Json::Value json;
    json["mode"] = std::string(ModeName(choice.mode));
    json["stage"] = std::string(StageName(choice.stage));
    json["boots"] = choice.boots;
    json["reason"] = choice.reason;
    json["baseline"] = BaselineToJson(choice.baseline);
    return json;
}

Json::Value CryptoToJson(const CryptoStatus& status) {
    Json::Value json;
    json["mode"] = std::string(ModeName(status.mode));
    json["choice"] = CryptoChoiceToJson(status.choice);
    json["choice_file"] = TextOrNull(status.choice_file);
    json["volumes"] = Json::Value(Json::arrayValue);
    for (const VolumeState& volume : status.volumes) json["volumes"].append(VolumeToJson(volume));
    json["drivers"] = Json::Value(Json::arrayValue);
    for (const CryptoDriver& driver : status.inventory.drivers) {
        json["drivers"].append(DriverToJson(driver, status.inventory));
    }
    json["notes"] = StringsToJson(status.notes);
    json["measured"] =
            status.measured.has_value() ? CryptoMeasuredToJson(*status.measured) : Json::Value();
    return json;
}

std::string CryptoChoiceText(const Json::Value& choice) {
    std::string text = "Chosen: " + choice["mode"].asString();
    if (choice["stage"].asString() != "none") text += ", " + choice["stage"].asString();
    if (!choice["reason"].asString().empty()) text += " (" + choice["reason"].asString() + ")";
    if (!choice["baseline"].isNull()) {
        text += StringPrintf("; before: write %.1f, read %.1f MB/s by %s",
                             choice["baseline"]["write_mbps"].asDouble(),
                             choice["baseline"]["read_mbps"].asDouble(),
                             choice["baseline"]["method"].asCString());
    }
    return text + "\n";
}

std::string CryptoMeasuredText(const Json::Value& measured) {
    std::string text = StringPrintf("%s, %d bit, by %s\n", measured["name"].asCString(),
                                    measured["key_bits"].asInt(), measured["method"].asCString());
    for (const char* key : {"wrong", "problem", "note"}) {
        if (!measured[key].asString().empty()) {
            text += std::string(key) + ": " + measured[key].asString() + "\n";
        }
    }
    if (!measured["figures"].empty()) {
        text += StringPrintf("  %-28s %6s %7s %-7s %15s %15s %6s\n", "driver", "bytes", "threads",
                             "", "MB/s", "without calls", "CPU %");
    }
    for (const Json::Value& figure : measured["figures"]) {
        text += StringPrintf("  %-28s %6d %7d %-7s %15s %15s %6.0f\n", figure["driver"].asCString(),
                             figure["unit_bytes"].asInt(), figure["threads"].asInt(),
                             figure["encrypt"].asBool() ? "encrypt" : "decrypt",
                             SpeedText(figure["mbps"]).c_str(),
                             SpeedText(figure["net_mbps"]).c_str(), figure["cpu_pct"].asDouble());
    }
    const Json::Value& file = measured["file"];
    if (!file.isNull()) {
        text += "  a file: write " + SpeedText(file["write_mbps"]) + ", read " +
                SpeedText(file["read_mbps"]) +
                StringPrintf(" MB/s, CPU %.0f %%\n", file["cpu_pct"].asDouble());
    }
    return text;
}

std::string CryptoText(const Json::Value& crypto) {
    std::string text = "Encryption: mode " + crypto["mode"].asString() + "\n";
    for (const Json::Value& volume : crypto["volumes"]) {
        text += "  " + volume["mount"].asString() + ": " + volume["state"].asString() +
                " (confidence " + volume["confidence"].asString() + ")\n";
        for (const Json::Value& line : volume["evidence"]) text += "    " + line.asString() + "\n";
    }
    text += CryptoChoiceText(crypto["choice"]);
    for (const Json::Value& note : crypto["notes"]) text += "Note: " + note.asString() + "\n";
    text += "Drivers:\n";
    for (const Json::Value& driver : crypto["drivers"]) {
        text += StringPrintf("  %s %-24s %-28s %-8s priority %d, refcnt %u%s\n",
                             driver["serves"].asBool() ? "*" : " ", driver["name"].asCString(),
                             driver["driver"].asCString(), driver["engine"].asCString(),
                             driver["priority"].asInt(), driver["refcnt"].asUInt(),
                             driver["uses_tables"].asBool() ? ", uses tables" : "");
    }
    if (!crypto["measured"].isNull()) text += CryptoMeasuredText(crypto["measured"]);
    return text;
}

}  // namespace storekeeper
