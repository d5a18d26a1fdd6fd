// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <vector>

struct ProcCryptoEntry {
    std::string name;
    std::string driver;
    int priority;
    int refcnt = 1;
};

// /proc/crypto as c_show() in crypto/proc.c writes it; the newest registration comes first.
inline std::string ProcCrypto(const std::vector<ProcCryptoEntry>& entries) {
    std::string text;
    for (const ProcCryptoEntry& e : entries) {
        text += "name         : " + e.name + "\ndriver       : " + e.driver +
                "\nmodule       : kernel\npriority     : " + std::to_string(e.priority) +
                "\nrefcnt       : " + std::to_string(e.refcnt) + "\nselftest     : passed\n\n";
    }
    return text;
}
