// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <stdio.h>

#include <string_view>

#include "property_paths.h"
#include "property_store.h"

int main(int argc, char** argv) {
    if (argc > 3 || (argc > 1 && argv[1][0] == '-')) {
        fprintf(stderr, "usage: getprop [NAME [DEFAULT]]\n");
        return argc == 2 && std::string_view(argv[1]) == "--help" ? 0 : 64;
    }
    using storekeeper::lab::kPersistRoot;
    using storekeeper::lab::kPropertyRoot;
    const storekeeper::lab::PropertyStore store(kPropertyRoot, kPersistRoot);
    if (argc == 1) {
        const auto all = store.List();
        if (!all.ok()) {
            fprintf(stderr, "getprop: %s\n", all.error().message().c_str());
            return 1;
        }
        for (const auto& [name, value] : *all) printf("[%s]: [%s]\n", name.c_str(), value.c_str());
        return 0;
    }
    const auto value = store.Get(argv[1]);
    if (!value.ok()) {
        fprintf(stderr, "getprop: %s\n", value.error().message().c_str());
        return 1;
    }
    const bool is_set = *value && !(*value)->empty();
    printf("%s\n", is_set ? (*value)->c_str() : argc == 3 ? argv[2] : "");
    return 0;
}
