// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "builtins.h"

#include <android-base/file.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace storekeeper::lab {
namespace {

using android::base::Error;
using android::base::Result;

/** Nothing runs here: the commands under test are those on files and properties. */
class NoHost : public ServiceHost {
  public:
    Result<pid_t> Launch(const ServiceConfig&) override { return Error() << "no processes here"; }
    void Kill(pid_t) override {}
    void StateChanged(const std::string&, const std::string&) override {}
    void Log(const std::string&) override {}
};

class BuiltinsTest : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(mkdir(Path("properties").c_str(), 0700), 0);
        umask(077);
    }

    std::string Path(const std::string& name) { return std::string(dir_.path) + "/" + name; }

    Result<void> Do(const std::string& name, const std::vector<std::string>& args) {
        return RunBuiltin({name, args, {}}, context_);
    }

    mode_t ModeOf(const std::string& path) {
        struct stat info {};
        EXPECT_EQ(lstat(path.c_str(), &info), 0) << path;
        return info.st_mode & 07777;
    }

    TemporaryDir dir_;
    PropertyStore properties_{Path("properties"), Path("persistent")};
    NoHost host_;
    std::vector<ServiceConfig> services_;
    std::vector<Action> actions_;
    Supervisor supervisor_{services_, host_};
    TriggerQueue triggers_{actions_, [](const std::string&) { return std::string(); }};
    std::vector<ServiceConfig> executed_;
    std::vector<std::string> exec_started_;
    CommandContext context_{properties_,
                            supervisor_,
                            triggers_,
                            [] { return BootTime(0); },
                            [this](const ServiceConfig& program) -> Result<void> {
                                executed_.push_back(program);
                                return {};
                            },
                            [this](const std::string& service) -> Result<void> {
                                exec_started_.push_back(service);
                                return {};
                            }};
};

TEST_F(BuiltinsTest, MkdirSetsTheModeWhateverTheUmask) {
    const std::string path = Path("a");
    ASSERT_TRUE(Do("mkdir", {path}).ok());
    EXPECT_EQ(ModeOf(path), 0755U);
    // It exists: the mode is set again.
    ASSERT_TRUE(Do("mkdir", {path, "01771"}).ok());
    EXPECT_EQ(ModeOf(path), 01771U);
    ASSERT_TRUE(Do("mkdir", {path, "700", "encryption=Require"}).ok());
    EXPECT_EQ(ModeOf(path), 0700U);
    EXPECT_FALSE(Do("mkdir", {Path("no/such")}).ok());
}

TEST_F(BuiltinsTest, ModesAreOctal) {
    const std::string path = Path("f");
    ASSERT_TRUE(Do("write", {path, "x"}).ok());
    for (auto [text, mode] : {std::pair{"0666", 0666U}, {"640", 0640U}, {"02755", 02755U}}) {
        ASSERT_TRUE(Do("chmod", {text, path}).ok()) << text;
        EXPECT_EQ(ModeOf(path), mode) << text;
    }
    for (const char* text : {"", "8", "0x1ff", "rw", "17777", "-1"}) {
        EXPECT_FALSE(Do("chmod", {text, path}).ok()) << text;
    }
}

TEST_F(BuiltinsTest, WriteReplacesTheContentAndExpandsProperties) {
    const std::string path = Path("f");
    ASSERT_TRUE(properties_.Set("a.b", "value").ok());
    ASSERT_TRUE(Do("write", {path, "a long first text"}).ok());
    ASSERT_TRUE(Do("write", {path, "${a.b} ${no:-none}"}).ok());
    std::string text;
    ASSERT_TRUE(android::base::ReadFileToString(path, &text));
    EXPECT_EQ(text, "value none");
    EXPECT_FALSE(Do("write", {path, "${no}"}).ok());
    EXPECT_FALSE(Do("write", {Path("no/such"), "x"}).ok());
}

TEST_F(BuiltinsTest, SymlinkIsContentWithTheSameLink) {
    ASSERT_TRUE(Do("symlink", {"target", Path("l")}).ok());
    EXPECT_TRUE(Do("symlink", {"target", Path("l")}).ok());
    EXPECT_FALSE(Do("symlink", {"other", Path("l")}).ok());
}

TEST_F(BuiltinsTest, ChownReportsUnknownNames) {
    const std::string path = Path("f");
    ASSERT_TRUE(Do("write", {path, "x"}).ok());
    const std::string uid = std::to_string(getuid());
    EXPECT_TRUE(Do("chown", {uid, std::to_string(getgid()), path}).ok());
    EXPECT_EQ(Do("chown", {"nosuchuser", path}).error().message(),
              "no user 'nosuchuser' in /etc/passwd");
    EXPECT_EQ(Do("chown", {uid, "nosuchgroup", path}).error().message(),
              "no group 'nosuchgroup' in /etc/group");
}

TEST_F(BuiltinsTest, SetpropSetsAndRefuses) {
    ASSERT_TRUE(Do("setprop", {"ro.x", "1"}).ok());
    EXPECT_EQ(properties_.Get("ro.x")->value_or(""), "1");
    EXPECT_FALSE(Do("setprop", {"ro.x", "2"}).ok());
}

TEST_F(BuiltinsTest, ExecTakesItsProgramBehindTheDashes) {
    ASSERT_TRUE(Do("exec", {"-", "system", "log", "input", "--", "/bin/x", "--", "y"}).ok());
    ASSERT_EQ(executed_.size(), 1U);
    EXPECT_EQ(executed_[0].user, "system");
    EXPECT_EQ(executed_[0].groups, (std::vector<std::string>{"log", "input"}));
    EXPECT_EQ(executed_[0].argv, (std::vector<std::string>{"/bin/x", "--", "y"}));
    ASSERT_TRUE(Do("exec", {"--", "/bin/x"}).ok());
    EXPECT_EQ(executed_[1].user, "root");
    EXPECT_FALSE(Do("exec", {"-", "/bin/x"}).ok());
    EXPECT_FALSE(Do("exec", {"-", "--"}).ok());
}

TEST_F(BuiltinsTest, ExecStartNamesAService) {
    ASSERT_TRUE(Do("exec_start", {"early"}).ok());
    EXPECT_EQ(exec_started_, std::vector<std::string>{"early"});
}

}  // namespace
}  // namespace storekeeper::lab
