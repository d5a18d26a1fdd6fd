// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The headers as vold's C files see them.

#include "StorekeeperCipher.h"
#include "StorekeeperCipherOrUnbind.h"
#include "StorekeeperCrypto.h"
#include "StorekeeperDmVersions.h"
#include "StorekeeperHandover.h"
#include "StorekeeperLife.h"
#include "StorekeeperReport.h"
#include "StorekeeperUnbind.h"

// Not static, so that everything is compiled.
void storekeeper_as_c(const struct dm_ioctl* io, int version[3]);

void storekeeper_as_c(const struct dm_ioctl* io, int version[3]) {
    const char* cipher = storekeeper_cipher_or_unbind("userdata", STOREKEEPER_LEGACY_CIPHER);
    storekeeper_unbind_engine("userdata", STOREKEEPER_LEGACY_CIPHER);
    if (storekeeper_give_up("userdata", cipher) || storekeeper_dm_crypt_version(io, version)) {
        storekeeper_report_dm("userdata", "/dev/block/dm-0", storekeeper_target("aes-xts"), 512,
                              "aes-xts");
    }
    version[0] = storekeeper_owns_trim() + storekeeper_life_used() + storekeeper_life_remaining();
}
