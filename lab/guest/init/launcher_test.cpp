// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Real processes of this machine, started as the guest's init starts services.

#include "launcher.h"

#include <android-base/file.h>
#include <android-base/strings.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace storekeeper::lab {
namespace {

ServiceConfig Shell(const std::string& line) {
    ServiceConfig service;
    service.name = "test";
    service.argv = {"/bin/sh", "-c", line};
    service.user = std::to_string(getuid());
    service.groups = {std::to_string(getgid())};
    return service;
}

/** Runs it to its end; returns what it printed. */
std::string OutputOf(const ServiceConfig& service) {
    auto process = LaunchService(service);
    EXPECT_TRUE(process.ok()) << process.error().message();
    if (!process.ok()) return {};
    std::string text, piece;
    char buffer[512];
    while (true) {
        pollfd readable{process->output.get(), POLLIN, 0};
        poll(&readable, 1, -1);
        const ssize_t got = read(process->output.get(), buffer, sizeof(buffer));
        if (got <= 0) break;
        text.append(buffer, got);
    }
    waitpid(process->pid, nullptr, 0);
    return text;
}

/** A line of /proc/PID/status of the service itself. */
std::string Status(const ServiceConfig& service, const std::string& key) {
    for (const std::string& line : android::base::Split(OutputOf(service), "\n")) {
        if (line.starts_with(key + ":")) return android::base::Trim(line.substr(key.size() + 1));
    }
    return "no " + key;
}

// Changing users, groups and capabilities takes root; the lab's tests see it in the guest, too.
class AsRootTest : public testing::Test {
  protected:
    void SetUp() override {
        if (getuid() != 0) GTEST_SKIP() << "run as root to test this";
        service_ = Shell("cat /proc/self/status");
        service_.user = "12345";
        service_.groups = {"2345", "3456", "4567"};
    }

    ServiceConfig service_;
};

TEST(LaunchServiceTest, GivesOutputAndEnvironment) {
    ServiceConfig service = Shell("echo \"$WORD\"; echo wrong >&2");
    service.environment["WORD"] = "two words";
    if (getuid() != 0) GTEST_SKIP() << "setgroups takes root";
    EXPECT_EQ(OutputOf(service), "two words\nwrong\n");
}

TEST_F(AsRootTest, ExplainsWhatItCannotStart) {
    ServiceConfig missing = Shell("");
    missing.argv = {"/no/such/program"};
    EXPECT_EQ(LaunchService(missing).error().message(),
              "/no/such/program: executing it: No such file or directory");
    ServiceConfig nobody = Shell("");
    nobody.user = "nosuchuser";
    EXPECT_EQ(LaunchService(nobody).error().message(), "no user 'nosuchuser' in /etc/passwd");
    ServiceConfig no_group = Shell("");
    no_group.groups = {"nosuchgroup"};
    EXPECT_EQ(LaunchService(no_group).error().message(), "no group 'nosuchgroup' in /etc/group");
}

TEST_F(AsRootTest, BecomesUserAndGroups) {
    EXPECT_EQ(Status(service_, "Uid"), "12345\t12345\t12345\t12345");
    EXPECT_EQ(Status(service_, "Gid"), "2345\t2345\t2345\t2345");
    EXPECT_EQ(Status(service_, "Groups"), "3456 4567");
}

TEST_F(AsRootTest, KeepsExactlyTheNamedCapabilities) {
    service_.capabilities.emplace();
    service_.capabilities->set(CAP_KILL);
    for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
        EXPECT_EQ(Status(service_, set), "0000000000000020") << set;
    }
}

TEST_F(AsRootTest, AnEmptyListOfCapabilitiesKeepsNone) {
    service_.capabilities.emplace();
    for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
        EXPECT_EQ(Status(service_, set), "0000000000000000") << set;
    }
}

TEST_F(AsRootTest, WithoutTheOptionAUserHasNone) {
    for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapAmb"}) {
        EXPECT_EQ(Status(service_, set), "0000000000000000") << set;
    }
}

TEST_F(AsRootTest, SetsPriorities) {
    service_.io_priority = IoPriority{IoClass::kIdle, 7};
    service_.nice = 7;
    service_.argv = {"/bin/sh", "-c", "ionice; nice"};
    EXPECT_EQ(OutputOf(service_), "idle\n7\n");
}

}  // namespace
}  // namespace storekeeper::lab
