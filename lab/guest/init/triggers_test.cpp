// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "triggers.h"

#include <gtest/gtest.h>

#include <map>

namespace storekeeper::lab {
namespace {

class TriggerQueueTest : public testing::Test {
  protected:
    PropertyReader Reader() {
        return [this](const std::string& name) {
            const auto found = properties_.find(name);
            return found == properties_.end() ? std::string() : found->second;
        };
    }

    /** The triggers of the actions that run now, in order. */
    std::vector<std::string> Drain() {
        std::vector<std::string> names;
        while (const Action* action = queue_.Next()) names.push_back(action->TriggerName());
        return names;
    }

    void Set(const std::string& name, const std::string& value) {
        properties_[name] = value;
        queue_.QueueProperty(name, value);
    }

    using Names = std::vector<std::string>;

    std::map<std::string, std::string> properties_;
    std::vector<Action> actions_ = {
            {"boot", {}, {}, {}},
            {"", {{"a", "1"}}, {}, {}},
            {"", {{"a", "1"}, {"b", "2"}}, {}, {}},
            {"boot", {{"b", "2"}}, {}, {}},
            {"", {{"any", "*"}}, {}, {}},
            {"fs", {}, {}, {}},
    };
    TriggerQueue queue_{actions_, Reader()};
};

TEST_F(TriggerQueueTest, RunsTheActionsOfAnEventInFileOrder) {
    properties_["b"] = "2";
    queue_.QueueEvent("fs");
    queue_.QueueEvent("boot");
    EXPECT_EQ(Drain(), (Names{"fs", "boot", "boot && property:b=2"}));
}

TEST_F(TriggerQueueTest, AnEventWithAPropertyNeedsBoth) {
    queue_.QueueEvent("boot");
    EXPECT_EQ(Drain(), Names{"boot"});
    queue_.EnableProperties();
    EXPECT_EQ(Drain(), Names{});
    Set("b", "2");
    EXPECT_EQ(Drain(), Names{});
}

TEST_F(TriggerQueueTest, PropertiesCountOnlyOnceEnabled) {
    Set("a", "1");
    EXPECT_EQ(Drain(), Names{});
    queue_.EnableProperties();
    EXPECT_EQ(Drain(), Names{"property:a=1"});
}

TEST_F(TriggerQueueTest, EveryConditionMustHold) {
    queue_.EnableProperties();
    EXPECT_EQ(Drain(), Names{});
    Set("b", "2");
    EXPECT_EQ(Drain(), Names{});
    Set("a", "1");
    EXPECT_EQ(Drain(), (Names{"property:a=1", "property:a=1 && property:b=2"}));
    Set("a", "0");
    EXPECT_EQ(Drain(), Names{});
    Set("c", "1");
    EXPECT_EQ(Drain(), Names{});
}

TEST_F(TriggerQueueTest, SettingAgainTriggersAgain) {
    queue_.EnableProperties();
    EXPECT_EQ(Drain(), Names{});
    Set("a", "1");
    Set("a", "1");
    EXPECT_EQ(Drain(), (Names{"property:a=1", "property:a=1"}));
}

TEST_F(TriggerQueueTest, AStarIsAnyValueButNone) {
    queue_.EnableProperties();
    EXPECT_EQ(Drain(), Names{});
    Set("any", "");
    EXPECT_EQ(Drain(), Names{});
    Set("any", "x");
    EXPECT_EQ(Drain(), Names{"property:any=*"});
}

TEST_F(TriggerQueueTest, TheValueThatWasSetCountsNotTheOneOfNow) {
    queue_.EnableProperties();
    EXPECT_EQ(Drain(), Names{});
    queue_.QueueProperty("a", "1");
    properties_["a"] = "0";
    EXPECT_EQ(Drain(), Names{"property:a=1"});
}

TEST_F(TriggerQueueTest, ExpandsProperties) {
    properties_ = {{"a", "1"}, {"long.name", "two"}};
    struct {
        const char* text;
        const char* expanded;
    } const good[] = {
            {"", ""},
            {"plain", "plain"},
            {"${a}", "1"},
            {"x${a}y${a}", "x1y1"},
            {"${no:-d e}", "d e"},
            {"${a:-d}", "1"},
            {"${no:-}", ""},
            {"$$", "$"},
            {"$${a}", "${a}"},
            {"/x/${long.name}", "/x/two"},
    };
    for (const auto& c : good) {
        auto expanded = ExpandProperties(c.text, Reader());
        ASSERT_TRUE(expanded.ok()) << c.text << ": " << expanded.error().message();
        EXPECT_EQ(*expanded, c.expanded) << c.text;
    }
    for (const char* text : {"${no}", "$a", "${a", "$", "${}", "${:-x}"}) {
        EXPECT_FALSE(ExpandProperties(text, Reader()).ok()) << text;
    }
}

}  // namespace
}  // namespace storekeeper::lab
