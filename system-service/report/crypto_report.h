// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

#include "crypto/crypto_keeper.h"

namespace storekeeper {

// "crypto" of docs/dump.schema.json: names, numbers and counts of users; neither keys nor tables.
Json::Value CryptoToJson(const CryptoStatus& status);

// What `crypto bench` prints: "measured" in that.
Json::Value CryptoMeasuredToJson(const CryptoMeasured& measured);

// What `crypto choose` and `crypto rollback` print: "choice" in that.
Json::Value CryptoChoiceToJson(const CryptoChoice& choice);

// The same for people.
std::string CryptoText(const CryptoStatus& status);
std::string CryptoMeasuredText(const CryptoMeasured& measured);
std::string CryptoChoiceText(const CryptoChoice& choice);

}  // namespace storekeeper
