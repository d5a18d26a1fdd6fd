// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Prints the probe's report of one run, for tests in the lab. One line per kind:
//   @latency KIND COUNT MEAN P50 P90 P99 P99.9      times in nanoseconds
//   storekeeper_latency FILE KIB_PER_DAY READS WRITES

#include <android-base/parseint.h>
#include <stdio.h>

#include <string>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/syscalls.h"
#include "base/try.h"
#include "latency/probe.h"

namespace storekeeper {
namespace {

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

}  // namespace
}  // namespace storekeeper

int main(int argc, char** argv) {
    android::base::Result<void> done = android::base::Error()
                                       << "usage: storekeeper_latency FILE KIB READS WRITES";
    if (argc == 5) done = storekeeper::RunProbe(argv + 1);
    if (done.ok()) return 0;
    fprintf(stderr, "storekeeper_latency: %s\n", done.error().message().c_str());
    return 1;
}
