// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/file.h>
#include <android-base/properties.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/syscalls.h"
#include "base/try.h"
#include "bench/ager.h"
#include "bench/bench_result.h"
#include "bench/comparison.h"
#include "bench/device_reader.h"
#include "bench/fio.h"
#include "bench/job_file.h"
#include "bench/options.h"
#include "bench/runner.h"
#include "bench/system/files.h"
#include "bench/system/processes.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;

constexpr char kUsage[] =
        "Usage: storekeeper_bench run [--matrix seed|quick|full|FILE.fio] [--dir DIR] [--repeat "
        "N]\n"
        "                             [--fio PROGRAM] [--json] [--output FILE]\n"
        "       storekeeper_bench age --until-free 300M [--churn N] [--keep] [--dir DIR] "
        "[--json]\n"
        "       storekeeper_bench compare A.json B.json [--json]\n"
        "run      measures the file system of DIR (/data/local/tmp) with fio, N times (5), and "
        "reports\n"
        "         which figures are VALID, SUSPECT or INVALID, and why; --output keeps the JSON\n"
        "age      fills it with sequential data until so much is free, then writes 4 KiB N times "
        "at\n"
        "         random in the rest; fills on where it was stopped; removes all unless --keep\n"
        "compare  the change from A to B, with confidence\n"
        "Exit codes: 0, 64 wrong usage, 65 malformed input, a job is not possible\n"
        "there, or no figure of two can be compared, 66 a file cannot be read, 69 no fio 3, or it\n"
        "failed, 70 fio's answer makes no sense, 73 nothing can be written there, 74 I/O error or "
        "no\n"
        "space, 75 stopped, in use, or fio was killed\n";

constexpr char kRunFolder[] = "storekeeper_bench.run";
constexpr char kAgeFolder[] = "storekeeper_bench.age";
constexpr size_t kMaxResult = 64 * 1024 * 1024;

// Errors carry errno; this is what they mean to whoever called. What it does not cover is `other`.
int ExitCodeOf(int error, int other) {
    switch (error) {
        case EINTR:
        case EWOULDBLOCK:
        case ECHILD:
            return EX_TEMPFAIL;
        case EROFS:
        case EACCES:
        case EPERM:
        case EEXIST:
            return EX_CANTCREAT;
        case ENOSPC:
        case EDQUOT:
        case EIO:
        case EFBIG:
        case EUCLEAN:
        // What the block layer makes of a medium's error and of a transport's
        // (blk_errors of block/blk-core.c).
        case ENODATA:
        case EILSEQ:
        case EREMOTEIO:
        case ENOLINK:
        case ETIMEDOUT:
        case ENODEV:
        case ENXIO:
        case ENOMEDIUM:
            return EX_IOERR;
        case ENOTSUP:
            return EX_UNAVAILABLE;
        case EPROTO:
            return EX_SOFTWARE;
        default:
            return other;
    }
}

int Fail(int code, const std::string& message) {
    fprintf(stderr, "storekeeper_bench: %s\n", message.c_str());
    return code;
}

template <typename T>
int Fail(const Result<T>& result, int other) {
    return Fail(ExitCodeOf(result.error().code(), other), result.error().message());
}

int Print(const std::string& text) {
    if (fputs(text.c_str(), stdout) < 0 || fflush(stdout) != 0) {
        return Fail(EX_IOERR, std::string("cannot write to standard output: ") + strerror(errno));
    }
    return EX_OK;
}

// One line that is written over, on a terminal only.
class Progress {
  public:
    ~Progress() { Clear(); }
    void Show(const std::string& what) {
        if (!is_terminal_) return;
        fprintf(stderr, "\r\033[K%s", what.c_str());
        fflush(stderr);
    }
    void Clear() { Show(""); }

  private:
    const bool is_terminal_ = isatty(STDERR_FILENO) == 1;
};

Result<std::string> ReadPlainFile(const std::string& path, size_t limit) {
    // Neither waits for the other end of a pipe nor reads a device.
    android::base::unique_fd fd(
            TEMP_FAILURE_RETRY(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)));
    struct stat of = {};
    if (!fd.ok() || fstat(fd.get(), &of) != 0) return ErrnoError() << "cannot read " << path;
    if (!S_ISREG(of.st_mode)) return Error() << path << " is not a plain file";
    if (static_cast<uint64_t>(of.st_size) > limit) {
        return Error() << path << " is longer than " << limit << " bytes";
    }
    std::string text;
    if (!android::base::ReadFdToString(fd, &text)) return ErrnoError() << "cannot read " << path;
    return text;
}

