// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/replay.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/try.h"
#include "bench/system/processes.h"
#include "campaigns/device_mapper.h"
#include "campaigns/real_disk.h"
#include "campaigns/write_log.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// Block size and noatime are as on Android. The file systems are as small as possible, so that a
// state takes a fraction of a second.
struct FileSystem {
    std::string name;
    uint64_t bytes = 0;
    uint64_t unit = 0;  // unit of the size that is the last argument of `make`
    std::vector<std::string> make;
    std::vector<std::string> check;
};

FileSystem FileSystemOf(const std::string& name) {
    if (name == "ext4") {
        return {.name = name,
                .bytes = 16 << 20,
                .unit = 4096,
                .make = {"mke2fs", "-q", "-F", "-t", "ext4", "-b", "4096", "-m", "0", "-N", "128"},
                .check = {"e2fsck", "-f", "-n"}};
    }
    // The smallest size that its tools accept.
    return {.name = name,
            .bytes = 64 << 20,
            .unit = 512,
            .make = {"mkfs.f2fs", "-q", "-f"},
            .check = {"fsck.f2fs", "--dry-run"}};
}

constexpr char kFolder[] = "/mnt";
constexpr char kState[] = "/mnt/state";
constexpr char kNeighbour[] = "/mnt/neighbour";

// kBase has an empty file system, of which the first two snapshots are made. kLog has the log of
// log-writes. The others have the changes of one snapshot each.
enum RamDisk { kBase, kLog, kDiskChanges, kCopyChanges, kStateChanges };
constexpr uint64_t kLogBytes = 64 << 20;

std::string Device(RamDisk number) {
    return "/dev/ram" + std::to_string(number);
}

class Mounted {
  public:
    static Result<std::unique_ptr<Mounted>> At(const std::string& device, const std::string& type) {
        constexpr unsigned long kFlags = MS_NOATIME | MS_NOSUID | MS_NODEV;
        if (mount(device.c_str(), kFolder, type.c_str(), kFlags, nullptr) != 0) {
            return ErrnoError() << "cannot mount " << device;
        }
        return std::unique_ptr<Mounted>(new Mounted());
    }
    ~Mounted() {
        if (mounted_) umount2(kFolder, MNT_DETACH);
    }
    Mounted(const Mounted&) = delete;

    Result<void> Unmount() {
        if (umount(kFolder) != 0) return ErrnoError() << "cannot unmount " << kFolder;
        mounted_ = false;
        return {};
    }

  private:
    Mounted() = default;

    bool mounted_ = true;
};

// Runs a program. "" if it ended well and found no fault.
std::string Run(std::vector<std::string> arguments) {
    const std::string name = arguments[0];
    const Result<ChildAnswer> answer = RunChild(arguments, "/", -1);
    if (!answer.ok()) return name + ": " + answer.error().message();
    if (answer->ok() && answer->out.find("[Fail]") == std::string::npos) return "";
    std::vector<std::string> lines = android::base::Split(answer->out + answer->err, "\n");
    std::string said;
    for (const std::string& line : lines) {
        // fsck.f2fs prints these lines for parts without a fault.
        if (line.empty() || line.find("[Ok..]") != std::string::npos) continue;
        said += (said.empty() ? "" : " | ") + line;
    }
    return name + ": " + answer->Ending() + ": " + said;
}

std::string TextOf(const CrashMarks& marks) {
    // The text is one word, because device mapper's messages end at blanks.
    return std::to_string(marks.begun) + "," + std::to_string(marks.kept) + "," +
           std::to_string(marks.done);
}

Result<std::vector<CrashMarks>> MarksOf(const std::vector<std::string>& texts) {
    std::vector<CrashMarks> all;
    for (const std::string& text : texts) {
        if (text.empty()) continue;
        const std::vector<std::string> parts = android::base::Split(text, ",");
        CrashMarks marks;
        if (parts.size() != 3 || !android::base::ParseInt(parts[0], &marks.begun) ||
            !android::base::ParseInt(parts[1], &marks.kept) ||
            !android::base::ParseInt(parts[2], &marks.done)) {
            return Error() << "the mark '" << text << "' is not of this campaign";
        }
        all.push_back(marks);
    }
    return all;
}

class ScenarioReplay {
  public:
    ScenarioReplay(const FileSystem& type, const CampaignOptions& options, Scenario* scenario,
                   CampaignResult* result)
          : type_(type), options_(options), scenario_(*scenario), result_(*result) {}

    Result<void> Run() {
        const MappedDevice disk = TRY(Snapshot("replay-disk", Device(kBase), kDiskChanges));
        TRY(Record(disk.node()));
        const MappedDevice copy = TRY(Snapshot("replay-copy", Device(kBase), kCopyChanges));
        const unique_fd log = TRY(calls_.Open(Device(kLog), O_RDONLY | O_DIRECT));
        const unique_fd target = TRY(calls_.Open(copy.node(), O_RDWR | O_DIRECT));
        Replayer replayer(calls_, TRY(ReadWriteLog(calls_, log, kLogBytes)),
                          {.log = log, .target = target});
        uint64_t number = 0;
        while (TRY(replayer.Next())) {
            const std::vector<CrashMarks> marks = TRY(MarksOf(replayer.marks()));
            // Without a mark the scenario has not begun.
            if (marks.empty() || !IsWanted(number++, replayer.position())) continue;
            const std::string wrong = TRY(Try(copy.node(), marks));
            ++result_.tried[scenario_.name()];
            if (wrong.empty()) continue;
            result_.failures.push_back(NameOf(replayer.position()) + "  " + wrong);
            if (++failures_ == options_.max_failures) return {};
        }
        // Checks that all recorded writes were replayed.
        const unique_fd recorded = TRY(calls_.Open(disk.node(), O_RDONLY | O_DIRECT));
        TRY(replayer.CompareWith(recorded));
        return {};
    }

