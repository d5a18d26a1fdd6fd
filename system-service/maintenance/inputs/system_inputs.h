// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/device_hal.h"
#include "base/diskstats.h"
#include "base/file_reader.h"
#include "base/mutex.h"
#include "base/syscalls.h"
#include "maintenance/policy/policy.h"

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

// Reports how busy the storage is: by pressure where the kernel has it, else by the time the disks
// worked since the last look. Whole disks count; partitions and devices whose requests a disk below
// serves do not. A disk whose counters cannot be believed is left out, and the reading says why.
class StorageWatch {
  public:
    StorageWatch(const FileReader& files, const Clock& clock) : files_(files), clock_(clock) {}

    // The next check counts from here; within a second of the last one, what that measured.
    android::base::Result<StorageReading> Read();

  private:
    // A disk at the last look.
    struct Seen {
        std::chrono::milliseconds busy{};
        uint64_t in_flight = 0;
        BootTime since{};  // has had that many in flight at each look
    };
    using Disks = std::map<dev_t, Seen>;

    // Why the counters of this disk cannot be believed; "" if they can.
    std::string WhyLeftOut(const DiskStats& disk, const Seen& seen) const;
    // Percent of the time since the last look; absent at the first one, and when that was too long
    // ago to measure anything of now.
    std::optional<int> PercentOf(std::optional<std::chrono::milliseconds> busy) const;

    const FileReader& files_;
    const Clock& clock_;
    Disks seen_;
    BootTime last_look_{};
    std::optional<int> last_percent_;
};

// What decides whether the owner would notice maintenance now. A failure to read is part of the
// answer, so that a report can name it.
class MaintenanceInputs {
  public:
    virtual ~MaintenanceInputs() = default;
    // `watch_input`: whether input devices are worth having open. Until they are, the time of the
    // last input is not known. `wait`: for the health HAL; without, its last answer is taken.
    virtual MaintenanceReadings Read(bool watch_input, bool wait) = 0;
};

// The inputs of a running device. May be read from any thread.
class SystemInputs : public MaintenanceInputs {
  public:
    // Answers a property's value, "" when unset.
    using PropertyReader = std::function<std::string(const std::string& name)>;

    // Where the kernel does not let us read the battery, as on every Android that enforces its
    // policy, `hal` is asked, and waited for as long as it lets us; may be null.
    SystemInputs(Syscalls& syscalls, const FileReader& files, const Clock& clock,
                 PropertyReader properties, DeviceHal* hal = nullptr);

    MaintenanceReadings Read(bool watch_input, bool wait) override;

    // To wait for an input between two calls of Read(true); see InteractionWatcher::events().
    int InputEvents() const EXCLUDES(lock_);

  private:
    void AskBattery(bool wait, MaintenanceReadings* readings) EXCLUDES(lock_);
    android::base::Result<InteractionReading> ReadInteraction(bool watch_input) EXCLUDES(lock_);
    android::base::Result<StorageReading> ReadStorage() EXCLUDES(lock_);

    const FileReader& files_;
    const Clock& clock_;
    const PropertyReader properties_;
    DeviceHal* const hal_;
    mutable Mutex lock_;
    InteractionWatcher watcher_ GUARDED_BY(lock_);
    StorageWatch storage_ GUARDED_BY(lock_);
    android::base::Result<HalBattery> battery_ GUARDED_BY(lock_);
    // When the screen was first seen off after it was on, or after an input: it may have gone off
    // earlier, but nothing reports when, and a screen that a film kept on leaves no input behind.
    std::optional<BootTime> first_seen_off_ GUARDED_BY(lock_);
    bool may_be_on_ GUARDED_BY(lock_) = false;
    // At the last look; absent while input is not watched.
    std::optional<BootTime> newest_input_ GUARDED_BY(lock_);
};

// What shows that vold holds a checkpoint open: an f2fs mounted with checkpoint=disable, or a
// dm-bow device that is not committed (AOSP: Checkpoint.cpp of vold). "" if nothing does.
android::base::Result<std::string> ReadCheckpoint(const FileReader& files);

}  // namespace storekeeper
