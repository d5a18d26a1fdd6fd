// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "maintenance/actions/garbage_action.h"
#include "testing/fake_clock.h"
#include "testing/fake_fitrim.h"
#include "testing/tree.h"

namespace storekeeper {

// An f2fs that collects 10 segments and writes 5 MiB a second while gc_urgent is set.
class DirtyF2fsTest : public testing::Test {
  protected:
    static constexpr char kFolder[] = "/dev/sys/fs/by-name/userdata/";

    DirtyF2fsTest() {
        tree_.Write(std::string(kFolder) + "gc_urgent", "0\n");
        Show();
        pauser_.during = [this] {
            if (tree_.Read(std::string(kFolder) + "gc_urgent") == "0\n") return;
            dirty_ -= 20;
            written_mib_ += 10;
            Show();
            during_();
        };
    }

    void Show() {
        tree_.Write(std::string(kFolder) + "dirty_segments", std::to_string(dirty_) + "\n");
        tree_.Write("/proc/diskstats",
                    "179 2 x 0 0 0 0 0 0 " + std::to_string(written_mib_ * 2048) + " 0 0 0 0\n");
    }

    bool Set(const std::string& name, const std::string& value) {
        properties_[name] = value;
        if (name == "storekeeper.gc.urgent" && init_works_) {
            tree_.Write(std::string(kFolder) + "gc_urgent", value == "1" ? urgent_ : "0\n");
        }
        return true;
    }

    InitProperties Properties() {
        return {.get = [this](const std::string& n) { return properties_[n]; },
                .set = [this](const std::string& n, const std::string& v) { return Set(n, v); }};
    }
    std::string Urgent() { return tree_.Read(std::string(kFolder) + "gc_urgent"); }

    Tree tree_;
    FileReader files_ = tree_.files();
    FakeClock clock_;
    FakePauser pauser_{clock_};
    StopSignal stop_;
    std::map<std::string, std::string> properties_{{"ro.build.version.sdk", "33"}};
    GarbageAction::Terms terms_ = {.longest = std::chrono::minutes(7),
                                   .most_written_bytes = 256 << 20};
    std::function<void()> during_ = [] {};
    int dirty_ = 400;
    int written_mib_ = 1000;
    bool init_works_ = true;
    std::string urgent_ = "4\n";  // value of gc_urgent after init has written 1
};

}  // namespace storekeeper
