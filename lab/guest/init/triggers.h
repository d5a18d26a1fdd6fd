// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "rc_script.h"

namespace storekeeper::lab {

/** Reads a property; empty when it is not set. */
using PropertyReader = std::function<std::string(const std::string& name)>;

/**
 * Decides which actions run, in Android's order: queued triggers one after the other, the actions
 * of one trigger as they stand in the files. Property triggers count from EnableProperties() on.
 */
class TriggerQueue {
  public:
    TriggerQueue(const std::vector<Action>& actions, PropertyReader read)
          : actions_(actions), read_(std::move(read)) {}

    void QueueEvent(const std::string& event);

    /** A property was written; `value` was read from it afterwards. */
    void QueueProperty(const std::string& name, const std::string& value);

    /** Queues every action of properties alone that is true now; later changes are looked at. */
    void EnableProperties();

    /** The next action to run, or nullptr. It lives as long as the list it came from. */
    const Action* Next();

  private:
    struct Trigger {
        enum class Kind { kEvent, kProperty, kAllProperties } kind;
        std::string name;
        std::string value;
    };

    bool Matches(const Action& action, const Trigger& trigger) const;
    bool PropertiesHold(const Action& action, const Trigger& trigger) const;

    const std::vector<Action>& actions_;
    PropertyReader read_;
    bool properties_enabled_ = false;
    std::deque<Trigger> triggers_;
    std::deque<const Action*> ready_;
};

/** Replaces ${name} and ${name:-default}; $$ is one $. An unset name without default: error. */
android::base::Result<std::string> ExpandProperties(const std::string& text,
                                                    const PropertyReader& read);

}  // namespace storekeeper::lab
