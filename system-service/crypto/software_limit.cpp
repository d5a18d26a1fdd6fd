// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/software_limit.h"

#include <android-base/parseint.h>

#include <string>

#include "base/try.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

Result<uint32_t> ReadSoftwareLimit(const FileReader& files) {
    const std::string text = TRY(files.ReadAttribute(kSoftwareLimitPath));
    uint32_t bytes = 0;
    if (!android::base::ParseUint(text, &bytes)) {
        return Error() << kSoftwareLimitPath << " says '" << text << "'";
    }
    return bytes;
}

}  // namespace storekeeper
