// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/proc_crypto.h"

#include <android-base/parseint.h>
#include <android-base/result.h>
#include <android-base/strings.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/tokens.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseInt;
using android::base::ParseUint;
using android::base::Result;

// CRYPTO_MAX_ALG_NAME is 128 (64 before 4.12); what is longer was not printed by a kernel.
constexpr size_t kMaxLine = 256;
constexpr size_t kMaxProblems = 8;
// A kernel has some hundreds; what has more is none, and must not fill the memory.
constexpr size_t kMaxEntries = 4096;

using Fields = std::map<std::string, std::string, std::less<>>;

Result<std::string> Field(const Fields& fields, std::string_view key) {
    auto field = fields.find(key);
    if (field == fields.end() || field->second.empty()) return Error() << "it has no " << key;
    return field->second;
}

std::string FieldOr(const Fields& fields, std::string_view key) {
    auto field = fields.find(key);
    return field == fields.end() ? "" : field->second;
}

std::optional<uint32_t> Number(const Fields& fields, std::string_view key) {
    uint32_t value = 0;
    if (!ParseUint(FieldOr(fields, key), &value)) return std::nullopt;
    return value;
}

Result<CryptoAlgorithm> AlgorithmOf(const Fields& fields) {
    CryptoAlgorithm algorithm;
    algorithm.name = TRY(Field(fields, "name"));
    algorithm.driver = TRY(Field(fields, "driver"));
    algorithm.module = FieldOr(fields, "module");
    const std::string priority = TRY(Field(fields, "priority"));
    if (!ParseInt(priority, &algorithm.priority)) return Error() << "priority '" << priority << "'";
    const std::string refcount = TRY(Field(fields, "refcnt"));
    if (!ParseUint(refcount, &algorithm.refcount)) return Error() << "refcnt '" << refcount << "'";
    algorithm.selftest = FieldOr(fields, "selftest");
    algorithm.type = TRY(Field(fields, "type"));
    algorithm.async = FieldOr(fields, "async") == "yes";
    algorithm.internal = FieldOr(fields, "internal") == "yes";
    algorithm.min_key_bytes = Number(fields, "min keysize");
    algorithm.max_key_bytes = Number(fields, "max keysize");
    return algorithm;
}

void Take(const Fields& fields, size_t line, CryptoTable* table) {
    if (fields.empty()) return;
    Result<CryptoAlgorithm> algorithm = AlgorithmOf(fields);
    if (algorithm.ok()) {
        if (table->algorithms.size() < kMaxEntries) {
            table->algorithms.push_back(std::move(*algorithm));
        }
    } else if (table->problems.size() < kMaxProblems) {
        table->problems.push_back(std::string(kProcCryptoPath) + ": the entry before line " +
                                  std::to_string(line) +
                                  " cannot be read: " + algorithm.error().message());
    }
}

}  // namespace

bool CryptoAlgorithm::IsDiskCipher() const {
    constexpr std::string_view kTypes[] = {"skcipher", "lskcipher", "ablkcipher", "blkcipher",
                                           "givcipher"};
    return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

CryptoTable ParseProcCrypto(std::string_view text) {
    CryptoTable table;
    Fields fields;
    size_t number = 1;
    for (; !text.empty(); ++number) {
        const std::string_view line = NextLine(&text);
        if (line.empty()) {
            Take(fields, number, &table);
            fields.clear();
            continue;
        }
        const size_t colon = line.find(':');
        // A garbled line costs its field, and the entry where that field is needed.
        if (line.size() > kMaxLine || colon == std::string_view::npos) {
            fields.emplace("garbled", "");
            continue;
        }
        // The first one counts: a line can be repeated by garbage alone.
        fields.emplace(android::base::Trim(std::string(line.substr(0, colon))),
                       android::base::Trim(std::string(line.substr(colon + 1))));
    }
    Take(fields, number, &table);
    return table;
}

}  // namespace storekeeper
