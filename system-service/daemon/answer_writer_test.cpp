// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/answer_writer.h"

#include <android-base/file.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::unique_fd;
using testing::HasSubstr;

constexpr std::chrono::hours kLong(1);

struct Ends {
    unique_fd out;
    unique_fd in;
};

Ends Pipe() {
    int ends[2];
    EXPECT_EQ(0, pipe2(ends, O_CLOEXEC));
    return {unique_fd(ends[0]), unique_fd(ends[1])};
}

Ends Socket() {
    int ends[2];
    EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
    return {unique_fd(ends[0]), unique_fd(ends[1])};
}

// Fills the pipe or socket completely and restores its flags.
void Fill(const unique_fd& in) {
    const int flags = fcntl(in.get(), F_GETFL);
    ASSERT_EQ(0, fcntl(in.get(), F_SETFL, flags | O_NONBLOCK));
    const std::string page(4096, 'x');
    while (write(in.get(), page.data(), page.size()) > 0) continue;
    while (write(in.get(), page.data(), 1) > 0) continue;
    ASSERT_EQ(0, fcntl(in.get(), F_SETFL, flags));
}

std::string ReadAll(const unique_fd& out) {
    std::string text;
    EXPECT_TRUE(android::base::ReadFdToString(out.get(), &text));
    return text;
}

// SIGPIPE is ignored, as by EventLoop.
class AnswerWriterTest : public testing::Test {
  protected:
    ~AnswerWriterTest() override { signal(SIGPIPE, before_); }

  private:
    const sighandler_t before_ = signal(SIGPIPE, SIG_IGN);
};

// A text longer than any buffer.
const std::string& LongText() {
    static const std::string kText = [] {
        std::string text;
        while (text.size() < (1U << 21)) text += std::to_string(text.size()) + "\n";
        return text;
    }();
    return kText;
}

TEST_F(AnswerWriterTest, WritesAllOfItToWhoReads) {
    for (const auto& make : {Pipe, Socket}) {
        AnswerWriter writer({.patience = kLong, .total = kLong});
        Ends ends = make();
        std::string got;
        std::thread reader([&] { got = ReadAll(ends.out); });
        Result<void> written = writer.Write(ends.in, LongText());
        ends.in.reset();
        reader.join();
        EXPECT_TRUE(written.ok()) << written.error();
        EXPECT_TRUE(got == LongText());
    }
    TemporaryFile file;
    AnswerWriter writer;
    EXPECT_TRUE(writer.Write(file.fd, LongText()).ok());
    std::string got;
    EXPECT_TRUE(android::base::ReadFileToString(file.path, &got));
    EXPECT_TRUE(got == LongText());
}

TEST_F(AnswerWriterTest, GivesUpAReaderWhoTakesNothing) {
    for (const auto& make : {Pipe, Socket}) {
        AnswerWriter writer({.patience = std::chrono::milliseconds(1)});
        Ends ends = make();
        Fill(ends.in);
        EXPECT_THAT(writer.Write(ends.in, "x").error().message(),
                    HasSubstr("its reader does not read"));
        // The place is free again, and the flags of the caller's descriptor are unchanged.
        EXPECT_THAT(writer.Write(ends.in, "x").error().message(),
                    HasSubstr("its reader does not read"));
        EXPECT_EQ(0, fcntl(ends.in.get(), F_GETFL) & O_NONBLOCK);
    }
}

// The patience is an hour, so only calls that do not wait return.
TEST_F(AnswerWriterTest, WaitsForTwoOfAHundredStuckReaders) {
    AnswerWriter writer({.patience = kLong, .total = kLong});
    std::vector<Ends> pipes;
    std::vector<std::thread> calls;
    std::atomic<int> refused = 0;
    for (int i = 0; i < 100; ++i) {
        pipes.push_back(Pipe());
        Fill(pipes.back().in);
    }
    for (const Ends& ends : pipes) {
        calls.emplace_back([&] {
            if (!writer.Write(ends.in, "x").ok()) ++refused;
        });
    }
    while (refused < 98) std::this_thread::yield();
    // Other readers are served meanwhile, even with more than a pipe holds.
    Ends small = Pipe();
    EXPECT_TRUE(writer.Write(small.in, "answer").ok());
    Ends large = Pipe();
    std::string got;
    std::thread reader([&] { got = ReadAll(large.out); });
    EXPECT_TRUE(writer.Write(large.in, LongText()).ok());
    large.in.reset();
    reader.join();
    EXPECT_TRUE(got == LongText());

    EXPECT_EQ(98, refused);
    for (Ends& ends : pipes) ends.out.reset();
    for (std::thread& call : calls) call.join();
}

TEST_F(AnswerWriterTest, SaysWhyNothingCanBeWritten) {
    AnswerWriter writer;
    unique_fd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
    EXPECT_EQ("cannot write the answer: No space left on device",
              writer.Write(full, "x").error().message());
    EXPECT_THAT(writer.Write(-1, "x").error().message(), HasSubstr("Bad file descriptor"));
    for (const auto& make : {Pipe, Socket}) {
        Ends gone = make();
        gone.out.reset();
        EXPECT_THAT(writer.Write(gone.in, "x").error().message(), HasSubstr("Broken pipe"));
    }
    EXPECT_TRUE(writer.Write(-1, "").ok());
}

struct Terminal {
    unique_fd master;
    unique_fd terminal;
};

Terminal OpenTerminal() {
    Terminal made;
    made.master.reset(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    EXPECT_EQ(0, grantpt(made.master.get()));
    EXPECT_EQ(0, unlockpt(made.master.get()));
    char name[64];
    EXPECT_EQ(0, ptsname_r(made.master.get(), name, sizeof(name)));
    made.terminal.reset(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    EXPECT_NE(-1, made.terminal.get());
    return made;
}

// Nobody reads these terminals; the kernel lets some writes block in spite of poll().
TEST_F(AnswerWriterTest, StoppedTerminalsHoldNoMoreThreadsThanTheyMay) {
    AnswerWriter writer({.patience = std::chrono::milliseconds(1), .writers = 2});
    std::vector<Terminal> terminals;
    for (int i = 0; i < 10; ++i) terminals.push_back(OpenTerminal());
    EXPECT_TRUE(writer.Write(terminals[0].terminal, "answer\n").ok());
    std::atomic<int> refused = 0;
    std::vector<std::thread> calls;
    for (const Terminal& terminal : terminals) {
        calls.emplace_back([&] {
            if (!writer.Write(terminal.terminal, LongText()).ok()) ++refused;
        });
    }
    while (refused < 8) std::this_thread::yield();
    Ends ends = Pipe();
    EXPECT_TRUE(writer.Write(ends.in, "answer").ok());
    TemporaryFile file;
    EXPECT_TRUE(writer.Write(file.fd, LongText()).ok());
    for (Terminal& terminal : terminals) terminal.master.reset();
    for (std::thread& call : calls) call.join();
    EXPECT_EQ(10, refused);
}

}  // namespace
}  // namespace storekeeper
