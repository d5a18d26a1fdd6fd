// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <vector>

#include "crypto/crypto_keeper.h"

namespace storekeeper {

// What `cmd storekeeper crypto` answers.
struct CryptoAnswer {
    int code = 0;  // 0, EX_USAGE, EX_TEMPFAIL: not now, EX_UNAVAILABLE: never here
    std::string out;
    std::string problem;  // one line; "" with code 0
};

// `arguments`: status, bench, recommend, choose kernel|hardware|auto, confirm or rollback; with
// --json for machines. The caller has been checked.
CryptoAnswer RunCryptoCommand(CryptoKeeper& crypto, std::vector<std::string> arguments);

// Which of these it is; "status" without any.
std::string CryptoVerb(const std::vector<std::string>& arguments);

}  // namespace storekeeper
