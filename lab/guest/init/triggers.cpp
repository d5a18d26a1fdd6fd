// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "triggers.h"

#include <utility>

namespace storekeeper::lab {

using android::base::Error;
using android::base::Result;

void TriggerQueue::QueueEvent(const std::string& event) {
    triggers_.push_back({Trigger::Kind::kEvent, event, {}});
}

void TriggerQueue::QueueProperty(const std::string& name, const std::string& value) {
    if (properties_enabled_) triggers_.push_back({Trigger::Kind::kProperty, name, value});
}

void TriggerQueue::EnableProperties() {
    properties_enabled_ = true;
    triggers_.push_back({Trigger::Kind::kAllProperties, {}, {}});
}

const Action* TriggerQueue::Next() {
    while (ready_.empty() && !triggers_.empty()) {
        const Trigger trigger = std::move(triggers_.front());
        triggers_.pop_front();
        for (const Action& action : actions_) {
            if (Matches(action, trigger)) ready_.push_back(&action);
        }
    }
    if (ready_.empty()) return nullptr;
    const Action* next = ready_.front();
    ready_.pop_front();
    return next;
}

bool TriggerQueue::Matches(const Action& action, const Trigger& trigger) const {
    switch (trigger.kind) {
        case Trigger::Kind::kEvent:
            return action.event == trigger.name && PropertiesHold(action, trigger);
        case Trigger::Kind::kProperty:
            return action.event.empty() && action.properties.contains(trigger.name) &&
                   PropertiesHold(action, trigger);
        case Trigger::Kind::kAllProperties:
            return action.event.empty() && PropertiesHold(action, trigger);
    }
    return false;
}

bool TriggerQueue::PropertiesHold(const Action& action, const Trigger& trigger) const {
    for (const auto& [name, wanted] : action.properties) {
        const bool changed = trigger.kind == Trigger::Kind::kProperty && name == trigger.name;
        const std::string value = changed ? trigger.value : read_(name);
        if (wanted == "*" ? value.empty() : value != wanted) return false;
    }
    return true;
}

Result<std::string> ExpandProperties(const std::string& text, const PropertyReader& read) {
    std::string out;
    size_t at = 0;
    while (at < text.size()) {
        const size_t dollar = text.find('$', at);
        out += text.substr(at, dollar - at);
        if (dollar == std::string::npos) break;
        const char next = dollar + 1 < text.size() ? text[dollar + 1] : '\0';
        if (next == '$') {
            out += '$';
            at = dollar + 2;
            continue;
        }
        const size_t close = text.find('}', dollar);
        if (next != '{' || close == std::string::npos) {
            return Error() << "'" << text << "': a $ must be $$ or begin ${name}";
        }
        const std::string inside = text.substr(dollar + 2, close - dollar - 2);
        const size_t dash = inside.find(":-");
        const std::string name = inside.substr(0, dash);
        if (name.empty()) return Error() << "'" << text << "': ${} without a property name";
        const std::string value = read(name);
        if (value.empty() && dash == std::string::npos) {
            return Error() << "'" << text << "': property " << name << " is not set";
        }
        out += value.empty() ? inside.substr(dash + 2) : value;
        at = close + 1;
    }
    return out;
}

}  // namespace storekeeper::lab
