// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

namespace storekeeper {
namespace {

using android::base::unique_fd;
using testing::HasSubstr;

TEST(ChildProcessTest, ReportsWhatItPrintedAndHowItEnded) {
    auto answer = RunChild({"sh", "-c", "pwd; echo no >&2; exit 3"}, "/proc", -1);
    ASSERT_TRUE(answer.ok()) << answer.error();
    EXPECT_EQ("/proc\n", answer->out);
    EXPECT_EQ("no\n", answer->err);
    EXPECT_FALSE(answer->ok());
    EXPECT_EQ("exit code 3", answer->Ending());

    answer = RunChild({"sh", "-c", "kill -9 $$"}, "/", -1);
    ASSERT_TRUE(answer.ok()) << answer.error();
    EXPECT_EQ("killed by signal 9", answer->Ending());
}

TEST(ChildProcessTest, ArgumentsReachItAsTheyAre) {
    auto answer = RunChild({"printf", "%s|", "$(id)", "a b", ";ls", "-x"}, "/", -1);
    ASSERT_TRUE(answer.ok()) << answer.error();
    EXPECT_EQ("$(id)|a b|;ls|-x|", answer->out);
}

TEST(ChildProcessTest, SaysWhyItDidNotStart) {
    auto answer = RunChild({"/nowhere/fio"}, "/", -1);
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(ENOENT, answer.error().code());
    EXPECT_THAT(answer.error().message(), HasSubstr("cannot start /nowhere/fio"));
    EXPECT_FALSE(RunChild({"true"}, "/nowhere", -1).ok());
    EXPECT_FALSE(RunChild({}, "/", -1).ok());
}

TEST(ChildProcessTest, PassesOverWhatIsTooMuch) {
    auto answer = RunChild({"head", "-c", "300000", "/dev/zero"}, "/", -1, 1000);
    ASSERT_TRUE(answer.ok()) << answer.error();
    EXPECT_TRUE(answer->ok());
    EXPECT_EQ(1000u, answer->out.size());
}

TEST(ChildProcessTest, IsKilledWithWhatItStarted) {
    // The grandchild inherits the other end and holds it open as long as it lives.
    std::array<int, 2> ends = {};
    ASSERT_EQ(0, pipe(ends.data()));
    unique_fd seen(ends[0]);
    unique_fd held(ends[1]);
    ASSERT_EQ(0, fcntl(seen.get(), F_SETFD, FD_CLOEXEC));
    pollfd wanted = {.fd = seen.get(), .events = POLLIN, .revents = 0};

    unique_fd stop(eventfd(0, EFD_CLOEXEC));
    std::thread stopper([&] {
        char byte = 0;
        EXPECT_EQ(1, poll(&wanted, 1, 10'000));
        EXPECT_EQ(1, read(seen.get(), &byte, 1));
        EXPECT_EQ(0, eventfd_write(stop.get(), 1));
    });
    const std::string report = "echo >/proc/self/fd/" + std::to_string(held.get());
    auto answer = RunChild({"sh", "-c", "sleep 60 & " + report + "; sleep 60"}, "/", stop.get());
    stopper.join();
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(EINTR, answer.error().code());
    held.reset();
    EXPECT_EQ(1, poll(&wanted, 1, 5'000));
    EXPECT_EQ(POLLHUP, wanted.revents);
}

TEST(TerminationTest, HoldsSignalsBackAndReportsThem) {
    {
        const Termination termination;
        EXPECT_FALSE(termination.requested());
        kill(getpid(), SIGTERM);
        EXPECT_TRUE(termination.requested());
        EXPECT_TRUE(termination.requested());
        // The child's signals are not blocked.
        auto answer = RunChild({"sh", "-c", "kill -TERM $$"}, "/", -1);
        ASSERT_TRUE(answer.ok()) << answer.error();
        EXPECT_EQ("killed by signal 15", answer->Ending());
        // A running child ends with the request.
        EXPECT_FALSE(RunChild({"sleep", "86400"}, "/", termination.fd()).ok());
    }
    // The program still runs: the signal went away with the object.
    EXPECT_FALSE(Termination().requested());
}

TEST(TerminationTest, HoldsNothingBackThatItCannotTell) {
    rlimit before = {};
    ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
    const rlimit none = {.rlim_cur = 0, .rlim_max = before.rlim_max};
    ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
    const Termination termination;
    ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
    EXPECT_FALSE(termination.requested());
    sigset_t blocked;
    ASSERT_EQ(0, sigprocmask(SIG_BLOCK, nullptr, &blocked));
    EXPECT_EQ(0, sigismember(&blocked, SIGTERM));
}

}  // namespace

}  // namespace storekeeper
