// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/attribute_writer.h"

#include <errno.h>
#include <fcntl.h>

#include "base/try.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

Result<void> WriteAttribute(Syscalls& syscalls, const std::string& path, std::string_view text,
                            bool* opened) {
    if (opened != nullptr) *opened = false;
    const unique_fd fd = TRY(syscalls.Open(path, O_WRONLY));
    if (opened != nullptr) *opened = true;
    const Result<size_t> written = syscalls.Pwrite(fd, text.data(), text.size(), 0);
    if (!written.ok()) {
        return Error(written.error().code())
               << "'" << text << "' to " << path << ": " << written.error().message();
    }
    if (*written != text.size()) {
        return Error(EIO) << path << " took " << *written << " of " << text.size() << " bytes";
    }
    return {};
}

}  // namespace storekeeper