Result<std::string> RealPath(const std::string& path) {
    char real[PATH_MAX];
    if (realpath(path.c_str(), real) == nullptr) return ErrnoError() << "cannot find " << path;
    return std::string(real);
}

// Parts of both verbs that need the kernel.
struct Machine {
    FileReader files;
    LinuxSyscalls syscalls;
    LinuxClock clock;
    Termination termination;
    Progress progress;
};

// For everybody, not for root alone.
Result<uint64_t> FreeBytes(Machine* machine, const std::string& folder) {
    const struct statvfs space = TRY(machine->syscalls.Statvfs(folder));
    return uint64_t{space.f_bavail} * space.f_frsize;
}

// What is not looked for in PATH is found from here: fio is started elsewhere.
Result<std::string> FioProgram(const std::string& given) {
    if (given.empty()) return "fio";
    if (given.find('/') == std::string::npos) return given;
    return RealPath(given);
}

// Without what killed ones have left of either verb, and while no other is at work.
Result<OwnFolder> TakeFolder(const std::string& parent, const char* name) {
    TRY(OwnFolder::RemoveLeftOver(parent, kRunFolder));
    TRY(OwnFolder::RemoveLeftOver(parent, kAgeFolder));
    return OwnFolder::Take(parent, name);
}

Result<BenchResult> RunMatrix(Machine* machine, const BenchOptions& options,
                              const std::vector<BenchJob>& jobs, OwnFolder* folder,
                              const std::string& parent, const std::string& program) {
    const FioRunner fio = TRY(FioRunner::Find(program, machine->termination.fd()));
    const DeviceReader device =
            TRY(DeviceReader::Of(machine->files, machine->syscalls, folder->path()));
    const uint64_t bytes = LargestFile(jobs);
    TRY(CheckRoom(parent, TRY(FreeBytes(machine, folder->path())), bytes));
    BenchPlace place = device.place();
    place.overhead = TRY(fio.Overhead(folder->way()));
    const auto stop = [machine] { return machine->termination.requested(); };
    const BenchTools tools =
            {.fio = [&](const BenchJob& job) { return fio.Run(job, folder->way()); },
             .settle = [&](bool fresh) -> Result<void> {
                 if (stop()) return Error(EINTR) << "it was stopped";
                 if (fresh) TRY(folder->RemoveFile("data"));
                 return SyncFileSystem(folder->way());
             },
             .reread = [&] { return RereadTenth(folder->PathOf("data"), stop); },
             .copy = [&]() -> Result<BenchRepetition> {
                 TRY(folder->RemoveFile("data"));
                 return RunCopyBench(
                         folder, bytes, [&](bool first) { return device.Read(first); }, stop);
             },
             .read = [&](bool first) { return device.Read(first); },
             .progress = [&](const std::string& what) { machine->progress.Show(what); }};
    BenchResult result = {.made = machine->clock.Wall(),
                          .matrix = options.matrix,
                          .fio_version = fio.version(),
                          .model = android::base::GetProperty("ro.product.model", ""),
                          .build = android::base::GetProperty("ro.build.id", ""),
                          .folder = parent,
                          .place = place};
    result.figures = TRY(RunBench(tools, place, jobs, options.repeat));
    return result;
}

int WriteResult(const BenchOptions& options, OutputFile* output, const BenchResult& result) {
    const std::string json = WriteJson(BenchToJson(result));
    const Result<void> written = output == nullptr ? Result<void>() : output->Write(json);
    const int printed = Print(options.json ? json : BenchToText(result));
    return written.ok() ? printed : Fail(EX_IOERR, written.error().message());
}

int Run(const BenchOptions& options) {
    const std::string path = JobFilePath(options.matrix);
    const Result<std::string> text = ReadPlainFile(path, kMaxJobFile);
    if (!text.ok()) return Fail(EX_NOINPUT, text.error().message());
    const Result<std::vector<BenchJob>> jobs = ParseJobFile(*text);
    if (!jobs.ok()) return Fail(EX_DATAERR, path + ": " + jobs.error().message());

    const Result<std::string> parent = RealPath(options.folder);
    if (!parent.ok()) return Fail(EX_NOINPUT, parent.error().message());
    const Result<std::string> program = FioProgram(options.fio);
    if (!program.ok()) return Fail(EX_UNAVAILABLE, program.error().message());
    Machine machine;
    std::optional<OutputFile> output;
    if (!options.output.empty()) {
        Result<OutputFile> opened = OutputFile::Open(options.output);
        if (!opened.ok()) return Fail(EX_CANTCREAT, opened.error().message());
        output.emplace(std::move(*opened));
    }
    Result<OwnFolder> folder = TakeFolder(*parent, kRunFolder);
    if (!folder.ok()) return Fail(folder, EX_CANTCREAT);
    const Result<BenchResult> result =
            RunMatrix(&machine, options, *jobs, &*folder, *parent, *program);
    const Result<void> removed = folder->Remove();
    machine.progress.Clear();
    if (!result.ok()) {
        const int error = result.error().code();
        // What a job asks for is not possible there.
        return Fail(ExitCodeOf(error, error == EINVAL ? EX_DATAERR : EX_UNAVAILABLE),
                    folder->Named(result.error().message()));
    }
    const int code = WriteResult(options, output.has_value() ? &*output : nullptr, *result);
    return removed.ok() ? code : Fail(EX_IOERR, removed.error().message());
}

