// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <optional>
#include <string>

#include "base/device_hal.h"
#include "base/file_reader.h"
#include "base/mutex.h"
#include "maintenance/inputs/interaction.h"
#include "maintenance/inputs/storage_watch.h"
#include "maintenance/policy/readings.h"

namespace storekeeper {

// What decides whether the owner would notice maintenance now. A failure to read is part of the
// answer, so that a report can name it.
class MaintenanceInputs {
  public:
    virtual ~MaintenanceInputs() = default;
    // `watch_input`: whether input devices are worth having open. Until they are, the time of the
    // last input is not known. `wait`: for others who know, as a decision does.
    // Without, for an observer: what they said last is taken, and what the next decision measures
    // stays as it is.
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
    android::base::Result<StorageReading> ReadStorage(bool observe) EXCLUDES(lock_);

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

// Whether vold holds a checkpoint open, by what anybody may see of it: an f2fs mounted with
// checkpoint=disable, or a dm-bow device that is not committed (AOSP: Checkpoint.cpp of vold).
// `committed` is the property vold.checkpoint_committed, which vold sets to 1 after a commit; it
// stays unset in a boot that needed none, so by itself it proves nothing.
android::base::Result<CheckpointReading> ReadCheckpoint(const FileReader& files,
                                                        const std::string& committed);

}  // namespace storekeeper
