// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/event_loop.h"

#include <android-base/unique_fd.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "base/clock.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::unique_fd;
using Event = EventLoop::Event;

TEST(EventLoopTest, EndsAtADeadlineThatHasPassed) {
    Result<EventLoop> loop = EventLoop::Create();
    ASSERT_TRUE(loop.ok()) << loop.error();
    EXPECT_EQ(Event::kDeadline, *loop->Wait(BootTime(0), false));
    EXPECT_EQ(Event::kDeadline, *loop->Wait(LinuxClock().SinceBoot(), true));
}

TEST(EventLoopTest, AWakeUpBeforeTheWaitIsNotLost) {
    Result<EventLoop> loop = EventLoop::Create();
    ASSERT_TRUE(loop.ok()) << loop.error();
    loop->Wake();
    EXPECT_EQ(Event::kWoken, *loop->Wait(std::nullopt, false));
    // A wake-up counts once.
    EXPECT_EQ(Event::kDeadline, *loop->Wait(BootTime(0), false));
}

// A 32-bit time_t holds 68 years of seconds; a later deadline is clamped, not refused.
TEST(EventLoopTest, ADeadlineMayBeAsFarAsItLikes) {
    for (const BootTime deadline :
         {BootTime(std::chrono::seconds(3'000'000'000)), BootTime::max()}) {
        Result<EventLoop> loop = EventLoop::Create();
        ASSERT_TRUE(loop.ok()) << loop.error();
        loop->Wake();
        Result<Event> event = loop->Wait(deadline, false);
        ASSERT_TRUE(event.ok()) << event.error();
        EXPECT_EQ(Event::kWoken, *event);
    }
}

TEST(EventLoopTest, IsWokenFromAnotherThread) {
    Result<EventLoop> loop = EventLoop::Create();
    ASSERT_TRUE(loop.ok()) << loop.error();
    std::thread waker([&] { loop->Wake(); });
    EXPECT_EQ(Event::kWoken, *loop->Wait(std::nullopt, true));
    waker.join();
}

// Out-of-band data is urgent, like a changed sysfs file.
TEST(EventLoopTest, UrgentDataOnTheAttentionDescriptorEndsTheWait) {
    Result<EventLoop> loop = EventLoop::Create();
    ASSERT_TRUE(loop.ok()) << loop.error();
    const unique_fd server(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    ASSERT_EQ(0, bind(server.get(), any, size));
    ASSERT_EQ(0, listen(server.get(), 1));
    ASSERT_EQ(0, getsockname(server.get(), any, &size));
    const unique_fd client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(0, connect(client.get(), any, size));
    const unique_fd urgent(accept4(server.get(), nullptr, nullptr, SOCK_CLOEXEC));
    ASSERT_EQ(1, send(client.get(), "x", 1, 0));
    EXPECT_EQ(Event::kDeadline, *loop->Wait(BootTime(0), false, -1, urgent.get()));
    ASSERT_EQ(1, send(client.get(), "!", 1, MSG_OOB));
    EXPECT_EQ(Event::kAttention, *loop->Wait(std::nullopt, false, -1, urgent.get()));
}

TEST(EventLoopTest, SignalsToEndAreEvents) {
    Result<EventLoop> loop = EventLoop::Create();
    ASSERT_TRUE(loop.ok()) << loop.error();
    ASSERT_EQ(0, raise(SIGTERM));
    EXPECT_EQ(Event::kStop, *loop->Wait(std::nullopt, false));
    // The signal would stay pending for this thread.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    EXPECT_EQ(SIGTERM, sigwaitinfo(&set, nullptr));
}

TEST(EventLoopTest, AReaderThatGoesAwayIsAnErrorNotTheEnd) {
    Result<EventLoop> loop = EventLoop::Create();
    ASSERT_TRUE(loop.ok()) << loop.error();
    android::base::unique_fd reader;
    android::base::unique_fd writer;
    ASSERT_TRUE(android::base::Pipe(&reader, &writer));
    reader.reset();
    EXPECT_EQ(-1, write(writer.get(), "x", 1));
    EXPECT_EQ(EPIPE, errno);
}

}  // namespace
}  // namespace storekeeper
