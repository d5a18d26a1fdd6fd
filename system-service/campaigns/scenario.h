// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "campaigns/crash_disk.h"

namespace storekeeper {

// Something that the product writes down in several steps, and what must hold whatever stops it.
class Scenario {
  public:
    virtual ~Scenario() = default;

    virtual std::string name() const = 0;
    // What is on the disk before, all of it synced.
    virtual DiskImage Begin() { return {}; }
    // Does it, and marks where it is; the errors that the product has returned.
    virtual std::vector<std::string> Work(ScenarioDisk* disk) = 0;
    // Opens what is left, as the product does at its start; what is wrong with it, "" for nothing:
    // what was kept is there, what was begun is whole or absent, nothing blocks the start.
    virtual std::string Check(ScenarioDisk* disk, const CrashMarks& marks) = 0;
    // Works on with it and opens it once more; what is wrong, "" for nothing.
    virtual std::string GoOn(ScenarioDisk* disk, const CrashMarks& marks) = 0;
};

// A new one each time: threads share none.
using MakeScenario = std::function<std::unique_ptr<Scenario>()>;

// A copy of the product that is broken on purpose, to show that a campaign finds it.
enum class Flaw {
    kNone,
    kNoFileSync,    // fsync(2) and fdatasync(2) of files do nothing
    kNoFolderSync,  // nor do those of folders
    kTrustedLog,    // SQLite's log has no checksums
    kLateCount,     // the early step applies the choice first and counts the boot then
    kBlindLoop,     // what closes a gate is hidden from the daemon (sequences.h)
};

// By what they write: records, choice, history, probe.
std::vector<MakeScenario> RecordScenarios();
std::vector<MakeScenario> ChoiceScenarios(Flaw flaw = Flaw::kNone);
std::vector<MakeScenario> HistoryScenarios(Flaw flaw = Flaw::kNone);
std::vector<MakeScenario> ProbeScenarios();
// All of them.
std::vector<MakeScenario> Scenarios(Flaw flaw = Flaw::kNone);

}  // namespace storekeeper
