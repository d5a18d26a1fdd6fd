// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// storekeeper_crypto_measure: init runs it when storekeeperd asks.

#include <android-base/logging.h>
#include <android-base/properties.h>
#include <sys/prctl.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/syscalls.h"
#include "crypto/cipher_calls.h"
#include "crypto/disk/disk_measurement.h"

namespace {

// It takes 3 s; storekeeperd waits for 30.
constexpr unsigned kPatienceSeconds = 25;
constexpr useconds_t kPauseMicroseconds = 10'000;

}  // namespace

int main(int, char** argv) {
    alarm(kPatienceSeconds);
    // Its keys are worth nothing, and nobody's business.
    prctl(PR_SET_DUMPABLE, 0);
    android::base::InitLogging(argv);
    const storekeeper::FileReader files;
    storekeeper::LinuxSyscalls syscalls;
    storekeeper::LinuxCipherCalls machine;
    const android::base::Result<void> done = storekeeper::RunDiskMeasurement(
            {.files = files,
             .calls = {.syscalls = syscalls,
                       .machine = machine,
                       .pause = [] { usleep(kPauseMicroseconds); }},
             .property =
                     [](const std::string& name) { return android::base::GetProperty(name, ""); },
             .set = android::base::SetProperty});
    if (done.ok()) return EX_OK;
    LOG(ERROR) << done.error().message();
    return EX_UNAVAILABLE;
}
