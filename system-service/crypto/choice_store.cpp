// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/choice_store.h"

#include <android-base/parsedouble.h>
#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>
#include <errno.h>

#include <cmath>
#include <map>
#include <utility>

#include "base/atomic_file.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using Stage = CryptoChoice::Stage;

constexpr char kHeader[] = "storekeeper-crypto 1";
// storekeeperd (user system) and the early step (root, without CAP_DAC_OVERRIDE) write the file in
// turns. Both are in the group system, and no other process may enter the folder.
constexpr mode_t kMode = 0660;
constexpr const char* kFolders[] = {"/metadata/storekeeper", "/cache/storekeeper"};

constexpr char kAside[] = ".corrupt";
constexpr char kDamaged[] = "the choice file was damaged";
constexpr char kLost[] =
        "the choice of an engine is lost, encryption stays as it is; choose again with cmd "
        "storekeeper crypto choose: ";

using Values = std::map<std::string, std::string, std::less<>>;

std::string ValueOf(const Values& values, std::string_view key) {
    auto value = values.find(key);
    return value == values.end() ? "" : value->second;
}

Result<Stage> StageOf(const std::string& name) {
    for (Stage stage : {Stage::kNone, Stage::kTrial, Stage::kConfirmed}) {
        if (StageName(stage) == name) return stage;
    }
    return Error() << "'" << name << "' as stage";
}

Result<double> SpeedOf(const Values& values, std::string_view key) {
    const std::string text = ValueOf(values, key);
    double mbps = 0;
    // At most a terabyte a second. ParseDouble() accepts "nan" in any range.
    if (!android::base::ParseDouble(text.c_str(), &mbps, 0.0, 1e6) || std::isnan(mbps)) {
        return Error() << "'" << text << "' as " << key;
    }
    return mbps;
}

Result<uint32_t> CountOf(const Values& values, std::string_view key) {
    const std::string text = ValueOf(values, key);
    uint32_t count = 0;
    if (!android::base::ParseUint(text, &count)) return Error() << "'" << text << "' as " << key;
    return count;
}

Result<CryptoBaseline> BaselineOf(const Values& values) {
    const uint32_t unit_bytes = TRY(CountOf(values, "unit_bytes"));
    CryptoBaseline baseline{.write_mbps = TRY(SpeedOf(values, "write_mbps")),
                            .read_mbps = TRY(SpeedOf(values, "read_mbps")),
                            .method = ValueOf(values, "method"),
                            .unit_bytes = unit_bytes,
                            // Files from before 2026-12 lack it, so the measured cipher is unknown.
                            .cipher = ValueOf(values, "cipher")};
    if (!ValueOf(values, "key_bytes").empty()) {
        baseline.key_bytes = TRY(CountOf(values, "key_bytes"));
    }
    return baseline;
}

}  // namespace

std::string FormatChoice(const CryptoChoice& choice) {
    std::string body = std::string(kHeader) + "\n";
    const auto add = [&](const char* key, std::string_view value) {
        body += std::string(key) + " " + std::string(value) + "\n";
    };
    add("mode", ModeName(choice.mode));
    add("stage", StageName(choice.stage));
    add("boots", std::to_string(choice.boots));
    add("chosen_boot_id", choice.chosen_boot_id);
    add("last_boot_id", choice.last_boot_id);
    add("reason", choice.reason);
    if (choice.baseline.has_value()) {
        add("write_mbps", android::base::StringPrintf("%.3f", choice.baseline->write_mbps));
        add("read_mbps", android::base::StringPrintf("%.3f", choice.baseline->read_mbps));
        add("method", choice.baseline->method);
        add("unit_bytes", std::to_string(choice.baseline->unit_bytes));
        add("cipher", choice.baseline->cipher);
        add("key_bytes", std::to_string(choice.baseline->key_bytes));
    }
    return WithChecksum(body);
}

Result<CryptoChoice> ParseChoice(std::string_view text) {
    const std::string_view body = TRY(CheckedBody(text));
    const std::vector<std::string> lines = android::base::Split(std::string(body), "\n");
    if (lines.front() != kHeader) return Error() << "it does not begin with '" << kHeader << "'";
    Values values;
    for (size_t i = 1; i < lines.size(); ++i) {
        const size_t space = lines[i].find(' ');
        if (space == std::string::npos) continue;
        values[lines[i].substr(0, space)] = lines[i].substr(space + 1);
    }
    CryptoChoice choice;
    const std::optional<CryptoMode> mode = ModeOf(ValueOf(values, "mode"));
    if (!mode.has_value()) return Error() << "'" << ValueOf(values, "mode") << "' as mode";
    choice.mode = *mode;
    choice.stage = TRY(StageOf(ValueOf(values, "stage")));
    choice.boots = TRY(CountOf(values, "boots"));
    choice.chosen_boot_id = ValueOf(values, "chosen_boot_id");
    choice.last_boot_id = ValueOf(values, "last_boot_id");
    choice.reason = ValueOf(values, "reason");
    if (values.count("method") != 0) choice.baseline = TRY(BaselineOf(values));
    if (choice.stage != Stage::kNone && !choice.baseline.has_value()) {
        return Error() << "a choice without a baseline";
    }
    return choice;
}

Result<std::string> FindChoiceFile(const FileReader& files) {
    for (const char* folder : kFolders) {
        if (files.Exists(folder)) return files.PathOf(folder) + "/crypto";
    }
    return Error() << "no place to save a choice: create " << kFolders[0] << " or " << kFolders[1]
                   << " in the device's init.rc";
}

ChoiceStore::Loaded ChoiceStore::Load() const {
    Result<std::string> text = ReadStateFile(calls_, path_);
    if (!text.ok() && text.error().code() == ENOENT) {
        // The early step or an earlier boot has set the file aside.
        if (!calls_.Lstat(path_ + kAside).ok()) return {};
        return {.choice = RollBack(kDamaged),
                .note = kLost + path_ + kAside + " could not be used"};
    }
    Result<CryptoChoice> choice =
            text.ok() ? ParseChoice(*text) : Result<CryptoChoice>(text.error());
    if (choice.ok()) return {.choice = std::move(*choice), .note = ""};
    // A folder that cannot be read now may be readable at the next boot.
    const bool unusable = text.ok() || IsUnusable(text.error());
    std::string note = kLost + path_ + " could not be used (" + choice.error().message() + ")" +
                       (unusable ? MakeRoom(calls_, path_) : "");
    return {.choice = RollBack(kDamaged), .note = note};
}

Result<void> ChoiceStore::Save(const CryptoChoice& choice) const {
    TRY(ReplaceFile(calls_, path_, FormatChoice(choice), 0, kMode));
    // Load() looks at the file aside only if there is no choice.
    static_cast<void>(RemoveTree(calls_, path_ + kAside));
    return {};
}

}  // namespace storekeeper
