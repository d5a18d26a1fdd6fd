// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/inputs/interaction.h"

#include <android-base/logging.h>
#include <android-base/strings.h>
#include <fcntl.h>
#include <linux/input.h>
#include <sys/epoll.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

namespace {
constexpr char kInputDirectory[] = "/dev/input";
}  // namespace

InteractionWatcher::InteractionWatcher(Syscalls& syscalls, const FileReader& files,
                                       const Clock& clock)
      : events_(epoll_create1(EPOLL_CLOEXEC)), syscalls_(syscalls), files_(files), clock_(clock) {}

Result<InteractionWatcher::Node> InteractionWatcher::OpenNode(const std::string& path) {
    Node node;
    node.fd = TRY(syscalls_.Open(path, O_RDONLY | O_NONBLOCK));
    unsigned long types = 0;  // one bit per event type of linux/input-event-codes.h
    TRY(syscalls_.Ioctl(node.fd, EVIOCGBIT(0, sizeof(types)), &types, "EVIOCGBIT " + path));
    // Accelerometers and lid switches report without anybody touching the device; what people
    // touch has keys, the touch screen included (BTN_TOUCH).
    node.has_keys = (types & (1UL << EV_KEY)) != 0;
    int clock = CLOCK_BOOTTIME;
    TRY(syscalls_.Ioctl(node.fd, EVIOCSCLOCKID, &clock, "EVIOCSCLOCKID " + path));
    epoll_event interest = {.events = EPOLLIN, .data = {}};
    if (node.has_keys && events_.ok() &&
        epoll_ctl(events_.get(), EPOLL_CTL_ADD, node.fd.get(), &interest) != 0) {
        // It is still read whenever LastInput() is asked.
        PLOG(WARNING) << "cannot wait for input on " << path;
    }
    return node;
}

Result<void> InteractionWatcher::OpenNodes() {
    std::string problem = "no node with keys";
    for (const std::string& name : TRY(files_.List(kInputDirectory))) {
        std::string path = std::string(kInputDirectory) + "/" + name;
        if (!android::base::StartsWith(name, "event") || nodes_.count(path) != 0) continue;
        Result<Node> node = OpenNode(path);
        if (node.ok()) {
            nodes_.emplace(path, std::move(*node));
        } else {
            problem = node.error().message();
        }
    }
    bool watching = std::any_of(nodes_.begin(), nodes_.end(),
                                [](const auto& entry) { return entry.second.has_keys; });
    if (!watching) return Error() << "no input device can be watched: " << problem;
    return {};
}

bool InteractionWatcher::Drain(const Node& node) {
    std::array<input_event, 64> events = {};
    for (;;) {
        Result<size_t> size = syscalls_.Read(node.fd, events.data(), sizeof(events));
        // EAGAIN: nothing left. ENODEV: unplugged; its number may return as another device.
        if (!size.ok()) return size.error().code() == EAGAIN;
        size_t count = *size / sizeof(input_event);
        if (count == 0) return true;
        if (!node.has_keys) continue;
        const input_event& newest = events[count - 1];
        BootTime time = std::chrono::seconds(newest.input_event_sec) +
                        std::chrono::microseconds(newest.input_event_usec);
        last_input_ = std::max(last_input_.value_or(time), time);
    }
}

Result<BootTime> InteractionWatcher::LastInput() {
    // Taken before the nodes are opened: an input between the two counts as later.
    if (!last_input_.has_value()) last_input_ = clock_.SinceBoot();
    std::erase_if(nodes_, [this](const auto& entry) { return !Drain(entry.second); });
    TRY(OpenNodes());
    return *last_input_;
}

void InteractionWatcher::Disarm() {
    nodes_.clear();
    last_input_.reset();
}

}  // namespace storekeeper
