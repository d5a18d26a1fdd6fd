// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// The headers as vold's files see them.

#include "StorekeeperCipher.h"
#include "StorekeeperCipherOrUnbind.h"
#include "StorekeeperCrypto.h"
#include "StorekeeperDmVersions.h"
#include "StorekeeperHandover.h"
#include "StorekeeperLife.h"
#include "StorekeeperReport.h"
#include "StorekeeperUnbind.h"

// Not static, so that everything is compiled.
int storekeeper_as_vold();

int storekeeper_as_vold() {
    const char* cipher = storekeeper_cipher_or_unbind("userdata", STOREKEEPER_LEGACY_CIPHER);
    if (storekeeper_give_up("userdata", cipher)) {
        storekeeper_report_dm("userdata", "/dev/block/dm-0", storekeeper_default_key(0), 512,
                              "aes-xts");
    }
    return storekeeper_owns_trim() + storekeeper_life_used() + storekeeper_life_remaining();
}
