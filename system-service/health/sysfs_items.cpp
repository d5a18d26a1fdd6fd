// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/sysfs_items.h"

#include <android-base/file.h>
#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <cctype>
#include <cerrno>
#include <limits>

#include "base/try.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

Result<uint64_t> ParseHexNumber(const std::string& text) {
    bool prefixed = android::base::StartsWithIgnoreCase(text, "0x");
    uint64_t number = 0;
    // ParseUint takes a leading minus for wrapped, and a prefix may stand only once.
    if (text.empty() || std::isxdigit(static_cast<unsigned char>(text.back())) == 0 ||
        !android::base::ParseUint(prefixed ? text : "0x" + text, &number)) {
        return Error() << "'" << text << "' is not a hexadecimal number";
    }
    return number;
}

Result<uint8_t> ParseHexByte(const std::string& text) {
    uint64_t number = TRY(ParseHexNumber(text));
    if (number > std::numeric_limits<uint8_t>::max()) {
        return Error() << "'" << text << "' does not fit a byte";
    }
    return static_cast<uint8_t>(number);
}

void SysfsItems::Add(const std::string& path, const Parser& parse, bool refusable) {
    HealthItem item{.name = android::base::Basename(path), .source = source_};
    if (Has(path)) {
        Result<std::string> text = Read(path);
        if (text.ok()) {
            item.value = *text;
            if (Result<void> parsed = parse(*text, &item); !parsed.ok()) {
                item.value.reset();
                item.explanation.clear();
                item.problem = directory_ + "/" + path + ": " + parsed.error().message();
            }
        } else if (!refusable || text.error().code() != EINVAL) {
            item.problem = text.error().message();
        }
    }
    health_->items.push_back(std::move(item));
}

SysfsItems::Parser SysfsItems::AsNumber(std::string (*explain)(uint64_t number)) {
    return [explain](const std::string& text, HealthItem* item) -> Result<void> {
        const uint64_t number = TRY(ParseHexNumber(text));
        if (explain != nullptr) item->explanation = explain(number);
        return {};
    };
}

SysfsItems::Parser SysfsItems::AsByte(std::optional<uint8_t>* target,
                                      std::string (*explain)(uint8_t byte)) {
    return [target, explain](const std::string& text, HealthItem* item) -> Result<void> {
        *target = TRY(ParseHexByte(text));
        item->explanation = explain(**target);
        return {};
    };
}

}  // namespace storekeeper
