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

// The part of the system that encrypts a volume.
enum class CryptoState {
    kNone,
    kHwOffload,  // an engine that gets requests from the kernel's crypto interface
    kCpu,
    kInline,  // the storage host encrypts during the transfer
    kHwKey,   // only the engine has the key: never to be switched
    kUnknown,
};

// The state's name: "none", "hw-offload", "cpu", "inline", "hw-key", "unknown".
std::string_view StateName(CryptoState state);

// The owner of the key of a volume that the storage host encrypts
// (Documentation/block/inline-encryption). kRaw: the kernel, in memory. kWrapped: the host's
// hardware alone, which gives the kernel a wrapped key.
enum class KeyKind { kUnknown, kRaw, kWrapped };

// The kind's name: "raw", "wrapped"; "" if unknown.
std::string_view KeyKindName(KeyKind kind);

// The report about a device by vold with our patch (vold-patches/hook/StorekeeperReport.h) in
// vold.storekeeper.dm.<label>: "dm-0,crypt,512,discard,aes-cbc-essiv:sha256".
struct VoldReport {
    std::string target;  // "crypt", "req-crypt", "default-key", "inlinecrypt"
    // dm-default-key with a hardware-wrapped key, "default-key-wrapped" in the property. False
    // means unknown, because an older patch does not report it.
    bool wrapped_key = false;
    std::string cipher;
    uint32_t sector_bytes = 512;  // 512 also if vold does not know
};
std::optional<VoldReport> ParseVoldReport(std::string_view value);

// The names by which dm-crypt requests a cipher of its table, first those since Linux 5.4, then
// those before: for "aes-cbc-essiv:sha256", essiv(cbc(aes),sha256) and cbc(aes). Empty for an
// unknown cipher.
std::vector<std::string> NamesOfCipher(std::string_view dm_cipher);

// The kinds of keys that a disk's queue accepts: the presence of queue/crypto/raw_keys and
// queue/crypto/hw_wrapped_keys (Documentation/ABI/stable/sysfs-block).
struct QueueKeys {
    bool raw = false;
    bool wrapped = false;
};

struct VolumeFacts {
    std::string mount;
    // The layer as the mount audit reports it: "none", "dm-crypt", "dm-default-key", "fscrypt"; ""
    // if unknown.
    std::string layer;
    bool inlinecrypt = false;  // AuditedMount::inline_crypt is set
    // True if the disk's queue can encrypt inline (queue/crypto of sysfs, 5.18 on). Absent if not
    // reported.
    std::optional<bool> inline_hardware;
    // Absent if neither attribute exists: before Linux 6.15, or without inline encryption.
    std::optional<QueueKeys> queue_keys;
    std::optional<VoldReport> vold;
    // aes_sw_max_len of mainline's driver: the CPU serves requests of at most this length. Absent
    // without that driver.
    std::optional<uint64_t> software_limit;
};

struct VolumeState {
    enum class Confidence { kLow, kMedium, kHigh };

    std::string mount;
    CryptoState state = CryptoState::kUnknown;
    Confidence confidence = Confidence::kLow;
    std::vector<std::string> evidence;  // one line each
    KeyKind keys = KeyKind::kUnknown;   // of kInline only
    // The requested cipher and the driver that serves it now; "" if unknown.
    std::string name;
    std::string driver;
    // Bytes that are encrypted with one IV, and so in one request. For dm-crypt it is 512 unless
    // reported.
    uint32_t unit_bytes = 4096;

    // True for the states in which another driver can serve the volume with nothing else changed.
    bool switchable() const {
        return state == CryptoState::kHwOffload || state == CryptoState::kCpu;
    }
};

// The confidence's name: "low", "medium", "high".
std::string_view ConfidenceName(VolumeState::Confidence confidence);

// Reads nothing but its arguments. If the signs disagree, the state is unknown and the evidence
// says so.
VolumeState JudgeVolume(const VolumeFacts& facts, const CryptoInventory& inventory);

}  // namespace storekeeper
