// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/storekeeper_service.h"

#include <android-base/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/phone.h"

namespace storekeeper {
namespace {

using aidl::org::storekeeper::IStorekeeper;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr uid_t kRoot = 0;
constexpr uid_t kShell = 2000;
constexpr uid_t kApp = 10000;

class StorekeeperServiceTest : public testing::Test {
  protected:
    struct Answer {
        binder_status_t status;
        std::string out;
        std::string err;
    };
    Answer Dump(std::vector<const char*> arguments) {
        TemporaryFile out;
        Answer answer{};
        answer.status =
                service_->dump(out.fd, arguments.data(), static_cast<uint32_t>(arguments.size()));
        EXPECT_TRUE(android::base::ReadFileToString(out.path, &answer.out));
        return answer;
    }
    Answer Shell(std::vector<const char*> arguments) {
        TemporaryFile out;
        TemporaryFile err;
        Answer answer{};
        answer.status = service_->handleShellCommand(-1, out.fd, err.fd, arguments.data(),
                                                     static_cast<uint32_t>(arguments.size()));
        EXPECT_TRUE(android::base::ReadFileToString(out.path, &answer.out));
        EXPECT_TRUE(android::base::ReadFileToString(err.path, &answer.err));
        return answer;
    }

    Phone phone_;
    uid_t uid_ = kShell;
    int purges_ = 0;
    std::shared_ptr<StorekeeperService> Make() {
        return ndk::SharedRefBase::make<StorekeeperService>(
                phone_.daemon(), [this] { return uid_; }, [this] { ++purges_; });
    }
    std::shared_ptr<StorekeeperService> service_ = Make();
};

TEST_F(StorekeeperServiceTest, AnAppGetsNothingAndCausesNothing) {
    uid_ = kApp;
    EXPECT_EQ(EX_SECURITY, service_->setExtCsd(AidlBytes(512)).getExceptionCode());
    Answer dump = Dump({"--json"});
    EXPECT_EQ(STATUS_PERMISSION_DENIED, dump.status);
    Answer shell = Shell({"trim"});
    EXPECT_EQ(77, shell.status);
    EXPECT_THAT(phone_.syscalls.trimmed(), IsEmpty());
    EXPECT_EQ(0, purges_);
}

TEST_F(StorekeeperServiceTest, NothingIsWrittenForADeniedCaller) {
    uid_ = kApp;
    EXPECT_THAT(Dump({}).out, IsEmpty());
    Answer shell = Shell({"help"});
    EXPECT_THAT(shell.out + shell.err, IsEmpty());
}

TEST_F(StorekeeperServiceTest, WordsAreBoundedBeforeAnythingIsRecorded) {
    const std::string word = "/" + std::string(100'000, 'x');
    std::vector<const char*> words(20'000, "/x");
    words.insert(words.begin(), "trim");
    uid_ = kRoot;
    for (const std::vector<const char*>& arguments :
         std::vector<std::vector<const char*>>{words, {"trim", word.c_str()}, {word.c_str()}}) {
        const int before = purges_;
        const Answer shell = Shell(arguments);
        EXPECT_EQ(64, shell.status);
        EXPECT_THAT(shell.out, IsEmpty());
        EXPECT_THAT(shell.err, StartsWith("storekeeper: "));
        EXPECT_EQ(shell.err.size() - 1, shell.err.find('\n'));
        EXPECT_LT(shell.err.size(), 300U);
        EXPECT_EQ(STATUS_BAD_VALUE, Dump(arguments).status);
        EXPECT_EQ(before + 2, purges_);
    }
    EXPECT_TRUE(phone_.keeper().Receipts(1).empty());
    EXPECT_FALSE(phone_.keeper().Status().last_run.has_value());
}

TEST_F(StorekeeperServiceTest, EachAnswerPurgesTheHeap) {
    EXPECT_EQ(STATUS_OK, Dump({"--json"}).status);
    EXPECT_EQ(1, purges_);
    EXPECT_EQ(0, Shell({"status"}).status);
    EXPECT_EQ(2, purges_);
}

TEST_F(StorekeeperServiceTest, OnlyRootHandsInAnExtCsd) {
    EXPECT_EQ(EX_SECURITY, service_->setExtCsd(AidlBytes(512)).getExceptionCode());
    uid_ = kRoot;
    ndk::ScopedAStatus zeros = service_->setExtCsd(AidlBytes(512));
    EXPECT_EQ(EX_SERVICE_SPECIFIC, zeros.getExceptionCode());
    EXPECT_EQ(IStorekeeper::ERROR_USAGE, zeros.getServiceSpecificError());
}

TEST_F(StorekeeperServiceTest, CmdChoosesForRootAlone) {
    for (const char* verb : {"choose", "confirm", "rollback"}) {
        uid_ = kShell;
        // The caller is refused before the arguments are read, wherever --json is.
        for (const std::vector<const char*>& command :
             {std::vector<const char*>{"crypto", verb, "x"}, {"crypto", "--json", verb}}) {
            const Answer refused = Shell(command);
            EXPECT_EQ(77, refused.status) << verb;
            EXPECT_THAT(refused.out, IsEmpty());
            EXPECT_EQ("storekeeper: uid 2000 may not use cmd storekeeper crypto " +
                              std::string(verb) + "; root may\n",
                      refused.err);
        }
        uid_ = kRoot;
        EXPECT_EQ(64, Shell({"crypto", verb, "x"}).status);
    }
    uid_ = kShell;
    EXPECT_EQ(64, Shell({"crypto", "sing"}).status);
    EXPECT_EQ(0, phone_.ciphers.requests());
    EXPECT_THAT(Shell({"help", "crypto"}).out,
                HasSubstr("    Only for root: choose, confirm, rollback.\n"));
    EXPECT_THAT(Shell({"help", "set-gate-override"}).out, HasSubstr("\n    Only for root.\n"));
}

TEST_F(StorekeeperServiceTest, DumpsTextOrJsonAndListsTheSectionsForAnUnknownOne) {
    EXPECT_THAT(Dump({}).out, StartsWith("Storage life: "));
    EXPECT_THAT(Dump({"-a"}).out, StartsWith("Storage life: "));
    EXPECT_THAT(Dump({"-a", "--json"}).out, StartsWith("{\n"));
    EXPECT_EQ(STATUS_OK, Dump({}).status);
    EXPECT_THAT(Dump({"-h"}).out, HasSubstr("SECTION: health, ledger, "));
    const Answer wrong = Dump({"bog\nus"});
    EXPECT_EQ(STATUS_BAD_VALUE, wrong.status);
    EXPECT_THAT(wrong.out, StartsWith("storekeeper: 'bog\\x0aus' is not a section\nusage: "));
}

TEST_F(StorekeeperServiceTest, ShellCommandsReturnExitCodes) {
    EXPECT_EQ(0, Shell({"status"}).status);
    EXPECT_EQ(64, Shell({"nosuch"}).status);
    EXPECT_EQ(64, Shell({}).status);
    EXPECT_EQ(65, Shell({"trim", "/system"}).status);
}

TEST_F(StorekeeperServiceTest, DumpAnswersWhileATrimRuns) {
    std::string dump;
    phone_.DuringFitrim([&] {
        if (dump.empty()) dump = Dump({}).out;
    });
    EXPECT_EQ(0, Shell({"trim"}).status);
    EXPECT_THAT(dump, HasSubstr("Maintenance: trimming /data\n"));
}

}  // namespace
}  // namespace storekeeper
