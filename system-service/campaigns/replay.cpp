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
#include <array>
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

// What is as Android has it: blocks of 4 KiB, noatime. The rest is as small as may be, so that a
// state takes a fraction of a second.
struct FileSystem {
    std::string name;
    uint64_t bytes = 0;
    uint64_t unit = 0;  // of the size that `make` is given behind the device
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
    // Its tools' smallest.
    return {.name = name,
            .bytes = 64 << 20,
            .unit = 512,
            .make = {"mkfs.f2fs", "-q", "-f"},
            .check = {"fsck.f2fs", "--dry-run"}};
}

constexpr char kFolder[] = "/mnt";
// In the root of the file system.
constexpr char kState[] = "/state";
constexpr char kNeighbour[] = "/neighbour";

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

// "" when it ended well and found nothing.
std::string Run(std::vector<std::string> arguments) {
    const std::string name = arguments[0];
    const Result<ChildAnswer> answer = RunChild(arguments, "/", -1);
    if (!answer.ok()) return name + ": " + answer.error().message();
    if (answer->ok() && answer->out.find("[Fail]") == std::string::npos) return "";
    std::vector<std::string> lines = android::base::Split(answer->out + answer->err, "\n");
    std::string said;
    for (const std::string& line : lines) {
        // Of fsck.f2fs: what is in order.
        if (line.empty() || line.find("[Ok..]") != std::string::npos) continue;
        said += (said.empty() ? "" : " | ") + line;
    }
    return name + ": " + answer->Ending() + ": " + said;
}

std::string TextOf(const CrashMarks& marks) {
    // One word: device mapper's messages end at blanks.
    return std::to_string(marks.begun) + "," + std::to_string(marks.kept) + "," +
           std::to_string(marks.done);
}

Result<CrashMarks> MarksOf(const std::string& text) {
    const std::vector<std::string> parts = android::base::Split(text, ",");
    CrashMarks marks;
    if (parts.size() != 3 || !android::base::ParseInt(parts[0], &marks.begun) ||
        !android::base::ParseInt(parts[1], &marks.kept) ||
        !android::base::ParseInt(parts[2], &marks.done)) {
        return Error() << "the mark '" << text << "' is not of this campaign";
    }
    return marks;
}

class ScenarioReplay {
  public:
    ScenarioReplay(const std::string& file_system, const CampaignOptions& options,
                   Scenario* scenario, CampaignResult* result)
          : type_(FileSystemOf(file_system)),
            options_(options),
            scenario_(*scenario),
            result_(*result) {}

    Result<void> Run() {
        TRY(Prepare());
        TRY(CopyDisk());
        TRY(Record());
        const unique_fd log = TRY(calls_.Open(Device(kLog), O_RDONLY | O_DIRECT));
        const unique_fd copy = TRY(calls_.Open(Device(kCopy), O_RDWR | O_DIRECT));
        Replayer replayer(calls_, TRY(ReadWriteLog(calls_, log, kLogBytes)),
                          {.log = log, .target = copy});
        for (uint64_t number = 0; TRY(replayer.Next()); ++number) {
            if (!IsWanted(number, replayer.position())) continue;
            const std::string wrong = TRY(Try(replayer.marks()));
            ++result_.tried[scenario_.name()];
            if (wrong.empty()) continue;
            result_.failures.push_back(NameOf(replayer.position()) + "  " + wrong);
            if (++failures_ == options_.max_failures) return {};
        }
        return CompareDisks();
    }

  private:
    enum Number { kDisk, kLog, kCopy, kScratch };
    static constexpr uint64_t kLogBytes = 64 << 20;
    static constexpr size_t kPiece = 1 << 20;

