// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/tree.h"

#include <android-base/logging.h>

#include <filesystem>
#include <system_error>

namespace storekeeper {

void Tree::MakeDirectory(const std::string& path) {
    std::error_code error;
    std::filesystem::create_directories(PathOf(path), error);
    CHECK(!error) << PathOf(path) << ": " << error.message();
}

void Tree::Write(const std::string& path, std::string_view content) {
    MakeDirectory(android::base::Dirname(path));
    CHECK(android::base::WriteStringToFile(std::string(content), PathOf(path))) << PathOf(path);
}

void Tree::Remove(const std::string& path) {
    std::error_code error;
    std::filesystem::remove_all(PathOf(path), error);
    CHECK(!error) << PathOf(path) << ": " << error.message();
}

std::string Tree::Read(const std::string& path) const {
    std::string content;
    CHECK(android::base::ReadFileToString(PathOf(path), &content)) << PathOf(path);
    return content;
}

std::string TestDataDirectory() {
    return android::base::GetExecutableDirectory() + "/testdata";
}

}  // namespace storekeeper
