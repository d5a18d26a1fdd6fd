// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "extcsd/options.h"

#include <android-base/strings.h>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using Source = ExtCsdOptions::Source;

Result<void> SetSource(ExtCsdOptions* options, Source source, const std::string& path) {
    if (options->source != Source::kDefaultDevice) {
        return Error() << "more than one source: name a DEVICE, --file FILE or -";
    }
    options->source = source;
    options->path = path;
    return {};
}

}  // namespace

Result<ExtCsdOptions> ParseExtCsdOptions(const std::vector<std::string>& arguments) {
    ExtCsdOptions options;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument == "--help" || argument == "-h") {
            options.help = true;
        } else if (argument == "--json") {
            options.json = true;
        } else if (argument == "--send") {
            options.send = true;
        } else if (argument == "--file") {
            if (++i == arguments.size()) return Error() << "--file needs a file";
            TRY(SetSource(&options, Source::kFile, arguments[i]));
        } else if (argument == "-") {
            TRY(SetSource(&options, Source::kStandardInput, ""));
        } else if (argument.empty() || android::base::StartsWith(argument, "-")) {
            return Error() << "unknown option '" << argument << "'";
        } else {
            TRY(SetSource(&options, Source::kDevice, argument));
        }
    }
    return options;
}

}  // namespace storekeeper
