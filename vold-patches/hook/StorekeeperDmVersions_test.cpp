// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "StorekeeperDmVersions.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "fake_properties.h"

namespace {

struct Target {
    std::string name;
    std::array<uint32_t, 3> version;
};

// The answer to DM_LIST_VERSIONS as list_version_get_info() in drivers/md/dm-ioctl.c writes it.
std::vector<char> Answer(const std::vector<Target>& targets) {
    std::vector<char> buffer(sizeof(dm_ioctl));
    for (size_t i = 0; i < targets.size(); i++) {
        const size_t at = buffer.size();
        const size_t size = (sizeof(dm_target_versions) + targets[i].name.size() + 1 + 7) & ~7UL;
        buffer.resize(at + size);
        dm_target_versions entry = {};
        entry.next = i + 1 < targets.size() ? static_cast<uint32_t>(size) : 0;
        std::copy(targets[i].version.begin(), targets[i].version.end(), entry.version);
        memcpy(&buffer[at], &entry, offsetof(dm_target_versions, name));
        memcpy(&buffer[at + offsetof(dm_target_versions, name)], targets[i].name.c_str(),
               targets[i].name.size() + 1);
    }
    dm_ioctl head = {};
    head.data_start = sizeof(dm_ioctl);
    head.data_size = static_cast<uint32_t>(buffer.size());
    memcpy(buffer.data(), &head, sizeof(head));
    return buffer;
}

std::string Find(const std::vector<char>& answer, const char* target) {
    int version[3] = {};
    const auto* io = reinterpret_cast<const dm_ioctl*>(answer.data());
    if (storekeeper_target_version(io, target, version) != 0) return "none";
    return std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
           std::to_string(version[2]);
}

const std::vector<Target> kHardwareKernel = {{"req-crypt", {1, 0, 0}},
                                             {"crypt", {1, 11, 0}},
                                             {"linear", {1, 1, 0}}};

TEST(StorekeeperDmVersionsTest, FindsATargetWhereverItStands) {
    const std::vector<char> answer = Answer(kHardwareKernel);
    EXPECT_EQ("1.0.0", Find(answer, "req-crypt"));
    EXPECT_EQ("1.11.0", Find(answer, "crypt"));  // not req-crypt's
    EXPECT_EQ("1.1.0", Find(answer, "linear"));  // the last one
    EXPECT_EQ("none", Find(answer, "verity"));
    EXPECT_EQ("none", Find(answer, "cryp"));
    EXPECT_EQ("1.17.0", Find(Answer({{"crypt", {1, 17, 0}}}), "crypt"));
    EXPECT_EQ("none", Find(Answer({}), "crypt"));
}

TEST(StorekeeperDmVersionsTest, StaysInsideAnAnswerThatLies) {
    // Run under ASan, too.
    const std::vector<char> whole = Answer(kHardwareKernel);
    for (size_t size = sizeof(dm_ioctl); size < whole.size(); size++) {
        std::vector<char> cut(whole.begin(), whole.begin() + static_cast<long>(size));
        reinterpret_cast<dm_ioctl*>(cut.data())->data_size = static_cast<uint32_t>(size);
        EXPECT_EQ("none", Find(cut, "verity"));
    }
    for (const uint32_t next : {1u, 15u, 0x7fffffffu, 0xffffffffu}) {
        std::vector<char> wrong = whole;
        memcpy(&wrong[sizeof(dm_ioctl)], &next, sizeof(next));
        EXPECT_EQ("none", Find(wrong, "verity")) << next;
    }
}

}  // namespace