    static std::string Device(Number number) { return "/dev/ram" + std::to_string(number); }
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
        more.folder = std::string(kFolder) + kState;
        more.takes_sqlite = options_.seed % 2 == 0;
        more.flaw = options_.flaw;
        return RealDisk(std::move(more));
    }

    // A file system with what is there before, all of it synced.
    Result<void> Prepare() {
        std::vector<std::string> make = type_.make;
        make.push_back(Device(kDisk));
        make.push_back(std::to_string(type_.bytes / type_.unit));
        if (const std::string wrong = storekeeper::Run(make); !wrong.empty())
            return Error() << wrong;
        const auto mounted = TRY(Mount(Device(kDisk)));
        for (const char* name : {kState, kNeighbour}) {
            if (mkdir((std::string(kFolder) + name).c_str(), 0700) != 0)
                return ErrnoError() << name;
        }
        TRY(Disk().Put(scenario_.Begin()));
        return mounted->Unmount();
    }

    Result<void> Record() {
        MappedDevice recorder = TRY(
                MappedDevice::Create(calls_, {.name = "replay-recorder",
                                              .bytes = type_.bytes,
                                              .target = "log-writes",
                                              .parameters = Device(kDisk) + " " + Device(kLog)}));
        const auto mounted = TRY(Mount(recorder.node()));
        Neighbour neighbour(std::string(kFolder) + kNeighbour, options_.seed);
        Result<void> marked;
        RealDisk disk = Disk({.mark =
                                      [&](const CrashMarks& marks) {
                                          if (!marked.ok()) return;
                                          marked = recorder.Send("mark " + TextOf(marks));
                                      },
                              .meanwhile = [&] { neighbour.Act(); }});
        const std::vector<std::string> errors = scenario_.Work(&disk);
        if (!marked.ok()) return marked;
        if (!errors.empty()) return Error() << scenario_.name() << ": " << errors[0];
        TRY(mounted->Unmount());
        return recorder.Remove();
    }

    // What is wrong with the state that the copy is in.
    Result<std::string> Try(const std::vector<std::string>& marks) {
        // In memory alone, in chunks of 4 KiB.
        MappedDevice snapshot =
                TRY(MappedDevice::Create(calls_, {.name = "replay-state",
                                                  .bytes = type_.bytes,
                                                  .target = "snapshot",
                                                  .parameters = Device(kCopy) + " " +
                                                                Device(kScratch) + " N 8"}));
        std::string wrong = TRY(Open(snapshot.node(), marks));
        if (wrong.empty()) {
            std::vector<std::string> check = type_.check;
            check.push_back(snapshot.node());
            wrong = storekeeper::Run(check);
        }
        TRY(snapshot.Remove());
        return wrong;
    }

    Result<std::string> Open(const std::string& device, const std::vector<std::string>& marks) {
        const auto mounted = Mount(device);
        if (!mounted.ok()) return mounted.error().message();
        RealDisk disk = Disk();
        std::string wrong;
        CrashMarks last;
        bool begun = false;
        for (const std::string& mark : marks) {
            if (mark.empty() || !wrong.empty()) continue;
            last = TRY(MarksOf(mark));
            begun = true;
            wrong = scenario_.Check(&disk, last);
        }
        if (begun && wrong.empty()) wrong = scenario_.GoOn(&disk, last);
        TRY((*mounted)->Unmount());
        return wrong;
    }

    Result<void> ForEachPiece(int target_flags,
                              const std::function<Result<void>(char* disk, char* copy, off_t at,
                                                               const unique_fd& to)>& each) {
        const unique_fd disk = TRY(calls_.Open(Device(kDisk), O_RDONLY | O_DIRECT));
        const unique_fd copy = TRY(calls_.Open(Device(kCopy), target_flags | O_DIRECT));
        alignas(4096) static std::array<char, kPiece> from;
        alignas(4096) static std::array<char, kPiece> to;
        for (uint64_t at = 0; at < type_.bytes; at += kPiece) {
            const auto offset = static_cast<off_t>(at);
            if (TRY(calls_.Pread(disk, from.data(), kPiece, offset)) != kPiece ||
                TRY(calls_.Pread(copy, to.data(), kPiece, offset)) != kPiece) {
                return Error() << Device(kCopy) << ": shorter than " << type_.bytes << " bytes";
            }
            if (from != to) TRY(each(from.data(), to.data(), offset, copy));
        }
        return {};
    }

    Result<void> CopyDisk() {
        return ForEachPiece(O_RDWR,
                            [&](char* disk, char*, off_t at, const unique_fd& to) -> Result<void> {
                                if (TRY(calls_.Pwrite(to, disk, kPiece, at)) != kPiece)
                                    return Error() << "brief write";
                                return {};
                            });
    }

    // All that was recorded was replayed.
    Result<void> CompareDisks() {
        return ForEachPiece(O_RDONLY,
                            [&](char* disk, char* copy, off_t at,
                                const unique_fd&) -> Result<void> {
                                const auto [one, other] = std::mismatch(disk, disk + kPiece, copy);
                                return Error() << scenario_.name()
                                               << ": the replayed log differs from the disk at "
                                               << at + (one - disk) << " bytes";
                            });
    }

    const FileSystem type_;
    const CampaignOptions& options_;
    Scenario& scenario_;
    CampaignResult& result_;
    LinuxSyscalls calls_;
    size_t failures_ = 0;
};

}  // namespace

CampaignResult ReplayCampaign(const std::string& file_system, const CampaignOptions& options) {
    CampaignResult result;
    const std::string only = options.only.substr(0, options.only.find(':'));
    for (const MakeScenario& make : Scenarios(options.flaw)) {
        const std::unique_ptr<Scenario> scenario = make();
        const bool exact = only.size() != options.only.size();
        if (exact ? scenario->name() != only : !scenario->name().starts_with(only)) continue;
        const Result<void> made =
                ScenarioReplay(file_system, options, scenario.get(), &result).Run();
        if (made.ok()) continue;
        result.failures.push_back(scenario->name() + ":" + std::to_string(options.seed) +
                                  "  no campaign: " + made.error().message());
    }
    return result;
}

}  // namespace storekeeper