Result<AgeOutcome> AgeFolder(Machine* machine, const BenchOptions& options, OwnFolder* folder) {
    // Reported before anything is written: a kill leaves what it says.
    TRY(folder->SetKept(options.keep));
    const DeviceReader device =
            TRY(DeviceReader::Of(machine->files, machine->syscalls, folder->path()));
    return AgeFileSystem(machine->syscalls, machine->clock, folder->path(),
                         {.path = [&](const std::string& name) { return folder->PathOf(name); },
                          .stop = [machine] { return machine->termination.requested(); },
                          .progress =
                                  [&](const std::string& what) { machine->progress.Show(what); },
                          .disk_written = [&]() -> std::optional<uint64_t> {
                              const DeviceState state = device.Read(/*clocks_first=*/true);
                              if (!state.disk.has_value()) return std::nullopt;
                              return state.disk->written_bytes;
                          }},
                         {.until_free_bytes = options.until_free_bytes, .churn = options.churn},
                         TRY(folder->Files()));
}

int Age(const BenchOptions& options) {
    const Result<std::string> parent = RealPath(options.folder);
    if (!parent.ok()) return Fail(EX_NOINPUT, parent.error().message());
    Machine machine;
    Result<OwnFolder> folder = TakeFolder(*parent, kAgeFolder);
    if (!folder.ok()) return Fail(folder, EX_CANTCREAT);
    const Result<AgeOutcome> outcome = AgeFolder(&machine, options, &*folder);
    const Result<void> removed = options.keep ? Result<void>() : folder->Remove();
    machine.progress.Clear();
    if (!outcome.ok()) {
        return Fail(ExitCodeOf(outcome.error().code(), EX_IOERR),
                    folder->Named(outcome.error().message()));
    }
    const int code = Print(options.json ? WriteJson(AgeToJson(*outcome, *parent, options.keep))
                                        : AgeToText(*outcome, *parent, options.keep));
    if (!removed.ok()) return Fail(EX_IOERR, removed.error().message());
    if (code != EX_OK) return code;
    return outcome->stopped ? Fail(EX_TEMPFAIL, "stopped") : EX_OK;
}

int Compare(const BenchOptions& options) {
    std::vector<Json::Value> results;
    for (const std::string& path : options.results) {
        const Result<std::string> text = ReadPlainFile(path, kMaxResult);
        if (!text.ok()) return Fail(EX_NOINPUT, text.error().message());
        const Result<Json::Value> json = ParseJsonObject(*text, {.bytes = kMaxResult, .depth = 16});
        if (!json.ok()) return Fail(EX_DATAERR, path + ": " + json.error().message());
        results.push_back(*json);
    }
    const Result<Comparison> comparison = CompareBenches(results[0], results[1]);
    if (!comparison.ok()) return Fail(EX_DATAERR, comparison.error().message());
    const int code = Print(options.json ? WriteJson(ComparisonToJson(*comparison))
                                        : ComparisonToText(*comparison));
    if (code != EX_OK || comparison->any()) return code;
    return Fail(EX_DATAERR, "no figure of the two could be compared: each has its problem above");
}

int Main(const std::vector<std::string>& arguments) {
    const Result<BenchOptions> options = ParseBenchOptions(arguments);
    if (!options.ok()) return Fail(EX_USAGE, options.error().message() + "\n" + kUsage);
    switch (options->verb) {
        case BenchOptions::Verb::kHelp:
            break;
        case BenchOptions::Verb::kRun:
            return Run(*options);
        case BenchOptions::Verb::kAge:
            return Age(*options);
        case BenchOptions::Verb::kCompare:
            return Compare(*options);
    }
    return Print(kUsage);
}

}  // namespace
}  // namespace storekeeper

int main(int argc, char** argv) {
    return storekeeper::Main(std::vector<std::string>(argv + 1, argv + argc));
}
