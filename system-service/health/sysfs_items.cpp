// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/sysfs_items.h"

#include <android-base/file.h>
#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <cctype>
#include <cerrno>
#include <limits>
#include <utility>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// Fills the item with the text that was read, or with the reason of a failure.
void FillItem(Result<std::string> text, const ItemParser& parse, const std::string& path,
              bool refusable, HealthItem* item) {
    if (!text.ok()) {
        if (!refusable || !IsRefusal(text.error().code())) item->problem = text.error().message();
        return;
    }
    item->value = *text;
    if (Result<void> parsed = parse(*text, item); !parsed.ok()) {
        item->value.reset();
        item->explanation.clear();
        item->problem = path + ": " + parsed.error().message();
    }
}

}  // namespace

Result<uint64_t> ParseHexNumber(const std::string& text) {
    bool prefixed = android::base::StartsWithIgnoreCase(text, "0x");
    uint64_t number = 0;
    // ParseUint wraps a leading minus, and a second prefix must not pass.
    if (text.empty() || std::isxdigit(static_cast<unsigned char>(text.back())) == 0 ||
        !android::base::ParseUint(prefixed ? text : "0x" + text, &number)) {
        return Error() << "'" << text << "' is not a hexadecimal number";
    }
    return number;
}

Result<uint8_t> ParseHexByte(const std::string& text) {
    uint64_t number = 0;
    const bool is_decimal = text.find_first_not_of("0123456789") == std::string::npos;
    if (!is_decimal || !android::base::ParseUint(text, &number)) number = TRY(ParseHexNumber(text));
    if (number > std::numeric_limits<uint8_t>::max()) {
        return Error() << "'" << text << "' does not fit a byte";
    }
    return static_cast<uint8_t>(number);
}

Result<void> AsText(const std::string&, HealthItem*) {
    return {};
}

ItemParser AsHex(Explain explain, std::optional<uint64_t>* target) {
    return [explain = std::move(explain), target](const std::string& text,
                                                  HealthItem* item) -> Result<void> {
        const uint64_t number = TRY(ParseHexNumber(text));
        if (explain != nullptr) item->explanation = explain(number);
        if (target != nullptr) *target = number;
        return {};
    };
}

ItemParser AsDecimal(uint64_t max, Explain explain, std::optional<uint64_t>* target) {
    return [max, explain = std::move(explain), target](const std::string& text,
                                                       HealthItem* item) -> Result<void> {
        uint64_t number = 0;
        // ParseUint would accept "0x1f" as well.
        if (text.find_first_not_of("0123456789") != std::string::npos ||
            !android::base::ParseUint(text, &number, max)) {
            return Error() << "'" << text << "' is not a number from 0 to " << max;
        }
        if (explain != nullptr) item->explanation = explain(number);
        if (target != nullptr) *target = number;
        return {};
    };
}

ItemParser AsByte(std::optional<uint8_t>* target, std::string (*explain)(uint8_t byte)) {
    return [target, explain](const std::string& text, HealthItem* item) -> Result<void> {
        *target = TRY(ParseHexByte(text));
        item->explanation = explain(**target);
        return {};
    };
}

ItemParser AsFlag(const char* off, const char* on) {
    return [off, on](const std::string& text, HealthItem* item) -> Result<void> {
        if (text != "true" && text != "false") {
            return Error() << "'" << text << "' is neither true nor false";
        }
        item->explanation = text == "true" ? on : off;
        return {};
    };
}

bool IsRefusal(int error_number) {
    return error_number == EINVAL || error_number == EOPNOTSUPP || error_number == ENODATA;
}

void SysfsItems::Add(const std::string& path, const ItemParser& parse) const {
    HealthItem item{.name = android::base::Basename(path), .source = source};
    if (Has(path)) FillItem(Read(path), parse, directory + "/" + path, false, &item);
    health->items.push_back(std::move(item));
}

void SysfsItems::AddLifeTime(const std::string& path, const ItemParser& parse) const {
    Add(path, parse);
    if (health->wear_problem.empty()) health->wear_problem = health->items.back().problem;
}

void SysfsItems::AddUnlessRefused(const std::string& path, const ItemParser& parse, bool detail,
                                  const std::string& name) const {
    if (!Has(path)) return;
    HealthItem item{.name = name.empty() ? android::base::Basename(path) : name, .source = source};
    item.detail = detail;
    FillItem(Read(path), parse, directory + "/" + path, true, &item);
    health->items.push_back(std::move(item));
}

}  // namespace storekeeper
