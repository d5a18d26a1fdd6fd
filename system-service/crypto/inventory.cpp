// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/inventory.h"

#include <android-base/parseint.h>
#include <android-base/result.h>
#include <android-base/strings.h>

#include <algorithm>
#include <iterator>
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

// Limit of a line: CRYPTO_MAX_ALG_NAME is 128 (64 before 4.12), so a kernel prints no longer one.
constexpr size_t kMaxLine = 256;
constexpr size_t kMaxProblems = 8;
// Limit of the entries: a kernel has some hundreds, and other input must not fill the memory.
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

Result<CryptoAlgorithm> AlgorithmOf(const Fields& fields) {
    CryptoAlgorithm algorithm;
    algorithm.name = TRY(Field(fields, "name"));
    algorithm.driver = TRY(Field(fields, "driver"));
    const std::string priority = TRY(Field(fields, "priority"));
    if (!ParseInt(priority, &algorithm.priority)) return Error() << "priority '" << priority << "'";
    const std::string refcount = TRY(Field(fields, "refcnt"));
    if (!ParseUint(refcount, &algorithm.refcount)) return Error() << "refcnt '" << refcount << "'";
    algorithm.selftest = FieldOr(fields, "selftest");
    algorithm.type = TRY(Field(fields, "type"));
    algorithm.async = FieldOr(fields, "async") == "yes";
    algorithm.internal = FieldOr(fields, "internal") == "yes";
    return algorithm;
}

void AddAlgorithm(const Fields& fields, size_t line, CryptoTable* table) {
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

bool Contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool ContainsAny(std::string_view text, const std::vector<std::string_view>& parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return Contains(text, part); });
}

// True if `word` stands at the end of a name, alone or inside of a template.
bool IsAtEndOfName(std::string_view text, std::string_view word) {
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const size_t end = at + word.size();
        if (end == text.size() || text[end] == ')' || text[end] == ',') return true;
    }
    return false;
}

template <typename Accept>
const CryptoDriver* Best(const CryptoInventory& inventory, std::string_view name, Accept accept) {
    const CryptoDriver* best = nullptr;
    for (const CryptoDriver& driver : inventory.drivers) {
        // Only callers that request IV generators find the copies of type givcipher.
        if (driver.name != name || driver.type == "givcipher" || !accept(driver)) continue;
        if (best == nullptr || driver.priority > best->priority) best = &driver;
    }
    return best;
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
            AddAlgorithm(fields, number, &table);
            fields.clear();
            continue;
        }
        const size_t colon = line.find(':');
        // A garbled line costs its field, and the whole entry if that field is required.
        if (line.size() > kMaxLine || colon == std::string_view::npos) {
            fields.emplace("garbled", "");
            continue;
        }
        // The first line of a key counts; only garbage repeats one.
        fields.emplace(android::base::Trim(std::string(line.substr(0, colon))),
                       android::base::Trim(std::string(line.substr(colon + 1))));
    }
    AddAlgorithm(fields, number, &table);
    return table;
}

std::string_view EngineName(CryptoEngine engine) {
    constexpr std::string_view kNames[] = {"cpu", "qcrypto", "qce", "unknown"};
    static_assert(std::size(kNames) == static_cast<size_t>(CryptoEngine::kUnknown) + 1);
    return kNames[static_cast<size_t>(engine)];
}

bool IsHardware(CryptoEngine engine) {
    return engine == CryptoEngine::kQcrypto || engine == CryptoEngine::kQce;
}

CryptoEngine EngineOf(std::string_view driver) {
    if (Contains(driver, "qcrypto-")) return CryptoEngine::kQcrypto;
    if (IsAtEndOfName(driver, "-qce")) return CryptoEngine::kQce;
    // Parts of the names in crypto/ and arch/{arm,arm64,x86}/crypto, in templates or not. Those
    // with "sha256" are arm64's own essiv.
    static const std::vector<std::string_view> kCpu = {"aes-generic",    "aes-fixed-time",
                                                       "aes-asm",        "aes-arm",
                                                       "aes-aesni",      "aes-ce",
                                                       "aes-neon",       "aes-lib",
                                                       "aes-vaes",       "aes-avx",
                                                       "aes-scalar",     "aes-sha256-ce",
                                                       "aes-sha256-neon"};
    if (ContainsAny(driver, kCpu)) return CryptoEngine::kCpu;
    return CryptoEngine::kUnknown;
}

bool UsesTables(std::string_view driver) {
    // Drivers with tables: crypto/aes_generic.c, arch/arm/crypto/aes-cipher-core.S,
    // arch/arm64/crypto/aes-cipher-core.S.
    static const std::vector<std::string_view> kTables = {"aes-generic", "aes-asm", "aes-arm"};
    return ContainsAny(driver, kTables);
}

bool HasQcomPrefix(std::string_view name) {
    return name.starts_with("qcom-");
}

CryptoInventory MakeInventory(const CryptoTable& table) {
    CryptoInventory inventory{.problems = table.problems};
    for (const CryptoAlgorithm& algorithm : table.algorithms) {
        if (!algorithm.IsDiskCipher() || algorithm.internal || !Contains(algorithm.name, "aes")) {
            continue;
        }
        auto same =
                std::find_if(inventory.drivers.begin(), inventory.drivers.end(),
                             [&](const CryptoDriver& d) {
                                 return d.name == algorithm.name && d.driver == algorithm.driver;
                             });
        if (same != inventory.drivers.end()) {
            same->refcount = std::max(same->refcount, algorithm.refcount);
            if (same->type == "givcipher") same->type = algorithm.type;
            continue;
        }
        inventory.drivers.push_back(
                {algorithm, EngineOf(algorithm.driver), UsesTables(algorithm.driver)});
    }
    return inventory;
}

const CryptoDriver* CryptoInventory::Serving(std::string_view name) const {
    return Best(*this, name, [](const CryptoDriver&) { return true; });
}

const CryptoDriver* CryptoInventory::BestCpu(std::string_view name) const {
    return Best(*this, name, [](const CryptoDriver& d) { return d.engine == CryptoEngine::kCpu; });
}

const CryptoDriver* CryptoInventory::BestHardware(std::string_view name) const {
    return Best(*this, name, [](const CryptoDriver& d) { return IsHardware(d.engine); });
}

bool CryptoInventory::AnyHardware() const {
    return std::any_of(drivers.begin(), drivers.end(),
                       [](const CryptoDriver& d) { return IsHardware(d.engine); });
}

std::vector<const CryptoDriver*> CryptoInventory::QcomPrefixed() const {
    std::vector<const CryptoDriver*> prefixed;
    for (const CryptoDriver& driver : drivers) {
        if (HasQcomPrefix(driver.name)) prefixed.push_back(&driver);
    }
    return prefixed;
}

}  // namespace storekeeper