  private:
    std::string NameOf(size_t position) const {
        return scenario_.name() + ":" + std::to_string(options_.seed) + ":" +
               std::to_string(position);
    }
    bool IsWanted(uint64_t number, size_t position) const {
        if (options_.only.find(':') != std::string::npos) return NameOf(position) == options_.only;
        return number % options_.stride == options_.stride / 2;
    }
    Result<std::unique_ptr<Mounted>> Mount(const std::string& device) const {
        return Mounted::At(device, type_.name);
    }
    RealDisk Disk(RealDisk::Options more = {}) const {
        more.folder = kState;
        more.takes_sqlite = options_.seed % 2 == 0;
        more.flaw = options_.flaw;
        return RealDisk(std::move(more));
    }

    // A writable snapshot of `origin`, whose changes are in memory, in chunks of 4 KiB.
    Result<MappedDevice> Snapshot(const std::string& name, const std::string& origin,
                                  RamDisk changes) {
        return MappedDevice::Create(calls_,
                                    {.name = name,
                                     .bytes = type_.bytes,
                                     .target = "snapshot",
                                     .parameters = origin + " " + Device(changes) + " N 8"});
    }

    // Records the scenario. The preparation is recorded as well, but without a mark.
    Result<void> Record(const std::string& device) {
        MappedDevice recorder =
                TRY(MappedDevice::Create(calls_, {.name = "replay-recorder",
                                                  .bytes = type_.bytes,
                                                  .target = "log-writes",
                                                  .parameters = device + " " + Device(kLog)}));
        const auto mounted = TRY(Mount(recorder.node()));
        for (const char* name : {kState, kNeighbour}) {
            if (mkdir(name, 0700) != 0) return ErrnoError() << "cannot make " << name;
        }
        Neighbour neighbour(kNeighbour, options_.seed);
        Result<void> marked;
        RealDisk disk = Disk({.mark =
                                      [&](const CrashMarks& marks) {
                                          if (!marked.ok()) return;
                                          marked = recorder.Send("mark " + TextOf(marks));
                                      },
                              .meanwhile = [&](int written) { neighbour.Act(written); }});
        TRY(disk.Put(scenario_.Begin()));
        sync();
        const std::vector<std::string> errors = scenario_.Work(&disk);
        TRY(std::move(marked));
        if (!errors.empty()) return Error() << errors[0];
        TRY(mounted->Unmount());
        return recorder.Remove();
    }

    // Returns the problem of the state on the device, "" if there is none.
    Result<std::string> Try(const std::string& device, const std::vector<CrashMarks>& marks) {
        const MappedDevice state = TRY(Snapshot("replay-state", device, kStateChanges));
        std::string wrong = TRY(Open(state.node(), marks));
        if (!wrong.empty()) return wrong;
        std::vector<std::string> check = type_.check;
        check.push_back(state.node());
        return storekeeper::Run(check);
    }

    Result<std::string> Open(const std::string& device, const std::vector<CrashMarks>& marks) {
        const auto mounted = Mount(device);
        if (!mounted.ok()) return mounted.error().message();
        RealDisk disk = Disk();
        std::string wrong;
        for (const CrashMarks& at : marks) {
            if (wrong.empty()) wrong = scenario_.Check(&disk, at);
        }
        if (wrong.empty()) wrong = scenario_.GoOn(&disk, marks.back());
        TRY((*mounted)->Unmount());
        return wrong;
    }

    const FileSystem& type_;
    const CampaignOptions& options_;
    Scenario& scenario_;
    CampaignResult& result_;
    LinuxSyscalls calls_;
    size_t failures_ = 0;
};

}  // namespace

CampaignResult ReplayCampaign(const std::string& file_system, const CampaignOptions& options) {
    CampaignResult result;
    const auto fails = [&](const std::string& name, const std::string& why) {
        result.failures.push_back(name + ":" + std::to_string(options.seed) +
                                  "  no campaign: " + why);
    };
    const FileSystem type = FileSystemOf(file_system);
    std::vector<std::string> make = type.make;
    make.push_back(Device(kBase));
    make.push_back(std::to_string(type.bytes / type.unit));
    if (const std::string wrong = Run(make); !wrong.empty()) fails(file_system, wrong);
    const std::string only = options.only.substr(0, options.only.find(':'));
    const bool is_exact = only.size() != options.only.size();
    for (const MakeScenario& of : Scenarios(options.flaw)) {
        const std::unique_ptr<Scenario> scenario = of();
        if (is_exact ? scenario->name() != only : !scenario->name().starts_with(only)) continue;
        const Result<void> made = ScenarioReplay(type, options, scenario.get(), &result).Run();
        if (!made.ok()) fails(scenario->name(), made.error().message());
    }
    return result;
}

}  // namespace storekeeper
