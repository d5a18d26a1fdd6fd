// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// storekeeper_crypto_early: init runs it in each boot, before /data is opened.

#include <android-base/logging.h>
#include <android-base/properties.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/kernel_version.h"
#include "base/syscalls.h"
#include "crypto/choice_store.h"
#include "crypto/early/early_step.h"
#include "crypto/early/mechanisms.h"

namespace {

// init waits for this program, so SIGALRM ends one that hangs. It normally takes milliseconds.
constexpr unsigned kPatienceSeconds = 5;

}  // namespace

int main(int, char** argv) {
    alarm(kPatienceSeconds);
    prctl(PR_SET_DUMPABLE, 0);
    // logd may not run yet.
    android::base::InitLogging(argv, &android::base::KernelLogger);
    storekeeper::FileReader files;
    storekeeper::LinuxSyscalls syscalls;
    storekeeper::LinuxCryptoPriorities priorities;
    const storekeeper::EarlyReport report =
            storekeeper::RunEarlyStep({.files = files,
                                       .syscalls = syscalls,
                                       .targets =
                                               [&] { return storekeeper::ListDmTargets(syscalls); },
                                       .property =
                                               [](const std::string& name) {
                                                   return android::base::GetProperty(name, "");
                                               },
                                       .set = android::base::SetProperty,
                                       .choice = storekeeper::FindChoiceFile(files),
                                       .kernel_release = storekeeper::KernelRelease()},
                                      storekeeper::MechanismsOf(files, syscalls, priorities,
                                                                android::base::SetProperty));
    for (const std::string& note : report.notes) LOG(INFO) << note;
    LOG(INFO) << "chosen: " << storekeeper::ModeName(report.mode) << "; " << report.outcome;
    return static_cast<int>(report.refusal);
}
