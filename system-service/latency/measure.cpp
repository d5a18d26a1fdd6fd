// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// For the lab's tests: what the probe and the BPF histograms report, of one run. A line a kind:
//   @latency KIND COUNT MEAN P50 P90 P99 P99.9      times in nanoseconds
//   storekeeper_latency probe FILE KIB_PER_DAY READS WRITES
//   storekeeper_latency bpf MAJOR MINOR COMMAND...      while the command runs

#include <android-base/parseint.h>
#include <stdio.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/syscalls.h"
#include "base/try.h"
#include "latency/bpf_latency.h"
#include "latency/probe.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;

void Print(const std::vector<LatencySample>& samples) {
    for (const LatencySample& sample : samples) {
        printf("@latency %s %llu %llu", IoKindName(sample.kind),
               static_cast<unsigned long long>(sample.count),
               static_cast<unsigned long long>(static_cast<uint64_t>(sample.total.count()) /
                                               sample.count));
        for (const double percent : {50.0, 90.0, 99.0, 99.9}) {
            printf(" %lld", static_cast<long long>(sample.histogram.Percentile(percent)->count()));
        }
        printf("\n");
    }
}

Result<uint32_t> Number(const char* text) {
    uint32_t number = 0;
    if (!android::base::ParseUint(text, &number)) return Error() << text << " is not a number";
    return number;
}

Result<void> RunProbe(char** words) {
    LinuxSyscalls syscalls;
    const FileReader files;
    const LinuxClock clock;
    const StopSignal stop;
    ProbeConfig config;
    config.path = words[0];
    config.kib_per_day = TRY(Number(words[1]));
    config.reads = TRY(Number(words[2]));
    config.writes = TRY(Number(words[3]));
    Probe probe(syscalls, files, clock, config);
    Print(TRY(probe.Run(stop)));
    return {};
}

Result<void> RunCommand(char** command) {
    const pid_t child = fork();
    if (child < 0) return ErrnoError() << "cannot fork";
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    int status = 0;
    if (TEMP_FAILURE_RETRY(waitpid(child, &status, 0)) != child) return ErrnoError() << "waitpid";
    if (status != 0) return Error() << command[0] << " ended with wait status " << status;
    return {};
}

Result<void> RunBpf(char** words) {
    LinuxSyscalls syscalls;
    const FileReader files;
    BpfLatency bpf(syscalls, files);
    TRY(bpf.Attach(makedev(TRY(Number(words[0])), TRY(Number(words[1])))));
    const std::vector<storekeeper_latency> before = TRY(bpf.Read());
    TRY(RunCommand(words + 2));
    Print(BpfSamples(before, TRY(bpf.Read()), WallTime(0), std::chrono::seconds(1)));
    return {};
}

}  // namespace
}  // namespace storekeeper

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    android::base::Result<void> done = android::base::Error()
                                       << "usage: storekeeper_latency probe FILE KIB READS WRITES "
                                          "| bpf MAJOR MINOR COMMAND...";
    if (mode == "probe" && argc == 6) done = storekeeper::RunProbe(argv + 2);
    if (mode == "bpf" && argc > 4) done = storekeeper::RunBpf(argv + 2);
    if (done.ok()) return 0;
    fprintf(stderr, "storekeeper_latency: %s\n", done.error().message().c_str());
    return 1;
}
