// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/sysfs_items.h"

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

void SysfsItems::Add(const std::string& name, const std::string& path, const Parser& parse) {
    Add(name, path, parse, false);
}

void SysfsItems::AddOptional(const std::string& name, const std::string& path,
                             const Parser& parse) {
    Add(name, path, parse, true);
}

void SysfsItems::Add(const std::string& name, const std::string& path, const Parser& parse,
                     bool optional) {
    HealthItem item{.name = name, .source = source_};
    if (Has(path)) {
        Result<std::string> text = Read(path);
        const bool refused = optional && !text.ok() && text.error().code() == EINVAL;
        if (text.ok()) item.value = *text;
        Result<void> parsed = text.ok() ? parse(*text, &item) : Result<void>(text.error());
        if (!parsed.ok() && !refused) {
            item.value.reset();
            item.explanation.clear();
            item.problem = text.ok() ? directory_ + "/" + path + ": " + parsed.error().message()
                                     : parsed.error().message();
        }
    }
    health_->items.push_back(std::move(item));
}

SysfsItems::Parser SysfsItems::AsText() {
    return [](const std::string&, HealthItem*) -> Result<void> { return {}; };
}

SysfsItems::Parser SysfsItems::AsNumber() {
    return [](const std::string& text, HealthItem*) -> Result<void> {
        TRY(ParseHexNumber(text));
        return {};
    };
}

SysfsItems::Parser SysfsItems::AsLifeTime(std::optional<uint8_t>* target) {
    return [target](const std::string& text, HealthItem* item) -> Result<void> {
        *target = TRY(ParseHexByte(text));
        item->explanation = LifeTimeText(**target);
        return {};
    };
}

SysfsItems::Parser SysfsItems::AsPreEol(std::optional<uint8_t>* target) {
    return [target](const std::string& text, HealthItem* item) -> Result<void> {
        *target = TRY(ParseHexByte(text));
        item->explanation = PreEolText(**target);
        return {};
    };
}

}  // namespace storekeeper
