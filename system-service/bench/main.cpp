// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/file.h>
#include <android-base/properties.h>
#include <android-base/strings.h>
#include <errno.h>
#include <fcntl.h>
#include <sysexits.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <optional>
#include <set>
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
        R"(Usage: storekeeper_bench run [--matrix seed|quick|full|FILE.fio] [--dir DIR] [--repeat N]
                             [--fio PROGRAM] [--json] [--output FILE]
       storekeeper_bench age --until-free SIZE [--churn N] [--keep] [--dir DIR] [--json]
       storekeeper_bench compare A.json B.json [--json]
run      measures the file system of DIR with fio (default: /data/local/tmp, 5 repetitions);
         prints for each figure whether it is VALID, SUSPECT or INVALID, and why
         --output FILE  saves the result as JSON
age      fills the file system of DIR until only SIZE is free, then writes N random pages
         (4 KiB, or 16 on a kernel with such pages); continues a fill that was stopped
         --keep         keeps the files (default: removes them)
compare  prints the change from A to B with its 95 % interval
Exit codes: 0 success, 64 wrong usage, 65 malformed input, a job that DIR cannot run, or no
comparable figure, 66 unreadable file, 69 fio 3 missing or failed, 70 unintelligible answer of
fio, 73 DIR not writable, 74 I/O error or full disk, 75 stopped, folder in use, or fio killed
)";

constexpr char kRunFolder[] = "storekeeper_bench.run";
constexpr char kAgeFolder[] = "storekeeper_bench.age";
constexpr size_t kMaxResult = 64 * 1024 * 1024;

// The exit code for an errno; `other` if the table does not have it.
int ExitCodeOf(int error, int other) {
    // From ENODATA on, these are the block layer's errors of a medium or a transport (blk_errors of
    // block/blk-core.c).
    const std::map<int, std::set<int>> kMeanings = {
            {EX_TEMPFAIL, {EINTR, EWOULDBLOCK, ECHILD}},
            {EX_CANTCREAT, {EROFS, EACCES, EPERM, EEXIST}},
            {EX_IOERR,
             {ENOSPC, EDQUOT, EIO, EFBIG, EUCLEAN, ENODATA, EILSEQ, EREMOTEIO, ENOLINK, ETIMEDOUT,
              ENODEV, ENXIO, ENOMEDIUM}},
            {EX_UNAVAILABLE, {ENOTSUP}},
            {EX_SOFTWARE, {EPROTO}},
    };
    for (const auto& [code, errors] : kMeanings) {
        if (errors.count(error) != 0) return code;
    }
    return other;
}

int Fail(int code, const std::string& message) {
    fprintf(stderr, "storekeeper_bench: %s\n", message.c_str());
    return code;
}

// The result with `code` as its error's code.
template <typename T>
Result<T> WithCode(int code, Result<T> result, const std::string& prefix = "") {
    if (result.ok()) return result;
    return ResultFailure(prefix + result.error().message(), code);
}

// The result with the exit code for its errno as its error's code.
template <typename T>
Result<T> WithExitCode(Result<T> result, int other) {
    const int code = result.ok() ? EX_OK : ExitCodeOf(result.error().code(), other);
    return WithCode(code, std::move(result));
}

// Combines the errors of steps that are all done even if one fails, a line each.
Result<void> CombineErrors(const std::vector<Result<void>>& steps) {
    std::vector<std::string> failed;
    for (const Result<void>& step : steps) {
        if (!step.ok()) failed.push_back(step.error().message());
    }
    if (failed.empty()) return {};
    return ResultFailure(android::base::Join(failed, '\n'), EX_IOERR);
}

Result<void> Print(const std::string& text) {
    if (fputs(text.c_str(), stdout) >= 0 && fflush(stdout) == 0) return {};
    return WithCode<void>(EX_IOERR, ErrnoError() << "cannot write to standard output");
}

// One line that is overwritten; shown on a terminal only.
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
    // O_NONBLOCK: a pipe without another end does not block.
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
    std::string real;
    if (!android::base::Realpath(path, &real)) return ErrnoError() << "cannot find " << path;
    return real;
}

// Services of the system that both verbs use.
struct Machine {
    FileReader files;
    LinuxSyscalls syscalls;
    LinuxClock clock;
    Termination termination;
    Progress progress;
};

// The absolute path of a program outside of PATH, because fio is started in another folder.
Result<std::string> FioProgram(const std::string& given) {
    if (given.find('/') != std::string::npos) return RealPath(given);
    return given.empty() ? "fio" : given;
}

// Takes the folder if no other run uses one, after removing the remains of killed runs of either
// verb.
Result<OwnFolder> AcquireFolder(const std::string& parent, const char* name) {
    TRY(OwnFolder::RemoveLeftOver(parent, kRunFolder));
    TRY(OwnFolder::RemoveLeftOver(parent, kAgeFolder));
    return OwnFolder::Acquire(parent, name);
}

