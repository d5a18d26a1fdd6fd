// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <string>

#include "base/file_reader.h"
#include "crypto/early/mechanism.h"

namespace storekeeper {

using SetProperty = std::function<bool(const std::string& name, const std::string& value)>;

// Has the device's init script leave the engine's module out, where it is one and is not loaded
// yet: the script loads it at storekeeper.crypto.engine=load alone. The safest of all: nothing that
// somebody could use goes away.
class SkipModule : public CryptoMechanism {
  public:
    SkipModule(const FileReader& files, SetProperty set);

    std::string_view name() const override { return "skip_module"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;

  private:
    const FileReader& files_;
    const SetProperty set_;
};

}  // namespace storekeeper
