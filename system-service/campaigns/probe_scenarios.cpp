// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/pages.h"
#include "campaigns/scenario.h"
#include "latency/probe.h"
#include "testing/fake_clock.h"
#include "testing/forwarding_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kName[] = "probe";
constexpr uint32_t kKibPerDay = 256;
constexpr int64_t kPageKib = 4;

// Counts the pages that the probe reads and writes, and marks each.
class Counted : public ForwardingSyscalls {
  public:
    Counted(ScenarioDisk* disk, CrashMarks* marks)
          : ForwardingSyscalls(*disk), disk_(*disk), marks_(*marks) {}

    Result<size_t> Pread(borrowed_fd fd, void* buffer, size_t size, off_t offset) override {
        Result<size_t> count = ForwardingSyscalls::Pread(fd, buffer, size, offset);
        // The first page holds the budget, so its reads do not count.
        if (count.ok() && *count != 0 && offset != 0) Mark();
        return count;
    }
    Result<size_t> Pwrite(borrowed_fd fd, const void* buffer, size_t size, off_t offset) override {
        Result<size_t> count = ForwardingSyscalls::Pwrite(fd, buffer, size, offset);
        if (count.ok()) Mark();
        return count;
    }

  private:
    void Mark() {
        marks_.done += kPageKib;
        disk_.Mark(marks_);
    }

    ScenarioDisk& disk_;
    CrashMarks& marks_;
};

// Within a day, no more than the budget is read and written, wherever the probe is stopped.
class ProbeScenario : public Scenario {
  public:
    ProbeScenario(std::string name, bool filled) : name_(std::move(name)), filled_(filled) {}

    std::string name() const override { return name_; }

    DiskImage Begin() override {
        if (!filled_) return {};
        CrashDisk disk;
        FakeClock clock;
        CrashMarks marks;
        std::vector<std::string> errors;
        Run(&disk, &clock, "0", &marks, &errors);
        return disk.image();
    }

    std::vector<std::string> Work(ScenarioDisk* disk) override {
        FakeClock clock;
        // After two days the used budget no longer counts.
        if (filled_) clock.Advance(std::chrono::hours(48));
        CrashMarks marks;
        std::vector<std::string> errors;
        for (int i = 0; i < 3; ++i) Run(disk, &clock, "0", &marks, &errors);
        return errors;
    }

    std::string Check(ScenarioDisk*, const CrashMarks&) override { return ""; }

    std::string GoOn(ScenarioDisk* disk, const CrashMarks& marks) override {
        CrashMarks now = marks;
        std::vector<std::string> errors;
        for (int boot = 1; boot < 4; ++boot) {
            FakeClock clock;
            clock.Reboot(std::chrono::seconds(50));
            Run(disk, &clock, std::to_string(boot), &now, &errors);
        }
        if (!errors.empty()) return errors[0];
        // Permitted beyond the budget: the page under way at the power cut, and one page for each
        // run that failed.
        if (now.done > kKibPerDay + kPageKib * (1 + marks.begun)) {
            return std::to_string(now.done) + " KiB were read and written, " +
                   std::to_string(kKibPerDay) + " KiB a day are allowed";
        }
        return "";
    }

  private:
    void Run(ScenarioDisk* disk, FakeClock* clock, const std::string& boot, CrashMarks* marks,
             std::vector<std::string>* errors) {
        tree_.Write(kBootIdPath, boot + "\n");
        Counted calls(disk, marks);
        Probe probe(calls, files_, *clock, {.path = disk->Path(kName), .kib_per_day = kKibPerDay});
        const auto samples = probe.Run(StopSignal());
        if (!samples.ok()) {
            errors->push_back(samples.error().message());
            ++marks->begun;
            disk->Mark(*marks);
        }
        clock->Advance(std::chrono::minutes(1));
    }

    const std::string name_;
    const bool filled_;
    Tree tree_;
    FileReader files_ = tree_.files();
};

}  // namespace

std::vector<MakeScenario> ProbeScenarios() {
    return {[] { return std::make_unique<ProbeScenario>("probe-first", false); },
            [] { return std::make_unique<ProbeScenario>("probe", true); }};
}

std::vector<MakeScenario> Scenarios(Flaw flaw) {
    std::vector<MakeScenario> all;
    for (const auto& some :
         {RecordScenarios(), ChoiceScenarios(flaw), HistoryScenarios(flaw), ProbeScenarios()}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

}  // namespace storekeeper
