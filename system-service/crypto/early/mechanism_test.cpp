// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/mechanism.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/dm-ioctl.h>

#include <cstring>

#include "testing/fake_syscalls.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;
using testing::SizeIs;

// A device mapper that answers one request and notes all others.
class Mapper : public FakeSyscalls {
  public:
    std::vector<DmTarget> targets;
    bool endless = false;
    bool fails = false;
    std::vector<unsigned long> requests;

    Result<int> Ioctl(android::base::borrowed_fd, unsigned long request, void* argument,
                      const std::string&) override {
        requests.push_back(request);
        if (fails) return android::base::Error(EPERM) << "no right";
        auto* bytes = static_cast<uint8_t*>(argument);
        dm_ioctl header = {};
        memcpy(&header, bytes, sizeof(header));
        size_t at = header.data_start;
        for (size_t i = 0; i < targets.size(); ++i) {
            const std::string& name = targets[i].name;
            dm_target_versions entry = {};
            const size_t size = (sizeof(entry) + name.size() + 8) / 8 * 8;
            entry.next = i + 1 < targets.size() || endless ? static_cast<uint32_t>(size) : 0;
            std::copy(targets[i].version.begin(), targets[i].version.end(), entry.version);
            memcpy(bytes + at, &entry, sizeof(entry));
            memcpy(bytes + at + sizeof(entry), name.c_str(), name.size() + 1);
            at += size;
        }
        header.data_size = static_cast<uint32_t>(at);
        memcpy(bytes, &header, sizeof(header));
        return 0;
    }
};

TEST(DmTargetsTest, ListsNamesAndVersions) {
    Mapper mapper;
    mapper.Add("/dev/mapper/control", FakeSyscalls::Mount());
    mapper.targets = {{"striped", {1, 6, 0}}, {"crypt", {1, 11, 0}}, {"req-crypt", {1, 0, 0}}};
    const auto targets = ListDmTargets(mapper);
    ASSERT_TRUE(targets.ok()) << targets.error();
    ASSERT_THAT(*targets, SizeIs(3));
    EXPECT_EQ("crypt", (*targets)[1].name);
    EXPECT_EQ(11, (*targets)[1].version[1]);
    EXPECT_EQ("req-crypt", (*targets)[2].name);
}

// No request may answer with a table, which would hold the key.
TEST(DmTargetsTest, TheMapperIsAskedForVersionsAlone) {
    Mapper mapper;
    mapper.Add("/dev/device-mapper", FakeSyscalls::Mount());
    mapper.targets = {{"crypt", {1, 11, 0}}};
    EXPECT_TRUE(ListDmTargets(mapper).ok());
    EXPECT_EQ(std::vector<unsigned long>{DM_LIST_VERSIONS}, mapper.requests);
}

TEST(DmTargetsTest, SaysWhatIsWrong) {
    Mapper mapper;
    EXPECT_THAT(ListDmTargets(mapper).error().message(), HasSubstr("/dev/mapper/control"));
    mapper.Add("/dev/mapper/control", FakeSyscalls::Mount());
    EXPECT_THAT(ListDmTargets(mapper).error().message(), HasSubstr("has no end"));
    mapper.targets = {{"crypt", {1, 11, 0}}};
    mapper.endless = true;
    EXPECT_THAT(ListDmTargets(mapper).error().message(), HasSubstr("has no end"));
    mapper.fails = true;
    EXPECT_EQ(EPERM, ListDmTargets(mapper).error().code());
}

TEST(EarlyFactsTest, DmCryptTakesTheNameOfADriverFromItsVersionOn) {
    struct Row {
        std::optional<std::array<uint32_t, 3>> dm_crypt;
        std::optional<KernelVersion> kernel;
        bool takes;
    };
    for (const Row& row : {Row{{{1, 17, 0}}, KernelVersion{3, 4}, true},
                           Row{{{1, 16, 9}}, KernelVersion{5, 4}, false},
                           Row{{{2, 0, 0}}, {}, true}, Row{{}, KernelVersion{4, 12}, true},
                           Row{{}, KernelVersion{4, 9}, false}, Row{{}, {}, true}}) {
        EXPECT_EQ(row.takes,
                  (EarlyFacts{.table = {}, .dm_crypt = row.dm_crypt, .kernel = row.kernel}
                           .TakesDriverNames()));
    }
}

TEST(MechanismTest, NoRefusalHasANameAsWell) {
    EXPECT_EQ("none", RefusalName(MechanismRefusal::kNone));
    EXPECT_EQ("parameter_failed", RefusalName(MechanismRefusal::kParameterFailed));
}

}  // namespace
}  // namespace storekeeper
