// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/campaign.h"

#include <errno.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>

#include "campaigns/crash_states.h"

namespace storekeeper {
namespace {

// One in this many states whose opening writes something is cut off a second time.
constexpr uint64_t kSecondCuts = 3;

bool IsWanted(const std::string& name, const std::string& only) {
    return only.empty() || name == only || name.starts_with(only) || only.starts_with(name + ":");
}

// Runs `work` in as many threads as there are processors, and waits for them.
void InThreads(const std::function<void()>& work) {
    std::vector<std::thread> threads;
    const unsigned count = std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < count; ++i) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
}

// Runs each scenario in one thread, with as many threads as there are processors.
CampaignResult ForEachScenario(
        const CampaignOptions& options,
        const std::function<void(Scenario* scenario, CampaignResult* result)>& run) {
    std::mutex lock;
    CampaignResult all;
    std::vector<MakeScenario> left = Scenarios(options.flaw);
    const auto work = [&] {
        for (;;) {
            MakeScenario make;
            {
                const std::lock_guard guard(lock);
                if (left.empty()) return;
                make = std::move(left.back());
                left.pop_back();
            }
            const std::unique_ptr<Scenario> scenario = make();
            if (!IsWanted(scenario->name(), options.only)) continue;
            CampaignResult result;
            run(scenario.get(), &result);
            const std::lock_guard guard(lock);
            all.Add(result);
        }
    };
    InThreads(work);
    std::sort(all.failures.begin(), all.failures.end());
    return all;
}

// Reports success for syncs that it does not make.
class FlawedDisk : public CrashDisk {
  public:
    FlawedDisk(DiskImage image, Flaw flaw) : CrashDisk(std::move(image)), flaw_(flaw) {}

  protected:
    int Fate(const char* call, const std::string& object) override {
        if (!std::string_view(call).ends_with("sync")) return 0;
        const Flaw flaw = object == kFolder ? Flaw::kNoFolderSync : Flaw::kNoFileSync;
        return flaw == flaw_ ? kNothing : 0;
    }

  private:
    const Flaw flaw_;
};

std::string NameOf(const CrashPoint& point) {
    return std::to_string(point.cut) + ":" + std::to_string(point.variant);
}

class Cutter {
  public:
    Cutter(const CampaignOptions& options, Scenario* scenario, CampaignResult* result)
          : options_(options), scenario_(*scenario), result_(*result) {}

    void Run() {
        const DiskImage begin = scenario_.Begin();
        FlawedDisk disk(begin, options_.flaw);
        scenario_.Work(&disk);
        Cut(begin, disk.log(), nullptr, scenario_.name() + ":");
    }

  private:
    // `before`: the marks of a first cut, or null.
    void Cut(const DiskImage& begin, const std::vector<DiskOperation>& log,
             const CrashMarks* before, const std::string& name) {
        ForEachCrashState(begin, log,
                          [&](const CrashPoint& point, const CrashMarks& marks,
                              const DiskImage& left) {
                              Try(name + NameOf(point), before == nullptr ? marks : *before, left,
                                  before == nullptr);
                              return result_.failures.size() < options_.max_failures;
                          });
    }

    void Try(const std::string& name, const CrashMarks& marks, const DiskImage& left,
             bool is_first) {
        uint64_t hash = left.Hash();
        for (const int64_t mark : {marks.begun, marks.kept, marks.done}) {
            hash = (hash ^ static_cast<uint64_t>(mark)) * 0x9e3779b97f4a7c15;
        }
        const bool named = options_.only == name;
        if (options_.only.starts_with(name + "/") && is_first) return CutAgain(name, marks, left);
        if (options_.only.find(':') != std::string::npos && !named) return;
        if (!named && !seen_.insert(hash).second) return;
        // The upper bits are used, because the lower ones choose the states for a second cut.
        if (!named && (hash >> 32) % options_.stride != 0 && !result_.tried.empty()) return;
        ++result_.tried[scenario_.name()];
        FlawedDisk opened(left, options_.flaw);
        std::string wrong = scenario_.Check(&opened, marks);
        if (wrong.empty()) {
            FlawedDisk used(left, options_.flaw);
            wrong = scenario_.GoOn(&used, marks);
        }
        if (!wrong.empty()) result_.failures.push_back(name + "  " + wrong);
        if (wrong.empty() && is_first && hash % kSecondCuts == 0 && !opened.log().empty()) {
            CutAgain(name, marks, left);
        }
    }

    void CutAgain(const std::string& name, const CrashMarks& marks, const DiskImage& left) {
        FlawedDisk opened(left, options_.flaw);
        scenario_.Check(&opened, marks);
        Cut(left, opened.log(), &marks, name + "/");
    }

    const CampaignOptions& options_;
    Scenario& scenario_;
    CampaignResult& result_;
    std::set<uint64_t> seen_;
};

// A call that fails, or all calls from it on.
struct Fault {
    size_t number = 0;  // number of the call, from 1; 0 for none
    int fate = 0;
    bool lasts = false;
};

class FaultyDisk : public CrashDisk {
  public:
    FaultyDisk(DiskImage image, const Fault& fault) : CrashDisk(std::move(image)), fault_(fault) {}

