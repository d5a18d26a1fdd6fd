// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/event_loop.h"

#include <android-base/logging.h>
#include <linux/netlink.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sysexits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Result;
using android::base::unique_fd;

// Multicast group 1 carries the kernel's own events, group 2 udev's (lib/kobject_uevent.c).
constexpr uint32_t kKernelEvents = 1;
// Maximum size of a kernel message: UEVENT_BUFFER_SIZE of include/linux/kobject.h.
constexpr size_t kUeventBytes = 2048;

Result<unique_fd> OpenSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
    errno = pthread_sigmask(SIG_BLOCK, &set, nullptr);
    if (errno != 0) return ErrnoError() << "cannot block signals";
    unique_fd fd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!fd.ok()) return ErrnoError() << "cannot create a signalfd";
    return fd;
}

Result<unique_fd> OpenUevents() {
    unique_fd fd(
            socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT));
    if (!fd.ok()) return ErrnoError() << "cannot create a uevent socket";
    sockaddr_nl address = {};
    address.nl_family = AF_NETLINK;
    address.nl_groups = kKernelEvents;
    if (bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
        return ErrnoError() << "cannot listen for uevents";
    }
    return fd;
}

// Reads all queued events; true if one concerns a power supply.
bool ReadUevents(const unique_fd& fd) {
    constexpr std::string_view kSubsystem("SUBSYSTEM=power_supply\0", 23);
    std::array<char, kUeventBytes> buffer = {};
    bool changed = false;
    for (;;) {
        ssize_t size = recv(fd.get(), buffer.data(), buffer.size(), 0);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) {
            // ENOBUFS means lost events; one of them may have concerned a power supply.
            if (errno != ENOBUFS) return changed;
            changed = true;
            continue;
        }
        std::string_view message(buffer.data(), static_cast<size_t>(size));
        changed |= message.find(kSubsystem) != std::string_view::npos;
    }
}

}  // namespace

Result<EventLoop> EventLoop::Create() {
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) return ErrnoError() << "cannot ignore SIGPIPE";
    EventLoop loop;
    loop.signals_ = TRY(OpenSignals());
    // CLOCK_BOOTTIME_ALARM would wake a suspended device and needs CAP_WAKE_ALARM. Maintenance
    // waits until the device is awake instead; this timer counts suspended time as well.
    loop.timer_.reset(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK));
    if (!loop.timer_.ok()) return ErrnoError() << "cannot create a timer";
    loop.wake_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!loop.wake_.ok()) return ErrnoError() << "cannot create an eventfd";
    loop.uevents_ = TRY(OpenUevents());
    return loop;
}

void EventLoop::DrainPowerEvents() {
    ReadUevents(uevents_);
}

void EventLoop::Wake() const {
    // The call fails only if the counter is full, and then a wake-up is pending anyway.
    static_cast<void>(eventfd_write(wake_.get(), 1));
}

Result<void> EventLoop::SetTimer(std::optional<BootTime> deadline) {
    itimerspec value = {};  // zero disarms
    if (deadline.has_value()) {
        auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*deadline);
        // time_t of 32-bit devices ends after 68 years; later deadlines are clamped.
        value.it_value.tv_sec = static_cast<time_t>(
                std::min<int64_t>(seconds.count(), std::numeric_limits<time_t>::max()));
        value.it_value.tv_nsec = static_cast<long>((*deadline - seconds).count());
        // A deadline of exactly zero would disarm the timer; a past one must fire at once.
        if (deadline->count() <= 0) value.it_value = {.tv_sec = 0, .tv_nsec = 1};
    }
    if (timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &value, nullptr) != 0) {
        return ErrnoError() << "cannot set the timer";
    }
    return {};
}

Result<EventLoop::Event> EventLoop::Wait(std::optional<BootTime> deadline, bool watch_power,
                                         int input, int attention) {
    TRY(SetTimer(deadline));
    for (;;) {
        std::array<pollfd, 6> fds = {{
                {.fd = signals_.get(), .events = POLLIN, .revents = 0},
                {.fd = wake_.get(), .events = POLLIN, .revents = 0},
                {.fd = timer_.get(), .events = POLLIN, .revents = 0},
                {.fd = watch_power ? uevents_.get() : -1, .events = POLLIN, .revents = 0},
                {.fd = input, .events = POLLIN, .revents = 0},
                {.fd = attention, .events = POLLPRI, .revents = 0},
        }};
        if (TEMP_FAILURE_RETRY(poll(fds.data(), fds.size(), -1)) < 0) {
            return ErrnoError() << "cannot wait for events";
        }
        if (fds[0].revents != 0) return Event::kStop;
        if (fds[1].revents != 0) {
            eventfd_t count = 0;
            static_cast<void>(eventfd_read(wake_.get(), &count));
            return Event::kWoken;
        }
        if (fds[2].revents != 0) return Event::kDeadline;
        if (fds[4].revents != 0) return Event::kInput;
        if (fds[5].revents != 0) return Event::kAttention;
        if (fds[3].revents != 0 && ReadUevents(uevents_)) return Event::kPowerChanged;
    }
}

void ServeUntilStopped(EventLoop& loop, const ServeHooks& hooks) {
    int code = EX_OK;
    for (;;) {
        loop.DrainPowerEvents();
        const Keeper::Nap nap = hooks.turn();
        const Result<EventLoop::Event> event =
                loop.Wait(nap.deadline, nap.watch_power,
                          nap.watch_input ? hooks.input_events() : -1, hooks.attention());
        if (!event.ok()) {
            LOG(ERROR) << "storekeeperd exits, init restarts it: " << event.error().message();
            code = EX_OSERR;
            break;
        }
        if (*event == EventLoop::Event::kStop) break;
        if (*event == EventLoop::Event::kAttention) hooks.attend();
    }
    hooks.finish();
    LOG(INFO) << "storekeeperd exits";
    _exit(code);
}

}  // namespace storekeeper
