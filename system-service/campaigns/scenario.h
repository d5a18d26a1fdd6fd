// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "campaigns/crash_disk.h"

namespace storekeeper {

// Work of the product that stores data in several steps, with the invariants that hold wherever it
// is stopped.
class Scenario {
  public:
    virtual ~Scenario() = default;

    virtual std::string name() const = 0;
    // The disk before the work, all of it synced.
    virtual DiskImage Begin() { return {}; }
    // Does the work and marks its progress. Returns the errors that the product has returned.
    virtual std::vector<std::string> Work(ScenarioDisk* disk) = 0;
    // Opens the disk as the product does at its start. Returns the problem, "" if there is none:
    // acknowledged data is there, later data is whole or absent, and nothing prevents the start.
    virtual std::string Check(ScenarioDisk* disk, const CrashMarks& marks) = 0;
    // Uses the disk further and opens it once more. Returns the problem, "" if there is none.
    virtual std::string GoOn(ScenarioDisk* disk, const CrashMarks& marks) = 0;
};

// Makes a new scenario each time, because threads share none.
using MakeScenario = std::function<std::unique_ptr<Scenario>()>;

// A deliberate defect of the product, to show that a campaign finds it.
enum class Flaw {
    kNone,
    kNoFileSync,    // fsync(2) and fdatasync(2) of files do nothing
    kNoFolderSync,  // fsync(2) and fdatasync(2) of folders do nothing
    kTrustedLog,    // SQLite's log has no checksums
    kLateCount,     // the early step applies the choice before it counts the boot
    kBlindLoop,     // closed gates are hidden from the daemon (sequences.h)
};

// Scenarios by the stored data: records, choice, history, probe.
std::vector<MakeScenario> RecordScenarios();
std::vector<MakeScenario> ChoiceScenarios(Flaw flaw = Flaw::kNone);
std::vector<MakeScenario> HistoryScenarios(Flaw flaw = Flaw::kNone);
std::vector<MakeScenario> ProbeScenarios();
// All of these scenarios.
std::vector<MakeScenario> Scenarios(Flaw flaw = Flaw::kNone);

}  // namespace storekeeper
