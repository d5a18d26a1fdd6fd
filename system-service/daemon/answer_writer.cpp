// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/answer_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/major.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>

#include "base/tokens.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr char kProblem[] = "cannot write the answer";

// One of a bounded number of places, released by the destructor.
class Place {
  public:
    Place() = default;
    ~Place() {
        if (of_ != nullptr) --*of_;
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    bool taken() const { return of_ != nullptr; }
    bool TryTake(std::atomic<int>& of, int most) {
        if (++of > most) {
            --of;
            return false;
        }
        of_ = &of;
        return true;
    }

  private:
    std::atomic<int>* of_ = nullptr;
};

// Writes without blocking and returns the number of bytes; EAGAIN if the call would block.
class Attempt {
  public:
    static Result<Attempt> Create(int to) {
        struct stat info = {};
        if (fstat(to, &info) != 0) return ErrnoError() << kProblem;
        Attempt attempt(to, info);
        if (!S_ISFIFO(info.st_mode)) return attempt;
        int ends[2];
        if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return ErrnoError() << kProblem;
        attempt.staged_out_.reset(ends[0]);
        attempt.staged_in_.reset(ends[1]);
        return attempt;
    }

    // True for a terminal: even if poll() reports it writable, it may lack room for a line and
    // block.
    bool may_wait() const { return S_ISCHR(info_.st_mode) && major(info_.st_rdev) != MEM_MAJOR; }

    ssize_t Write(std::string_view text) {
        if (S_ISFIFO(info_.st_mode)) return Splice(text);
        if (S_ISSOCK(info_.st_mode)) {
            return send(to_, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        }
        // A small chunk seldom blocks, because poll() checks the terminal before each.
        constexpr size_t kChunk = 64;
        return write(to_, text.data(), may_wait() ? std::min(text.size(), kChunk) : text.size());
    }

  private:
    Attempt(int to, const struct stat& info) : to_(to), info_(info) {}

    // write() to a pipe blocks unless its owner has set O_NONBLOCK. splice() from another pipe can
    // avoid that.
    ssize_t Splice(std::string_view text) {
        if (staged_ == 0) {
            const ssize_t staged = write(staged_in_.get(), text.data(), text.size());
            if (staged < 0) return staged;
            staged_ = static_cast<size_t>(staged);
        }
        const ssize_t moved = splice(staged_out_.get(), nullptr, to_, nullptr, staged_,
                                     SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
        if (moved > 0) staged_ -= static_cast<size_t>(moved);
        return moved;
    }

    const int to_;
    const struct stat info_;
    unique_fd staged_out_;
    unique_fd staged_in_;
    size_t staged_ = 0;  // bytes of the text in the staging pipe
};

// An interrupted poll() counts as not writable; the caller checks again.
bool IsWritable(int to, milliseconds within) {
    pollfd look = {.fd = to, .events = POLLOUT, .revents = 0};
    return poll(&look, 1, static_cast<int>(within.count())) > 0;
}

}  // namespace

Result<void> AnswerWriter::Write(android::base::borrowed_fd to, std::string_view answer) {
    if (answer.empty()) return {};
    const std::string printable = PrintableLines(answer);
    std::string_view text = printable;
    Attempt attempt = TRY(Attempt::Create(to.get()));
    const auto end = steady_clock::now() + limits_.total;
    auto give_up = std::min(end, steady_clock::now() + limits_.patience);
    Place waiting;
    bool any = false;
    while (!text.empty()) {
        ssize_t written = -1;
        if (!attempt.may_wait()) {
            written = attempt.Write(text);
        } else if (IsWritable(to.get(), milliseconds(0))) {
            Place writing;
            if (!writing.TryTake(writing_, limits_.writers)) {
                return Error() << kProblem
                               << ": too many terminals are stopped; resume their output";
            }
            written = attempt.Write(text);
        } else {
            errno = EAGAIN;
        }
        if (written >= 0) {
            text.remove_prefix(static_cast<size_t>(written));
            any = true;
            give_up = std::min(end, steady_clock::now() + limits_.patience);
            continue;
        }
        if (errno == EINTR) continue;
        if (errno != EAGAIN) return ErrnoError() << kProblem;
        if (!waiting.taken() && !waiting.TryTake(any ? slow_ : stuck_, limits_.waiters)) {
            return Error() << kProblem << ": too many answers wait for their readers; try again";
        }
        const auto left = std::chrono::duration_cast<milliseconds>(give_up - steady_clock::now());
        if (left <= milliseconds(0)) {
            return Error() << kProblem << ": its reader does not read";
        }
        IsWritable(to.get(), left);
    }
    return {};
}

}  // namespace storekeeper