Result<BenchResult> RunMatrix(Machine* machine, const BenchOptions& options,
                              const std::vector<BenchJob>& jobs, OwnFolder* folder,
                              const std::string& parent, const std::string& program) {
    const FioRunner fio = TRY(FioRunner::Find(program, machine->termination.fd()));
    const DeviceReader device =
            TRY(DeviceReader::ForFolder(machine->files, machine->syscalls, folder->path()));
    const uint64_t bytes = LargestFile(jobs);
    TRY(CheckRoom(parent, TRY(FreeBytes(machine->syscalls, folder->path())), bytes));
    BenchPlace place = device.place();
    place.overhead = TRY(fio.Overhead(folder->fd_path()));
    const auto stop = [machine] { return machine->termination.requested(); };
    const BenchTools tools =
            {.fio = [&](const BenchJob& job) { return fio.Run(job, folder->fd_path()); },
             .settle = [&](bool fresh) -> Result<void> {
                 if (stop()) return Error(EINTR) << "stopped by a signal";
                 if (fresh) TRY(folder->RemoveFile("data"));
                 return SyncFileSystem(folder->fd_path());
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

Result<void> Run(const BenchOptions& options) {
    const std::string path = JobFilePath(options.matrix);
    const std::string text = TRY(WithCode(EX_NOINPUT, ReadPlainFile(path, kMaxJobFile)));
    const auto jobs = TRY(WithCode(EX_DATAERR, ParseJobFile(text), path + ": "));
    const std::string parent = TRY(WithCode(EX_NOINPUT, RealPath(options.folder)));
    const std::string program = TRY(WithCode(EX_UNAVAILABLE, FioProgram(options.fio)));
    Machine machine;
    std::optional<OutputFile> output;
    if (!options.output.empty()) {
        output.emplace(TRY(WithCode(EX_CANTCREAT, OutputFile::Open(options.output))));
    }
    OwnFolder folder = TRY(WithExitCode(AcquireFolder(parent, kRunFolder), EX_CANTCREAT));
    const auto result = RunMatrix(&machine, options, jobs, &folder, parent, program);
    const Result<void> removed = folder.Remove();
    machine.progress.Clear();
    if (!result.ok()) {
        // EINVAL: the folder does not support the job.
        const int other = result.error().code() == EINVAL ? EX_DATAERR : EX_UNAVAILABLE;
        return ResultFailure(folder.WithRealPath(result.error().message()),
                             ExitCodeOf(result.error().code(), other));
    }
    const std::string json = WriteJson(BenchToJson(*result));
    const Result<void> written = output.has_value() ? output->Write(json) : Result<void>();
    const Result<void> printed = Print(options.json ? json : BenchToText(*result));
    return CombineErrors({printed, written, removed});
}

Result<AgeOutcome> AgeFolder(Machine* machine, const BenchOptions& options, OwnFolder* folder) {
    // Set before anything is written, so that it holds after a kill.
    TRY(folder->SetKept(options.keep));
    const DeviceReader device =
            TRY(DeviceReader::ForFolder(machine->files, machine->syscalls, folder->path()));
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
                         {.until_free_bytes = options.until_free_bytes,
                          .churn = options.churn,
                          .page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE))},
                         TRY(folder->Files()));
}

Result<void> Age(const BenchOptions& options) {
    const std::string parent = TRY(WithCode(EX_NOINPUT, RealPath(options.folder)));
    Machine machine;
    OwnFolder folder = TRY(WithExitCode(AcquireFolder(parent, kAgeFolder), EX_CANTCREAT));
    const Result<AgeOutcome> outcome = AgeFolder(&machine, options, &folder);
    const Result<void> removed = options.keep ? Result<void>() : folder.Remove();
    machine.progress.Clear();
    if (!outcome.ok()) {
        return ResultFailure(folder.WithRealPath(outcome.error().message()),
                             ExitCodeOf(outcome.error().code(), EX_IOERR));
    }
    TRY(CombineErrors({Print(options.json ? WriteJson(AgeToJson(*outcome, parent, options.keep))
                                          : AgeToText(*outcome, parent, options.keep)),
                       removed}));
    if (outcome->stopped) return ResultFailure("stopped", EX_TEMPFAIL);
    return {};
}

Result<void> Compare(const BenchOptions& options) {
    std::vector<Json::Value> results;
    for (const std::string& path : options.results) {
        const std::string text = TRY(WithCode(EX_NOINPUT, ReadPlainFile(path, kMaxResult)));
        Result<Json::Value> json = ParseJsonObject(text, {.bytes = kMaxResult, .depth = 16});
        results.push_back(TRY(WithCode(EX_DATAERR, std::move(json), path + ": ")));
    }
    const auto comparison = TRY(WithCode(EX_DATAERR, CompareBenches(results[0], results[1])));
    TRY(Print(options.json ? WriteJson(ComparisonToJson(comparison))
                           : ComparisonToText(comparison)));
    if (comparison.any()) return {};
    return ResultFailure("no figure of the two could be compared: each has its problem above",
                         EX_DATAERR);
}

Result<void> RunVerb(const BenchOptions& options) {
    switch (options.verb) {
        case BenchOptions::Verb::kHelp:
            break;
        case BenchOptions::Verb::kRun:
            return Run(options);
        case BenchOptions::Verb::kAge:
            return Age(options);
        case BenchOptions::Verb::kCompare:
            return Compare(options);
    }
    return Print(kUsage);
}

int Main(const std::vector<std::string>& arguments) {
    const Result<BenchOptions> options = ParseBenchOptions(arguments);
    if (!options.ok()) return Fail(EX_USAGE, options.error().message() + "\n" + kUsage);
    const Result<void> done = RunVerb(*options);
    return done.ok() ? EX_OK : Fail(done.error().code(), done.error().message());
}

}  // namespace
}  // namespace storekeeper

int main(int argc, char** argv) {
    return storekeeper::Main(std::vector<std::string>(argv + 1, argv + argc));
}
