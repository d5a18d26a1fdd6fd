// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/file_reader.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <android-base/unique_fd.h>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr std::string_view kLayout = "\t\n";

bool IsControl(unsigned char byte) {
    return (byte < 0x20 && kLayout.find(static_cast<char>(byte)) == std::string_view::npos) ||
           byte == 0x7f;
}

bool IsOutsideAscii(unsigned char byte) {
    return byte > 0x7e;
}

template <typename Predicate>
Result<void> Refuse(const std::string& path, const std::string& text, Predicate unwanted) {
    auto found = std::find_if(text.begin(), text.end(),
                              [&](char c) { return unwanted(static_cast<unsigned char>(c)); });
    if (found == text.end()) return {};
    return Error() << path << " is not text: byte "
                   << static_cast<int>(static_cast<unsigned char>(*found)) << " at offset "
                   << (found - text.begin());
}

Result<std::string> ReadToEnd(const unique_fd& fd, size_t limit, const std::string& path) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t count = TEMP_FAILURE_RETRY(read(fd.get(), buffer, sizeof(buffer)));
        if (count < 0) return ErrnoError() << "cannot read " << path;
        if (count == 0) return text;
        text.append(buffer, static_cast<size_t>(count));
        if (text.size() > limit) return Error() << path << " is longer than " << limit << " bytes";
    }
}

}  // namespace

FileReader::FileReader(std::string root) : root_(std::move(root)) {}

Result<std::string> FileReader::ReadAtMost(const std::string& path, size_t limit) const {
    // O_NONBLOCK: a fifo in place of the file must not block the caller.
    unique_fd fd(
            TEMP_FAILURE_RETRY(open((root_ + path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << path;
    std::string text = TRY(ReadToEnd(fd, limit, path));
    if (text.empty()) return Error() << path << " is empty";
    return text;
}

Result<std::string> FileReader::ReadAttribute(const std::string& path) const {
    std::string text = TRY(ReadAtMost(path, kMaxAttributeBytes));
    TRY(Refuse(path, text, [](unsigned char b) { return IsControl(b) || IsOutsideAscii(b); }));
    std::string line = android::base::Trim(text);
    if (line.empty()) return Error() << path << " is empty";
    if (line.find('\n') != std::string::npos) {
        return Error() << path << " has several lines where one is expected";
    }
    return line;
}

Result<std::string> FileReader::ReadText(const std::string& path) const {
    std::string text = TRY(ReadAtMost(path, kMaxTableBytes));
    TRY(Refuse(path, text, IsControl));
    return text;
}

Result<std::string> FileReader::ReadTable(const std::string& path) const {
    std::string text = TRY(ReadAtMost(path, kMaxTableBytes));
    TRY(Refuse(path, text, [](unsigned char byte) { return byte == 0; }));
    if (text.back() != '\n') return Error() << path << " is truncated: its last line has no end";
    return text;
}

Result<std::vector<std::string>> FileReader::List(const std::string& path) const {
    std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir((root_ + path).c_str()), closedir);
    if (directory == nullptr) return ErrnoError() << "cannot list " << path;
    std::vector<std::string> names;
    for (dirent* entry = readdir(directory.get()); entry != nullptr;
         entry = readdir(directory.get())) {
        std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool FileReader::Exists(const std::string& path) const {
    return access((root_ + path).c_str(), F_OK) == 0;
}

Result<uint64_t> ReadNumber(const FileReader& files, const std::string& path) {
    const std::string text = TRY(files.ReadAttribute(path));
    uint64_t value = 0;
    if (!android::base::ParseUint(text, &value)) {
        return Error() << path << ": '" << text << "' is not a number";
    }
    return value;
}

std::optional<uint64_t> ReadCount(const FileReader& files, const std::string& path) {
    const Result<uint64_t> number = ReadNumber(files, path);
    return number.ok() ? std::optional(*number) : std::nullopt;
}

Result<int> ReadInt(const FileReader& files, const std::string& path, int min, int max,
                    const char* what) {
    const std::string text = TRY(files.ReadAttribute(path));
    int value = 0;
    if (!android::base::ParseInt(text, &value, min, max)) {
        return Error() << path << " is '" << text.substr(0, 20) << "', not " << what;
    }
    return value;
}

}  // namespace storekeeper
