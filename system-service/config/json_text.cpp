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

}  // namespace

Result<Json::Value> ParseJsonObject(const std::string& text, const JsonLimits& limits) {
    if (text.size() > limits.bytes) {
        return Error() << "it is longer than " << limits.bytes << " bytes";
    }
    // jsoncpp ends the process at its own limit of a thousand.
    if (Depth(text) > limits.depth) return Error() << "it is nested too deeply";
    Json::CharReaderBuilder builder;
    // No comments, no duplicate keys, nothing after the end.
    Json::CharReaderBuilder::strictMode(&builder.settings_);
    std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
    Json::Value value;
    std::string problem;
    if (!reader->parse(text.data(), text.data() + text.size(), &value, &problem)) {
        std::replace(problem.begin(), problem.end(), '\n', ' ');
        return Error() << "it is no JSON: " << problem;
    }
    if (!value.isObject()) return Error() << "it is no JSON object";
    return value;
}

std::string WriteJson(const Json::Value& value) {
    Json::StreamWriterBuilder builder;
    builder["indentation"] = "  ";
    builder["precision"] = 15;
    return Json::writeString(builder, value) + "\n";
}

}  // namespace storekeeper
