// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/json_text.h"

#include <json/reader.h>
#include <json/writer.h>

#include <algorithm>
#include <memory>

#include "base/tokens.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// jsoncpp aborts the process at about a thousand nested brackets. A slash outside of strings is
// refused: it begins a comment, which jsoncpp skips in some places even in strict mode, and a
// quotation mark inside it would desynchronize this scan.
Result<void> CheckNesting(const std::string& text, int limit) {
    int depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            if (c == '\\') ++i;
            if (c == '"') in_string = false;
            continue;
        }
        if (c == '/') return Error() << "it is not JSON: a slash outside of strings";
        if (c == '"') in_string = true;
        if (c == '}' || c == ']') --depth;
        if ((c == '{' || c == '[') && ++depth > limit) return Error() << "it is nested too deeply";
        if (depth < 0) return Error() << "it is not JSON: a bracket that nothing opened";
    }
    return {};
}

void EscapeStrings(Json::Value* value) {
    if (value->isString()) *value = PrintableLines(value->asString());
    if (!value->isArray() && !value->isObject()) return;
    for (Json::Value& element : *value) EscapeStrings(&element);
}

#if __has_include(<json/version.h>)

Result<Json::Value> Read(const std::string& text) {
    Json::CharReaderBuilder builder;
    // strictMode() forbids comments, duplicate keys and anything after the end.
    Json::CharReaderBuilder::strictMode(&builder.settings_);
    std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value value;
    std::string problem;
    if (!reader->parse(text.data(), text.data() + text.size(), &value, &problem)) {
        return Error() << problem;
    }
    return value;
}

std::string Write(const Json::Value& value, const std::string& indentation) {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = indentation;
    builder["precision"] = 15;
    return Json::writeString(builder, value) + "\n";
}

#else

// Android 11's jsoncpp predates the builders. It keeps the last of two duplicate keys, indents by
// three blanks, and writes numbers with 17 digits.
Result<Json::Value> Read(const std::string& text) {
    const size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string::npos || (text[end] != '}' && text[end] != ']')) {
        return Error() << "it does not end with a bracket";
    }
    Json::Reader reader(Json::Features::strictMode());
    Json::Value value;
    if (!reader.parse(text, value, /*collectComments=*/false)) {
        return Error() << reader.getFormattedErrorMessages();
    }
    return value;
}

std::string Write(const Json::Value& value, const std::string& indentation) {
    return indentation.empty() ? Json::FastWriter().write(value)
                               : Json::StyledWriter().write(value);
}

#endif

}  // namespace

Result<Json::Value> ParseJsonObject(const std::string& text, const JsonLimits& limits) {
    if (text.size() > limits.bytes) {
        return Error() << "it is longer than " << limits.bytes << " bytes";
    }
    TRY(CheckNesting(text, limits.depth));
    Result<Json::Value> value = Read(text);
    if (!value.ok()) {
        std::string problem = value.error().message();
        std::replace(problem.begin(), problem.end(), '\n', ' ');
        return Error() << "it is not JSON: " << problem;
    }
    if (!value->isObject()) return Error() << "it is not a JSON object";
    return value;
}

std::string WriteJson(Json::Value value) {
    EscapeStrings(&value);
    return Write(value, "  ");
}

std::string WriteJsonLine(const Json::Value& value) {
    std::string line = Write(value, "");
    line.pop_back();
    return line;
}

Json::Value TextOrNull(const std::string& text) {
    return text.empty() ? Json::Value() : Json::Value(text);
}

Json::Value StringsToJson(const std::vector<std::string>& strings) {
    return ArrayOf(strings, [](const std::string& text) { return Json::Value(text); });
}

}  // namespace storekeeper
