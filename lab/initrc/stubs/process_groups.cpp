// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Functions of libprocessgroup with which init runs a service. The verifier runs none: all fail.

#include <processgroup/processgroup.h>

bool CgroupsAvailable() {
    return false;
}

bool CgroupGetControllerPath(const std::string&, std::string*) {
    return false;
}

bool CgroupGetControllerFromPath(const std::string&, std::string*) {
    return false;
}

bool SetTaskProfiles(int, const std::vector<std::string>&, bool) {
    return false;
}

bool SetProcessProfiles(uid_t, pid_t, const std::vector<std::string>&) {
    return false;
}

bool SetProcessProfiles(uid_t, pid_t, std::initializer_list<std::string_view>) {
    return false;
}

int killProcessGroup(uid_t, int, int, int*) {
    return -1;
}

int killProcessGroupOnce(uid_t, int, int, int*) {
    return -1;
}

int createProcessGroup(uid_t, int, bool) {
    return -1;
}

bool setProcessGroupSwappiness(uid_t, int, int) {
    return false;
}

bool setProcessGroupSoftLimit(uid_t, int, int64_t) {
    return false;
}

bool setProcessGroupLimit(uid_t, int, int64_t) {
    return false;
}

void removeAllEmptyProcessGroups() {}
