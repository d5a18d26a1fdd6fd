// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crypto/inventory.h"

namespace storekeeper {

// Who encrypts a volume.
enum class CryptoState {
    kNone,
    kHwOffload,  // an engine that the kernel's crypto interface hands requests to
    kCpu,
    kInline,  // the storage host encrypts as it transfers
    kHwKey,   // an engine that alone has the key: never to be switched
    kUnknown,
};

// "none", "hw-offload", "cpu", "inline", "hw-key", "unknown".
std::string_view StateName(CryptoState state);

// Who has the key of a volume that the storage host encrypts
// (Documentation/block/inline-encryption): the kernel, in memory, or the host's hardware alone,
// which gives the kernel a wrapped one.
enum class KeyKind { kUnknown, kRaw, kWrapped };

// "raw", "wrapped"; "" when it is not known.
std::string_view KeyKindName(KeyKind kind);

// What vold with our patch (vold-patches/hook/StorekeeperReport.h) reports of a device in
// vold.storekeeper.dm.<label>: "dm-0,crypt,512,discard,aes-cbc-essiv:sha256".
struct VoldReport {
    std::string target;  // "crypt", "req-crypt", "default-key", "inlinecrypt"
    // dm-default-key with a hardware-wrapped key: "default-key-wrapped" in the property. Without it
    // nothing is known, for an older patch does not report it.
    bool wrapped_key = false;
    std::string cipher;
    uint32_t sector_bytes = 512;   // also when vold does not know
    std::optional<bool> discards;  // passed on to the disk
};
std::optional<VoldReport> ParseVoldReport(std::string_view value);

// The names by which dm-crypt asks for a cipher of its table, before and since 5.4: for
// "aes-cbc-essiv:sha256" these are essiv(cbc(aes),sha256) and cbc(aes). Empty for what it is not
// known for.
std::vector<std::string> NamesOfCipher(std::string_view dm_cipher);

// The kinds of keys that a disk's queue takes: the presence of queue/crypto/raw_keys and
// queue/crypto/hw_wrapped_keys (Documentation/ABI/stable/sysfs-block).
struct QueueKeys {
    bool raw = false;
    bool wrapped = false;
};

struct VolumeFacts {
    std::string mount;
    // As the mount audit has it: "none", "dm-crypt", "dm-default-key", "fscrypt", "" unknown.
    std::string layer;
    bool inlinecrypt = false;  // the mount's option
    // The disk's queue can encrypt inline (queue/crypto of sysfs, 5.18 on); absent: not reported.
    std::optional<bool> inline_hardware;
    // Absent where neither is there: before Linux 6.15, or no inline encryption.
    std::optional<QueueKeys> queue_keys;
    std::optional<VoldReport> vold;
    // aes_sw_max_len of mainline's driver: shorter requests are the CPU's. Absent: no such thing.
    std::optional<uint64_t> software_limit;
};

struct VolumeState {
    enum class Confidence { kLow, kMedium, kHigh };

    std::string mount;
    CryptoState state = CryptoState::kUnknown;
    Confidence confidence = Confidence::kLow;
    std::vector<std::string> evidence;  // one line each
    KeyKind keys = KeyKind::kUnknown;   // of kInline
    // The cipher that is asked for, and who serves it now; "" where that is not known.
    std::string name;
    std::string driver;
    // How much is encrypted with one IV, so in one request: 512 for dm-crypt unless it is reported.
    uint32_t unit_bytes = 4096;

    // Only these can be served by another driver with nothing else changed.
    bool switchable() const {
        return state == CryptoState::kHwOffload || state == CryptoState::kCpu;
    }
};

// "low", "medium", "high".
std::string_view ConfidenceName(VolumeState::Confidence confidence);

// Pure. What signs disagree about is unknown, and says so.
VolumeState JudgeVolume(const VolumeFacts& facts, const CryptoInventory& inventory);

}  // namespace storekeeper
