// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "config/json_text.h"

#include <json/reader.h>
#include <json/writer.h>

#include <algorithm>
#include <memory>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// How deep brackets are nested at most; those in strings count too, which errs on the safe side.
int Depth(const std::string& text) {
    int depth = 0;
    int deepest = 0;
    for (char c : text) {
        if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
        if (c == '}' || c == ']') --depth;
    }
    return deepest;
}

#if __has_include(<json/version.h>)

Result<Json::Value> Read(const std::string& text) {
    Json::CharReaderBuilder builder;
    // No comments, no duplicate keys, nothing after the end.
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

// The jsoncpp of Android 11 is from before the builders. It takes the last of two equal keys,
// indents by three blanks, and writes numbers with 17 digits.
Result<Json::Value> Read(const std::string& text) {
    const size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string::npos || text[end] != '}') return Error() << "it does not end with }";
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
    // jsoncpp ends the process at its own limit of a thousand.
    if (Depth(text) > limits.depth) return Error() << "it is nested too deeply";
    Result<Json::Value> value = Read(text);
    if (!value.ok()) {
        std::string problem = value.error().message();
        std::replace(problem.begin(), problem.end(), '\n', ' ');
        return Error() << "it is no JSON: " << problem;
    }
    if (!value->isObject()) return Error() << "it is no JSON object";
    return value;
}

std::string WriteJson(const Json::Value& value) {
    return Write(value, "  ");
}

std::string WriteJsonLine(const Json::Value& value) {
    return Write(value, "");
}

}  // namespace storekeeper
