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

// Reports when a key or the touch screen was last used, from the evdev nodes, while it is armed.
// The kernel queues the newest events of each open node, and LastInput() drains them for their time
// stamps. They wake the loop only where it waits for events(). While disarmed, no node is open and
// input costs nothing.
class InteractionWatcher {
  public:
    InteractionWatcher(Syscalls& syscalls, const FileReader& files, const Clock& clock);

    // Arms it: opens all nodes that are not open yet. Before the first input it returns the time of
    // arming. An error if no node can be read, because then silence means nothing.
    android::base::Result<BootTime> LastInput();

    // A descriptor that is readable while an input waits for LastInput(). Armed nodes only; -1 if
    // the kernel gave none.
    int events() const { return events_.get(); }

    // Closes the nodes.
    void Disarm();

  private:
    struct Node {
        android::base::unique_fd fd;
        bool has_keys = false;
        bool leaves_out_suspends = false;  // its clock is CLOCK_MONOTONIC
    };

    android::base::Result<void> OpenNodes();
    android::base::Result<Node> OpenNode(const std::string& path);
    // False if the node is gone.
    bool Drain(const Node& node);

    // An epoll of the open nodes. Closing a node removes it.
    android::base::unique_fd events_;
    Syscalls& syscalls_;
    const FileReader& files_;
    const Clock& clock_;
    std::map<std::string, Node> nodes_;
    std::optional<BootTime> last_input_;  // absent while disarmed
};

// Reports how busy the storage is: by pressure if the kernel has it, else by the time that the
// disks worked since the last look. Whole disks count, but not partitions or devices that a disk
// below serves. A disk with wrong counters is left out, and the reading says why.
class StorageWatch {
  public:
    StorageWatch(const FileReader& files, const Clock& clock) : files_(files), clock_(clock) {}

    // Measures since the last look. Within a second of it, returns the last measurement.
    android::base::Result<StorageReading> Read();

  private:
    // Counters of a disk at the last look.
    struct Seen {
        std::chrono::milliseconds busy{};
        uint64_t in_flight = 0;
        BootTime since{};  // time since which each look saw this number in flight
    };
    using Disks = std::map<dev_t, Seen>;

    // Why the counters of this disk are wrong; "" if they are right.
    std::string WhyLeftOut(const DiskStats& disk, const Seen& seen) const;
    // Percent of the time since the last look. Absent at the first look, and if the last one is too
    // long ago.
    std::optional<int> PercentOf(std::optional<std::chrono::milliseconds> busy) const;

    const FileReader& files_;
    const Clock& clock_;
    Disks seen_;
    BootTime last_look_{};
    std::optional<int> last_percent_;
};

// The conditions that decide whether the owner would notice maintenance now. A failure to read one
// is part of the readings, so that a report can name it.
class MaintenanceInputs {
  public:
    virtual ~MaintenanceInputs() = default;
    // `watch_input`: opens the input devices; without, the time of the last input is unknown.
    // `wait`: waits for the health HAL; without, its last answer is used.
    virtual MaintenanceReadings Read(bool watch_input, bool wait) = 0;
};

// The inputs of a running device. Any thread may read them.
class SystemInputs : public MaintenanceInputs {
  public:
    // Returns a property's value, "" if unset.
    using PropertyReader = std::function<std::string(const std::string& name)>;

    // `hal` is queried if this process may not read the battery's files, as on every Android that
    // enforces its policy. Read() waits for it if its caller permits. May be null.
    SystemInputs(Syscalls& syscalls, const FileReader& files, const Clock& clock,
                 PropertyReader properties, DeviceHal* hal = nullptr);

    MaintenanceReadings Read(bool watch_input, bool wait) override;

    // Descriptor to wait for input between two calls of Read() with `watch_input`; see
    // InteractionWatcher::events().
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
    // Time at which the screen was first seen off after it was on, or after an input. It may have
    // gone off earlier, but nothing reports when: a screen that a film kept on leaves no input
    // behind.
    std::optional<BootTime> first_seen_off_ GUARDED_BY(lock_);
    bool may_be_on_ GUARDED_BY(lock_) = false;
    // Newest input at the last look; absent while input is not watched.
    std::optional<BootTime> newest_input_ GUARDED_BY(lock_);
};

// The evidence that vold holds a checkpoint open: an f2fs mounted with checkpoint=disable, or a
// dm-bow device that is not committed (AOSP: Checkpoint.cpp of vold). "" if there is none.
android::base::Result<std::string> ReadCheckpoint(const FileReader& files);

}  // namespace storekeeper
