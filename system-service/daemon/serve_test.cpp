// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/logging.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sysexits.h>

#include <cstdio>

#include "daemon/event_loop.h"

namespace storekeeper {
namespace {

using testing::AllOf;
using testing::ExitedWithCode;
using testing::HasSubstr;
using testing::Not;

// Stands for objects that binder threads still use.
struct Graph {
    ~Graph() { fprintf(stderr, "the graph is destroyed\n"); }
};

void Serve(const std::function<void()>& during_turn) {
    const Graph graph;
    android::base::Result<EventLoop> loop = EventLoop::Create();
    CHECK(loop.ok()) << loop.error();
    ServeUntilStopped(*loop, {.turn =
                                      [&] {
                                          during_turn();
                                          return Keeper::Nap{.deadline = BootTime(0)};
                                      },
                              .input_events = [] { return -1; },
                              .attention = [] { return -1; },
                              .attend = [] {},
                              .finish = [] { fprintf(stderr, "written down\n"); }});
}

TEST(ServeDeathTest, AFailureToWaitDestroysNothing) {
    // poll(2) fails if it gets more descriptors than the process may have.
    const auto forbid_descriptors = [] {
        const rlimit none = {};
        CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    };
    EXPECT_EXIT(Serve(forbid_descriptors), ExitedWithCode(EX_OSERR),
                AllOf(HasSubstr("written down"), Not(HasSubstr("destroyed"))));
}

TEST(ServeDeathTest, ASignalEndsItInOrder) {
    EXPECT_EXIT(Serve([] { CHECK(raise(SIGTERM) == 0); }), ExitedWithCode(EX_OK),
                AllOf(HasSubstr("written down"), Not(HasSubstr("destroyed"))));
}

}  // namespace
}  // namespace storekeeper
