// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/choice_store.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/atomic_file.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::unique_fd;
using testing::HasSubstr;
using testing::Not;
using Stage = CryptoChoice::Stage;

const std::map<std::string, std::string> kGood =
        {{"mode", "kernel"},      {"stage", "trial"},
         {"boots", "1"},          {"reason", "chosen"},
         {"write_mbps", "2.700"}, {"method", "a name that no string keeps within"},
         {"read_mbps", "3.9"},    {"unit_bytes", "512"},
         {"cipher", "cbc(aes)"},  {"key_bytes", "16"},
         {"last_boot_id", "b"},   {"unknown", "x"}};

// A whole file with these lines and one line without a blank.
std::string FileOf(const std::map<std::string, std::string>& lines,
                   const std::string& header = "storekeeper-crypto 1") {
    std::string body = header + "\nalone\n";
    for (const auto& [key, value] : lines) body += key + " " + value + "\n";
    return WithChecksum(body);
}

TEST(ChoiceFileTest, MissingFieldsAreEmpty) {
    const Result<CryptoChoice> choice = ParseChoice(FileOf(kGood));
    ASSERT_TRUE(choice.ok()) << choice.error();
    EXPECT_EQ(CryptoMode::kKernel, choice->mode);
    EXPECT_EQ("b", choice->last_boot_id);
    EXPECT_EQ("", choice->chosen_boot_id);
    EXPECT_EQ(16U, choice->baseline->key_bytes);
    // Earlier versions wrote no cipher and no key size.
    std::map<std::string, std::string> old = kGood;
    old.erase("key_bytes");
    old.erase("cipher");
    const Result<CryptoChoice> vague = ParseChoice(FileOf(old));
    ASSERT_TRUE(vague.ok()) << vague.error();
    EXPECT_EQ("", vague->baseline->cipher);
    EXPECT_EQ(0U, vague->baseline->key_bytes);
}

TEST(ChoiceFileTest, AWholeFileWithAnythingWrongInItIsRefused) {
    struct Row {
        const char* key;
        const char* value;
        const char* error;
    };
    for (const Row& row :
         {Row{"mode", "fast", "'fast' as mode"}, Row{"stage", "late", "'late' as stage"},
          Row{"boots", "-1", "'-1' as boots"}, Row{"write_mbps", "nan", "'nan' as write_mbps"},
          Row{"read_mbps", "-1", "'-1' as read_mbps"},
          Row{"read_mbps", "inf", "'inf' as read_mbps"},
          Row{"unit_bytes", "4294967296", "as unit_bytes"},
          Row{"key_bytes", "x", "'x' as key_bytes"}}) {
        std::map<std::string, std::string> bad = kGood;
        bad[row.key] = row.value;
        const Result<CryptoChoice> choice = ParseChoice(FileOf(bad));
        ASSERT_FALSE(choice.ok()) << row.key << " " << row.value;
        EXPECT_THAT(choice.error().message(), HasSubstr(row.error));
    }
    EXPECT_THAT(ParseChoice(FileOf(kGood, "storekeeper-crypto 2")).error().message(),
                HasSubstr("does not begin with"));
    std::map<std::string, std::string> bad = kGood;
    bad.erase("method");
    EXPECT_EQ("a choice without a baseline", ParseChoice(FileOf(bad)).error().message());
    bad["stage"] = "none";
    EXPECT_TRUE(ParseChoice(FileOf(bad)).ok());
}

// A kernel that opens no file.
class Closed : public LinuxSyscalls {
  public:
    Result<unique_fd> Open(const std::string&, int) override {
        return android::base::Error(EIO) << "no luck";
    }
};

TEST(ChoiceFileTest, AnUnreadableFileIsNotSetAside) {
    Tree tree;
    const std::string path = tree.PathOf("/crypto");
    tree.Write("/crypto", FileOf(kGood));
    Closed closed;
    const ChoiceStore::Loaded loaded = ChoiceStore(closed, path).Load();
    EXPECT_EQ(CryptoMode::kAuto, loaded.choice.mode);
    EXPECT_THAT(loaded.note, HasSubstr("no luck"));
    EXPECT_THAT(loaded.note, Not(HasSubstr("set aside")));
    EXPECT_EQ(CryptoMode::kKernel, ChoiceStore(RealCalls(), path).Load().choice.mode);
}

// The early step meets the damage first; the daemon comes later, in this boot and others.
TEST(ChoiceFileTest, ADamagedChoiceIsReportedUntilTheNextOne) {
    Tree tree;
    const std::string path = tree.PathOf("/crypto");
    tree.Write("/crypto", "storekeeper-crypto 1\nmode ker");
    const ChoiceStore store(RealCalls(), path);
    for (int boot = 0; boot < 3; ++boot) {
        const ChoiceStore::Loaded loaded = store.Load();
        EXPECT_EQ(CryptoMode::kAuto, loaded.choice.mode);
        EXPECT_EQ("the choice file was damaged", loaded.choice.reason);
        EXPECT_THAT(loaded.note, HasSubstr("the choice of an engine is lost")) << boot;
        EXPECT_THAT(loaded.note, HasSubstr(path + ".corrupt")) << boot;
    }
    ASSERT_TRUE(store.Save(RollBack("auto chosen")).ok());
    EXPECT_EQ("", store.Load().note);
    tree.Remove("/crypto");
    EXPECT_EQ("", store.Load().note);
}

TEST(ChoiceFileTest, ADirectoryInItsPlaceIsSetAside) {
    Tree tree;
    const std::string path = tree.PathOf("/crypto");
    tree.MakeDirectory("/crypto");
    EXPECT_THAT(ChoiceStore(RealCalls(), path).Load().note,
                HasSubstr("it was set aside as " + path + ".corrupt"));
    EXPECT_FALSE(tree.files().Exists("/crypto"));
}

}  // namespace
}  // namespace storekeeper
