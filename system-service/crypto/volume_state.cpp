// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/volume_state.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <iterator>

#include "base/quantity_text.h"
#include "base/tokens.h"

namespace storekeeper {
namespace {

using Confidence = VolumeState::Confidence;

constexpr uint32_t kMaxSector = 4096;

// Targets of the device mapper, as the property names them.
constexpr char kDefaultKey[] = "default-key";
constexpr char kWrappedDefaultKey[] = "default-key-wrapped";
constexpr char kInlineCrypt[] = "inlinecrypt";

std::string UsedText(const CryptoDriver& driver) {
    return std::string(kProcCryptoPath) + ": " + driver.name + " is served by " + driver.driver +
           " (" + std::string(EngineName(driver.engine)) + ", priority " +
           std::to_string(driver.priority) + ", refcnt " + std::to_string(driver.refcount) + ")";
}

CryptoState StateOf(CryptoEngine engine) {
    if (engine == CryptoEngine::kCpu) return CryptoState::kCpu;
    return IsHardware(engine) ? CryptoState::kHwOffload : CryptoState::kUnknown;
}

// The drivers of these names that are in use; they may belong to several engines.
std::vector<const CryptoDriver*> Used(const CryptoInventory& inventory,
                                      const std::vector<std::string>& names) {
    std::vector<const CryptoDriver*> used;
    for (const std::string& name : names) {
        for (const CryptoDriver& driver : inventory.drivers) {
            if (driver.name == name && driver.in_use()) used.push_back(&driver);
        }
        // A template's instance keeps its parts in use, so the outer name is the cipher.
        if (!used.empty()) break;
    }
    return used;
}

void SetDriver(const CryptoDriver& driver, Confidence confidence, VolumeState* state) {
    state->state = StateOf(driver.engine);
    state->confidence = state->state == CryptoState::kUnknown ? Confidence::kLow : confidence;
    state->name = driver.name;
    state->driver = driver.driver;
}

// Judges a volume that the kernel's crypto interface serves. Reference counts show the driver.
void JudgeByDrivers(const CryptoInventory& inventory, const std::vector<std::string>& names,
                    bool names_are_told, VolumeState* state) {
    const std::vector<const CryptoDriver*> used = Used(inventory, names);
    for (const CryptoDriver* driver : used) state->evidence.push_back(UsedText(*driver));
    const bool agree = std::all_of(used.begin(), used.end(), [&](const CryptoDriver* driver) {
        return StateOf(driver->engine) == StateOf(used.front()->engine);
    });
    if (!used.empty() && agree) {
        SetDriver(*used.front(), names_are_told ? Confidence::kHigh : Confidence::kMedium, state);
        return;
    }
    if (!used.empty()) {
        state->evidence.emplace_back("drivers of different engines are in use: " +
                                     used.front()->driver + " and " + used.back()->driver);
        return;
    }
    for (const std::string& name : names) {
        const CryptoDriver* serving = inventory.Serving(name);
        if (serving == nullptr) continue;
        state->evidence.push_back(UsedText(*serving));
        state->evidence.emplace_back("no known driver is in use");
        SetDriver(*serving, Confidence::kLow, state);
        if (!names_are_told) state->state = CryptoState::kUnknown;
        return;
    }
    state->evidence.emplace_back(std::string(kProcCryptoPath) + " has no driver for this volume");
}

void JudgeDmCrypt(const VolumeFacts& facts, const CryptoInventory& inventory, VolumeState* state) {
    if (!facts.vold.has_value()) {
        state->unit_bytes = 512;
        // Only dm-req-crypt, Qualcomm's own caller, requests qcom-xts(aes), with a key that only
        // the engine has.
        for (const CryptoDriver* driver : inventory.QcomPrefixed()) {
            if (!driver->in_use()) continue;
            state->evidence.push_back(UsedText(*driver));
            state->evidence.emplace_back("only req-crypt uses " + driver->name);
            state->state = CryptoState::kHwKey;
            state->confidence = Confidence::kMedium;
            return;
        }
        // Ciphers that Android has used for whole disks and adopted cards, the outer names first.
        JudgeByDrivers(inventory, {"essiv(cbc(aes),sha256)", "cbc(aes)", "xts(aes)"}, false, state);
        return;
    }
    state->unit_bytes = facts.vold->sector_bytes;
    const std::vector<std::string> names = NamesOfCipher(facts.vold->cipher);
    if (facts.vold->target == "req-crypt") {
        state->state = CryptoState::kHwKey;
        state->confidence = Confidence::kHigh;
    } else if (names.empty()) {
        state->evidence.emplace_back("the cipher '" + facts.vold->cipher + "' is not known");
    } else {
        JudgeByDrivers(inventory, names, true, state);
    }
}

// Only vold reports the kind of a volume's key. A queue that takes one kind leaves no other.
void JudgeKeys(const VolumeFacts& facts, VolumeState* state) {
    if (facts.queue_keys.has_value()) {
        const auto [raw, wrapped] = *facts.queue_keys;
        state->evidence.push_back(std::string("the disk's queue takes ") +
                                  (raw ? "raw" : "no raw") + " keys and " + (wrapped ? "" : "no ") +
                                  "hardware-wrapped keys");
        if (raw != wrapped) state->keys = raw ? KeyKind::kRaw : KeyKind::kWrapped;
    }
    if (facts.vold.has_value() && facts.vold->wrapped_key) state->keys = KeyKind::kWrapped;
}

// `by_queue`: blk-crypto encrypts, not the file system.
void JudgeFileBased(const VolumeFacts& facts, bool by_queue, const CryptoInventory& inventory,
                    VolumeState* state) {
    if (by_queue) {
        if (!facts.inline_hardware.has_value()) {
            state->evidence.emplace_back(
                    "the kernel does not report whether the disk's queue encrypts inline");
            return;
        }
        if (*facts.inline_hardware) {
            state->evidence.emplace_back("the disk's queue encrypts inline (queue/crypto)");
            state->state = CryptoState::kInline;
            state->confidence = Confidence::kHigh;
            JudgeKeys(facts, state);
            return;
        }
        state->evidence.emplace_back("the disk's queue does not encrypt: blk-crypto-fallback does");
    }
    JudgeByDrivers(inventory, {"xts(aes)"}, false, state);
}

// The layer of the mount. sysfs does not show a mapping's target, but vold knows it. So far only
// dmsetup sets up dm-inlinecrypt (2026).
std::string LayerOf(const VolumeFacts& facts) {
    if (!facts.vold.has_value()) return facts.layer;
    if (facts.vold->target == kInlineCrypt || facts.vold->target == kDefaultKey) {
        return "dm-" + facts.vold->target;
    }
    return facts.layer;
}

// Mainline's driver can hand requests to the CPU, while /proc/crypto still shows the driver.
void WeighLimit(const VolumeFacts& facts, VolumeState* state) {
    if (state->state != CryptoState::kHwOffload || !facts.software_limit.has_value() ||
        EngineOf(state->driver) != CryptoEngine::kQce) {
        return;
    }
    state->evidence.push_back("aes_sw_max_len: the CPU serves requests of up to " +
                              SizeText(*facts.software_limit));
    if (state->unit_bytes <= *facts.software_limit) state->state = CryptoState::kCpu;
}

}  // namespace

std::string_view StateName(CryptoState state) {
    constexpr std::string_view kNames[] = {"none",   "hw-offload", "cpu",
                                           "inline", "hw-key",     "unknown"};
    static_assert(std::size(kNames) == static_cast<size_t>(CryptoState::kUnknown) + 1);
    return kNames[static_cast<size_t>(state)];
}

std::string_view KeyKindName(KeyKind kind) {
    constexpr std::string_view kNames[] = {"", "raw", "wrapped"};
    static_assert(std::size(kNames) == static_cast<size_t>(KeyKind::kWrapped) + 1);
    return kNames[static_cast<size_t>(kind)];
}

std::string_view ConfidenceName(Confidence confidence) {
    if (confidence == Confidence::kLow) return "low";
    return confidence == Confidence::kMedium ? "medium" : "high";
}

std::optional<VoldReport> ParseVoldReport(std::string_view value) {
    if (value.size() > kMaxPropertyBytes) return std::nullopt;
    const std::vector<std::string> parts = android::base::Split(std::string(value), ",");
    // The cipher comes last, because it may contain commas.
    if (parts.size() < 5 || parts[0].empty() || parts[1].empty() || parts[4].empty()) {
        return std::nullopt;
    }
    VoldReport report{.target = parts[1],
                      .cipher = android::base::Join(std::vector(parts.begin() + 4, parts.end()),
                                                    ',')};
    report.wrapped_key = report.target == kWrappedDefaultKey;
    if (report.wrapped_key) report.target = kDefaultKey;
    uint32_t sector_bytes = 0;
    if (!android::base::ParseUint(parts[2], &sector_bytes, kMaxSector) ||
        (sector_bytes != 0 && sector_bytes < 512)) {
        return std::nullopt;
    }
    if (sector_bytes != 0) report.sector_bytes = sector_bytes;
    // Whether the device passes discards on; the queue's limits show it as well.
    if (parts[3] != "discard" && parts[3] != "nodiscard" && parts[3] != "unknown") {
        return std::nullopt;
    }
    return report;
}

std::vector<std::string> NamesOfCipher(std::string_view dm_cipher) {
    if (dm_cipher == "aes-cbc-essiv:sha256") return {"essiv(cbc(aes),sha256)", "cbc(aes)"};
    if (dm_cipher == "aes-cbc-plain64") return {"cbc(aes)"};
    if (dm_cipher == "aes-xts-plain64") return {"xts(aes)"};
    return {};
}

VolumeState JudgeVolume(const VolumeFacts& facts, const CryptoInventory& inventory) {
    VolumeState state{.mount = facts.mount};
    const std::string layer = LayerOf(facts);
    state.evidence.emplace_back("layer: " + (layer.empty() ? "not known" : layer));
    if (facts.vold.has_value()) {
        state.evidence.emplace_back(
                "vold: target " + facts.vold->target +
                (facts.vold->wrapped_key ? " with a hardware-wrapped key" : "") + ", cipher " +
                facts.vold->cipher);
    }
    if (layer == "none") {
        state.state = CryptoState::kNone;
        state.confidence = Confidence::kHigh;
    } else if (layer == "dm-crypt") {
        JudgeDmCrypt(facts, inventory, &state);
    } else if (layer == "dm-default-key" || layer == "dm-inlinecrypt") {
        JudgeFileBased(facts, true, inventory, &state);
    } else if (layer == "fscrypt") {
        JudgeFileBased(facts, facts.inlinecrypt, inventory, &state);
    }
    WeighLimit(facts, &state);
    return state;
}

}  // namespace storekeeper
