// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "testing/fake_fitrim.h"

#include <linux/fs.h>

#include <utility>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

class FakeSession : public TrimSession {
  public:
    FakeSession(FakeSyscalls& syscalls, const FakeClock& clock, unique_fd mount, std::string path)
          : syscalls_(syscalls), clock_(clock), mount_(std::move(mount)), path_(std::move(path)) {}

    Result<TrimAnswer> Trim(const TrimRange& range, const StopSignal& stop) override {
        const auto before = Suspended();
        fstrim_range argument = {.start = range.start, .len = range.length, .minlen = 0};
        Result<int> done = syscalls_.Ioctl(mount_, FITRIM, &argument, "FITRIM on " + path_);
        if (stop.raised()) return Error(EINTR) << "FITRIM on " << path_ << " was stopped";
        if (!done.ok()) return done.error();
        return TrimAnswer{.bytes = argument.len, .suspended = Suspended() > before};
    }

  private:
    std::chrono::nanoseconds Suspended() const { return clock_.SinceBoot() - clock_.Monotonic(); }

    FakeSyscalls& syscalls_;
    const FakeClock& clock_;
    unique_fd mount_;
    const std::string path_;
};

}  // namespace

Result<std::unique_ptr<TrimSession>> FakeFitrim::Begin(unique_fd mount, const std::string& path) {
    return std::make_unique<FakeSession>(syscalls_, clock_, std::move(mount), path);
}

void FakePauser::Pause(std::chrono::nanoseconds time, const StopSignal& stop) {
    if (stop.raised()) return;
    pauses.push_back(time);
    clock_.Advance(time);
    during();
}

}  // namespace storekeeper