    static std::vector<int> FatesOf(std::string_view call) {
        static const std::map<std::string_view, std::vector<int>> kFates =
                {{"open", {EIO, ENOSPC, EROFS, EACCES, ENOENT, EMFILE, EINTR}},
                 {"pread", {EIO, EINTR, kBrief}},
                 {"pwrite", {EIO, ENOSPC, EROFS, EINTR, kBrief}},
                 {"fsync", {EIO, ENOSPC, EROFS, EINTR}},
                 {"fdatasync", {EIO, ENOSPC, EROFS, EINTR}},
                 {"ftruncate", {EIO, ENOSPC, EROFS, EINTR}},
                 {"fchmod", {EIO, EROFS, EPERM}},
                 {"fstat", {EIO}},
                 {"lstat", {EIO, EACCES}},
                 {"access", {EIO, EACCES, EROFS}},
                 {"rename", {EIO, ENOSPC, EROFS, EACCES}},
                 {"renameat2", {EIO, ENOSPC, EROFS, EACCES, EINVAL}},
                 {"unlink", {EIO, EROFS, EACCES}}};
        const auto fates = kFates.find(call);
        return fates == kFates.end() ? std::vector<int>() : fates->second;
    }

    // Names of the calls in their order.
    const std::vector<std::string>& calls() const { return calls_; }

  protected:
    int Fate(const char* call, const std::string&) override {
        calls_.emplace_back(call);
        const size_t number = calls_.size();
        if (fault_.number == 0 || number < fault_.number) return 0;
        if (number > fault_.number && !fault_.lasts) return 0;
        if (fault_.fate == kBrief || number == fault_.number) return fault_.fate;
        // A lasting error hits all later calls that may give it.
        const std::vector<int> fates = FatesOf(call);
        return std::find(fates.begin(), fates.end(), fault_.fate) == fates.end() ? 0 : fault_.fate;
    }

  private:
    const Fault fault_;
    std::vector<std::string> calls_;
};

CrashMarks LastMarks(const CrashDisk& disk) {
    for (size_t i = disk.log().size(); i-- > 0;) {
        const DiskOperation& operation = disk.log()[i];
        if (operation.kind == DiskOperation::Kind::kMark) return operation.marks;
    }
    return {};
}

std::string TryState(Scenario* scenario, const DiskImage& left, const CrashMarks& marks) {
    CrashDisk opened(left);
    const std::string wrong = scenario->Check(&opened, marks);
    if (!wrong.empty()) return wrong;
    CrashDisk used(left);
    return scenario->GoOn(&used, marks);
}

std::string TryFault(Scenario* scenario, const DiskImage& begin, const Fault& fault) {
    FaultyDisk disk(begin, fault);
    for (const std::string& error : scenario->Work(&disk)) {
        if (error.find(CrashDisk::kFolder) == std::string::npos) return "unnamed: " + error;
    }
    const CrashMarks marks = LastMarks(disk);
    const std::string wrong = TryState(scenario, disk.image(), marks);
    if (!wrong.empty()) return wrong;
    // Data lost by a failed sync is not on the disk after a power cut either.
    std::set<uint64_t> tried = {disk.image().Hash()};
    for (const bool unsynced_kept : {false, true}) {
        const DiskImage left = AfterPowerCut(begin, disk.log(), unsynced_kept);
        if (!tried.insert(left.Hash()).second) continue;
        const std::string cut = TryState(scenario, left, marks);
        if (!cut.empty()) return "after a power cut: " + cut;
    }
    return "";
}

CampaignResult FailCalls(const CampaignOptions& options, const MakeScenario& make) {
    CampaignResult result;
    const std::unique_ptr<Scenario> counted = make();
    const std::string scenario = counted->name();
    if (!IsWanted(scenario, options.only)) return result;
    const DiskImage begin = counted->Begin();
    FaultyDisk disk(begin, {});
    counted->Work(&disk);
    std::vector<CampaignCase> cases;
    for (size_t number = 1; number <= disk.calls().size(); ++number) {
        const std::string& call = disk.calls()[number - 1];
        for (const int fate : FaultyDisk::FatesOf(call)) {
            for (const bool lasts : {false, true}) {
                const std::string name = scenario + ":" + std::to_string(number) + ":" + call +
                                         ":" + std::to_string(fate) + (lasts ? ":on" : "");
                if (options.only.find(':') != std::string::npos && options.only != name) continue;
                if (options.only != name && number % options.stride != 0) continue;
                const Fault fault{.number = number, .fate = fate, .lasts = lasts};
                cases.push_back({scenario, name, [&make, &begin, fault] {
                                     return TryFault(make().get(), begin, fault);
                                 }});
            }
        }
    }
    TryCases(cases, options.max_failures, &result);
    return result;
}

}  // namespace

uint64_t CampaignResult::total() const {
    uint64_t sum = 0;
    for (const auto& [name, count] : tried) sum += count;
    return sum;
}

void CampaignResult::Add(const CampaignResult& other) {
    for (const auto& [name, count] : other.tried) tried[name] += count;
    failures.insert(failures.end(), other.failures.begin(), other.failures.end());
}

void TryCases(const std::vector<CampaignCase>& cases, size_t max_failures, CampaignResult* result) {
    std::mutex lock;
    size_t next = 0;
    InThreads([&] {
        for (;;) {
            const CampaignCase* tried = nullptr;
            {
                const std::lock_guard guard(lock);
                if (next == cases.size() || result->failures.size() >= max_failures) return;
                tried = &cases[next++];
                ++result->tried[tried->scenario];
            }
            const std::string wrong = tried->run();
            const std::lock_guard guard(lock);
            if (!wrong.empty()) result->failures.push_back(tried->name + "  " + wrong);
        }
    });
}

CampaignResult CrashCampaign(const CampaignOptions& options) {
    return ForEachScenario(options, [&](Scenario* scenario, CampaignResult* result) {
        Cutter(options, scenario, result).Run();
    });
}

CampaignResult CallCampaign(const CampaignOptions& options) {
    CampaignResult all;
    for (const MakeScenario& make : Scenarios(options.flaw)) all.Add(FailCalls(options, make));
    std::sort(all.failures.begin(), all.failures.end());
    return all;
}

}  // namespace storekeeper
