// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <stdio.h>

#include "property_paths.h"
#include "property_store.h"

int main(int argc, char** argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: setprop NAME VALUE\n");
        return 64;
    }
    using storekeeper::lab::kPersistRoot;
    using storekeeper::lab::kPropertyRoot;
    const storekeeper::lab::PropertyStore store(kPropertyRoot, kPersistRoot);
    if (const auto set = store.Set(argv[1], argv[2]); !set.ok()) {
        fprintf(stderr, "setprop: %s\n", set.error().message().c_str());
        return 1;
    }
    return 0;
}
