// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// lab-wait-property NAME[=VALUE] SECONDS: sleeps until the property is set (to VALUE; to nothing,
// or never was set, with an empty one), at most for SECONDS of guest time. Exit codes: 0 it is, 1
// the time is over, 64 usage, 74 cannot be read.

#include <android-base/file.h>
#include <android-base/parseint.h>

#include <chrono>
#include <optional>
#include <string>

#include "property_paths.h"
#include "property_store.h"

int main(int argc, char** argv) {
    int seconds = 0;
    if (argc != 3 || !android::base::ParseInt(argv[2], &seconds, 0)) {
        android::base::WriteStringToFd("usage: lab-wait-property NAME[=VALUE] SECONDS\n", 2);
        return 64;  // EX_USAGE
    }
    std::string name = argv[1];
    std::optional<std::string> wanted;
    if (const size_t equals = name.find('='); equals != std::string::npos) {
        wanted = name.substr(equals + 1);
        name.resize(equals);
    }
    using storekeeper::lab::kPersistRoot;
    using storekeeper::lab::kPropertyRoot;
    const storekeeper::lab::PropertyStore store(kPropertyRoot, kPersistRoot);
    if (const auto now = store.Get(name); wanted == "" && now.ok() && !now->has_value()) return 0;
    auto there = store.WaitFor(name, wanted, std::chrono::seconds(seconds));
    if (!there.ok()) {
        android::base::WriteStringToFd("lab-wait-property: " + there.error().message() + "\n", 2);
        return 74;  // EX_IOERR
    }
    return *there ? 0 : 1;
}
