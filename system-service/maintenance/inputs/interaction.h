// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/unique_fd.h>

#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/syscalls.h"

namespace storekeeper {

// Knows when a key or the touch screen was last used, from the evdev nodes, while it is armed.
// Nothing wakes up for an event: the kernel keeps the newest ones for each open node, and
// LastInput() drains them and takes their time stamps. Disarmed, no node is open, and a device that
// is used costs nothing.
class InteractionWatcher {
  public:
    InteractionWatcher(Syscalls& syscalls, const FileReader& files, const Clock& clock);

    // Arms it: opens the nodes, and those that appeared since the last call. Before the first input
    // it answers when it was armed. An error when no node can be read, for then silence means
    // nothing.
    android::base::Result<BootTime> LastInput();

    // Readable while an input waits for LastInput(): armed nodes only. -1 when the kernel gave
    // none.
    int events() const { return events_.get(); }

    // Closes the nodes.
    void Disarm();

  private:
    struct Node {
        android::base::unique_fd fd;
        bool has_keys = false;
    };

    android::base::Result<void> OpenNodes();
    android::base::Result<Node> OpenNode(const std::string& path);
    // False when the node is gone.
    bool Drain(const Node& node);

    // An epoll of the open nodes, which closing takes out by itself.
    android::base::unique_fd events_;
    Syscalls& syscalls_;
    const FileReader& files_;
    const Clock& clock_;
    std::map<std::string, Node> nodes_;
    std::optional<BootTime> last_input_;  // absent while disarmed
};

}  // namespace storekeeper
