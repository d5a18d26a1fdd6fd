// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/software_length.h"

#include <algorithm>

#include "crypto/early/attribute_writer.h"
#include "crypto/engine_devices.h"
#include "crypto/inventory.h"

namespace storekeeper {
namespace {

using android::base::Result;

// More than any disk encrypts with one IV: a page, which is 64 KiB at most.
constexpr uint32_t kAllRequests = 64 * 1024;

}  // namespace

SoftwareLength::SoftwareLength(const FileReader& files, Syscalls& syscalls)
      : files_(files), syscalls_(syscalls) {}

MechanismRefusal SoftwareLength::Probe(const EarlyFacts& facts) const {
    const bool mainline = std::any_of(facts.table.algorithms.begin(), facts.table.algorithms.end(),
                                      [](const CryptoAlgorithm& algorithm) {
                                          return EngineOf(algorithm.driver) == CryptoEngine::kQce;
                                      });
    if (!mainline || !files_.Exists(kSoftwareLimitPath)) return MechanismRefusal::kNoParameter;
    return MechanismRefusal::kNone;
}

CryptoMechanism::Outcome SoftwareLength::Apply(const EarlyFacts&) {
    const Result<uint64_t> before = ReadNumber(files_, kSoftwareLimitPath);
    if (!before.ok()) {
        return {.refusal = MechanismRefusal::kParameterFailed, .detail = before.error().message()};
    }
    if (*before >= kAllRequests) return {.detail = "already set"};
    const Result<void> written =
            WriteAttribute(syscalls_, kSoftwareLimitPath, std::to_string(kAllRequests));
    if (!written.ok()) {
        return {.refusal = MechanismRefusal::kParameterFailed, .detail = written.error().message()};
    }
    const Result<uint64_t> after = ReadNumber(files_, kSoftwareLimitPath);
    if (after.ok() && *after == kAllRequests) {
        return {.detail = "from " + std::to_string(*before) + " to " + std::to_string(*after)};
    }
    Outcome outcome{.refusal = MechanismRefusal::kNoEffect, .detail = "the value does not persist"};
    const Result<void> back =
            WriteAttribute(syscalls_, kSoftwareLimitPath, std::to_string(*before));
    if (!back.ok()) outcome.detail += "; not restored: " + back.error().message();
    return outcome;
}

}  // namespace storekeeper
