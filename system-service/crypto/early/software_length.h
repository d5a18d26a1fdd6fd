// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "crypto/early/mechanism.h"

namespace storekeeper {

// Mainline's driver (drivers/crypto/qce/skcipher.c, 5.7 and newer) hands requests with AES of at
// most aes_sw_max_len bytes to the CPU. Safe whoever uses it, and taken back by writing.
class SoftwareLength : public CryptoMechanism {
  public:
    SoftwareLength(const FileReader& files, Syscalls& syscalls);

    std::string_view name() const override { return "aes_sw_max_len"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;

  private:
    const FileReader& files_;
    Syscalls& syscalls_;
};

}  // namespace storekeeper
