// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "crypto/crypto_keeper.h"

namespace storekeeper {

// Exit codes of `cmd storekeeper crypto` besides 0 and EX_USAGE. They start above EX__MAX (78) of
// sysexits.h, because trims use all numbers up to that (OutcomeFacts).
struct CryptoExit {
    int code;
    std::string_view meaning;  // shown in the help
};
inline constexpr CryptoExit kCryptoNotHere = {79, "crypto: not possible on this device"};
inline constexpr CryptoExit kCryptoRolledBack = {80, "crypto: the choice was rolled back"};
inline constexpr CryptoExit kCryptoNotConfirmed = {81, "crypto: the choice is not confirmed yet"};
inline constexpr std::array<CryptoExit, 3> kCryptoExits = {kCryptoNotHere, kCryptoRolledBack,
                                                           kCryptoNotConfirmed};

// Answer of `cmd storekeeper crypto`.
struct CryptoAnswer {
    int code = 0;  // 0, EX_USAGE or one of kCryptoExits
    std::string out;
    std::string problem;  // one line; "" with code 0
};

// `arguments` are status, bench, recommend, choose kernel|hardware|auto, confirm or rollback, with
// --json for programs. The caller's right has been checked.
CryptoAnswer RunCryptoCommand(CryptoKeeper& crypto, std::vector<std::string> arguments);

// The verb among `arguments`; "status" if there is none.
std::string CryptoVerb(const std::vector<std::string>& arguments);

}  // namespace storekeeper
