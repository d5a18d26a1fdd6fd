// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "property_watch.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "property_names.h"

namespace storekeeper::lab {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::milliseconds;

Result<PropertyWatch> PropertyWatch::Open(const std::string& root) {
    unique_fd fd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    if (fd.get() < 0) return ErrnoError() << "cannot watch " << root << ": inotify_init1";
    // A property arrives by rename (IN_MOVED_TO) or, when it may exist only once, by link
    // (IN_CREATE); its content never changes in place.
    if (inotify_add_watch(fd.get(), root.c_str(), IN_MOVED_TO | IN_CREATE | IN_ONLYDIR) < 0) {
        return ErrnoError() << "cannot watch the property directory " << root;
    }
    return PropertyWatch(std::move(fd));
}

Result<PropertyWatch::Changes> PropertyWatch::Read() {
    Changes changes;
    alignas(inotify_event) std::array<char, 64 * (sizeof(inotify_event) + NAME_MAX + 1)> buffer;
    while (true) {
        const ssize_t length = TEMP_FAILURE_RETRY(read(fd_.get(), buffer.data(), buffer.size()));
        if (length < 0 && errno == EAGAIN) return changes;
        if (length < 0) return ErrnoError() << "cannot read property changes";
        if (length == 0) return Error() << "cannot read property changes: inotify ended";
        const char* at = buffer.data();
        const char* const end = at + length;
        while (at < end) {
            inotify_event event;
            memcpy(&event, at, sizeof(event));
            const char* const text = at + sizeof(event);
            at = text + event.len;
            if (event.mask & IN_Q_OVERFLOW) changes.overflowed = true;
            if (event.len == 0 || (event.mask & IN_ISDIR)) continue;
            // The name is padded with NUL. Temporary files are no legal names.
            const std::string name(text, strnlen(text, event.len));
            if (!CheckPropertyName(name).ok()) continue;
            std::erase(changes.names, name);
            changes.names.push_back(name);
        }
    }
}

Result<bool> PropertyWatch::Wait(milliseconds timeout) const {
    using Clock = std::chrono::steady_clock;
    const bool for_ever = timeout == milliseconds::max();
    const Clock::time_point start = Clock::now();
    while (true) {
        int wait_ms = -1;
        if (!for_ever) {
            const auto passed = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
            const auto left = std::max(timeout - passed, milliseconds::zero());
            wait_ms = static_cast<int>(std::min<int64_t>(left.count(), INT_MAX));
        }
        pollfd waiting = {.fd = fd_.get(), .events = POLLIN, .revents = 0};
        const int ready = poll(&waiting, 1, wait_ms);
        if (ready > 0) return true;
        if (ready < 0 && errno != EINTR) return ErrnoError() << "cannot wait for property changes";
        if (ready == 0 && wait_ms != INT_MAX) return false;
    }
}

}  // namespace storekeeper::lab
