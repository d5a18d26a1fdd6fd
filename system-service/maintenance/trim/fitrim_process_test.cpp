// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/file.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "maintenance/trim/fitrim.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::unique_fd;
using testing::HasSubstr;

unique_fd Directory(const TemporaryDir& directory) {
    return unique_fd(open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// The real worker needs a mount and a capability, which the tests on the virtual phone have. This
// program never answers.
TEST(FitrimProcessTest, AStopKillsTheWorkerAtOnce) {
    TemporaryDir directory;
    FitrimProcess fitrim("/bin/cat");
    Result<std::unique_ptr<TrimSession>> session = fitrim.Begin(Directory(directory), "/data");
    if (!session.ok()) GTEST_SKIP() << session.error().message();
    StopSignal stop;
    stop.Raise("abort requested");
    // cat does not know the argument and ends. The stop or the end comes first, but no answer.
    Result<TrimAnswer> answer = (*session)->Trim({.start = 0, .length = 4096}, stop);
    ASSERT_FALSE(answer.ok());
    EXPECT_FALSE((*session)->Trim({.start = 0, .length = 4096}, stop).ok());
}

TEST(FitrimProcessTest, AWorkerThatEndsIsAnErrorNotAWait) {
    TemporaryDir directory;
    // toybox would not find its `false` under the worker's name, so the program is a script.
    const std::string program = std::string(directory.path) + "/worker";
    ASSERT_TRUE(android::base::WriteStringToFile("#!/bin/sh\nexit 1\n", program, 0700, getuid(),
                                                 getgid()));
    FitrimProcess fitrim(program);
    Result<std::unique_ptr<TrimSession>> session = fitrim.Begin(Directory(directory), "/data");
    if (!session.ok()) GTEST_SKIP() << session.error().message();
    StopSignal stop;
    Result<TrimAnswer> answer = (*session)->Trim({.start = 0, .length = 4096}, stop);
    ASSERT_FALSE(answer.ok());
    EXPECT_THAT(answer.error().message(), HasSubstr("its worker process ended"));
}

TEST(FitrimProcessTest, AProgramThatIsNotThereIsSaid) {
    TemporaryDir directory;
    Result<std::unique_ptr<TrimSession>> session =
            FitrimProcess("/nosuch/program").Begin(Directory(directory), "/data");
    // glibc reports it from posix_spawn(), bionic by the exit code of the child.
    StopSignal stop;
    const std::string said =
            session.ok() ? (*session)->Trim({.start = 0, .length = 4096}, stop).error().message()
                         : session.error().message();
    EXPECT_THAT(said, HasSubstr("cannot start /nosuch/program as a worker"));
}

TEST(FitrimProcessTest, ItsNameSaysWhatItIs) {
    const auto worker = [] {
        FitrimWorkerMain();
        std::array<char, 16> name = {};
        prctl(PR_GET_NAME, name.data());
        _exit(std::string_view(name.data()) == "fitrim-worker" ? 0 : 1);
    };
    EXPECT_EXIT(worker(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace storekeeper
