// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/logging.h>
#include <android-base/properties.h>
#include <android/binder_ibinder.h>
#include <android/binder_manager.h>
#include <android/binder_process.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sysexits.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/file_reader.h"
#include "base/instance_lock.h"
#include "base/stop_signal.h"
#include "base/syscalls.h"
#include "base/tokens.h"
#include "base/try.h"
#include "config/config_file.h"
#include "crypto/cipher_calls.h"
#include "daemon/answer_writer.h"
#include "daemon/critical_watch.h"
#include "daemon/daemon.h"
#include "daemon/event_loop.h"
#include "daemon/health_hal.h"
#include "daemon/native_packages.h"
#include "daemon/storekeeper_service.h"
#include "daemon/wake_lock.h"
#include "health/patient_hal.h"
#include "maintenance/canary/chip_quirks.h"
#include "maintenance/inputs/system_inputs.h"
#include "maintenance/trim/fitrim.h"
#include "maintenance/trim/selection.h"
#include "mounts/fstab.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::GetBoolProperty;
using android::base::GetUintProperty;
using android::base::Result;

constexpr char kService[] = "storekeeper";
constexpr char kMountsProperty[] = "ro.storekeeper.trim.mounts";
constexpr char kReportOnlyProperty[] = "ro.storekeeper.report_only";
constexpr char kDefaultMounts[] = "/data,/cache,/metadata,/mnt/expand/*";
// Some calls may wait for a trim, a measurement, the health HAL or readers of answers; abort,
// status and dump must still find a free thread. Threads that are never needed are not started.
constexpr uint32_t kBinderThreads = 6 + AnswerWriter::MaxWaiting({});
// A HAL or a suspend service that lives answers within milliseconds.
constexpr std::chrono::seconds kHalPatience(1);
// A run of the probe charges 60 KiB of this: 14 I/Os and its note. Most I/Os are reads.
constexpr uint32_t kProbeKibPerDay = 128;
constexpr uint32_t kProbeReads = 10;
constexpr uint32_t kProbeWrites = 4;
constexpr uint32_t kProbeFillPages = 3;

void StayAwake(WakeLock& lock, bool awake) {
    Result<void> done = lock.Set(awake);
    if (!done.ok() && awake) {
        LOG(WARNING) << "The device may suspend during the run: " << done.error().message();
    }
}

std::string Property(const std::string& name) {
    return android::base::GetProperty(name, "");
}

TrimRules Rules(const FileReader& files) {
    return {.configured =
                    ParseMountList(android::base::GetProperty(kMountsProperty, kDefaultMounts)),
            .no_trim = ParseNoTrim(ReadFstab(files, Property)),
            .force_quirk = GetBoolProperty(kForceQuirkProperty, false),
            .report_only = GetBoolProperty(kReportOnlyProperty, false)};
}

GarbageAction::Terms GcTerms() {
    constexpr uint64_t kMib = 1 << 20;
    return {.longest = std::chrono::seconds(
                    GetUintProperty<uint32_t>(GarbageAction::kSecondsProperty, 0)),
            .most_written_bytes = GetUintProperty<uint32_t>("ro.storekeeper.gc.mib", 256) * kMib};
}

ProbeConfig ProbeTerms() {
    const uint32_t kib_per_day =
            GetUintProperty<uint32_t>("ro.storekeeper.probe.kib_per_day", kProbeKibPerDay,
                                      ProbeConfig::kMaxKibPerDay);
    // A larger budget means more runs a day; a smaller one means fewer I/Os per run.
    const std::chrono::seconds day = std::chrono::hours(24);
    return {.path = std::string(Daemon::kDirectory) + "/probe",
            .kib_per_day = kib_per_day,
            .period = day * kProbeKibPerDay / std::max(kib_per_day, kProbeKibPerDay),
            .reads = kProbeReads,
            .writes = kProbeWrites,
            .fill_pages = kProbeFillPages};
}

Result<void> Register(const std::shared_ptr<StorekeeperService>& service) {
    binder_exception_t status = AServiceManager_addService(service->asBinder().get(), kService);
    if (status != EX_NONE) {
        return Error() << "servicemanager refuses the service '" << kService << "' (exception "
                       << status << "): see its log";
    }
    return {};
}

// libbase's default logger has no name of its own.
#ifdef __ANDROID__
using DefaultLogger = android::base::LogdLogger;
#else
constexpr auto DefaultLogger() {
    return android::base::StderrLogger;
}
#endif

// Escapes messages, because names of mounts and files are bytes that could forge lines of a log.
void PrintableLog(android::base::LogId id, android::base::LogSeverity severity, const char* tag,
                  const char* file, unsigned int line, const char* message) {
    static auto log = DefaultLogger();
    log(id, severity, tag, file, line, PrintableLines(message).c_str());
}

Result<void> Run() {
    // Comes first, because it blocks the signals for all threads started later.
    EventLoop loop = TRY(EventLoop::Create());
    const Result<InstanceLock> lock = InstanceLock::Acquire(Daemon::kDirectory);
    if (!lock.ok() && lock.error().code() == EWOULDBLOCK) return Error() << lock.error().message();
    // If the folder is missing, there is no state that a second daemon could spoil.
    if (!lock.ok()) LOG(WARNING) << lock.error().message();

    LinuxSyscalls syscalls;
    LinuxClock clock;
    FileReader files;
    // libbinder would end the process without a driver; this reports the reason instead.
    TRY(syscalls.Open("/dev/binder", O_RDWR));

    CriticalWatch critical(syscalls, files, clock);
    PatientHal hal(MakeHealthHal(), kHalPatience);
    SystemInputs inputs(syscalls, files, clock, Property, &hal);
    LinuxCipherCalls ciphers;
    FitrimProcess fitrim;
    LinuxPauser pauser;
    WakeLock wake_lock(kHalPatience);
    Daemon daemon({.files = files,
                   .syscalls = syscalls,
                   .clock = clock,
                   .ciphers = ciphers,
                   .inputs = inputs,
                   .fitrim = fitrim,
                   .pauser = pauser,
                   .properties = {.get = Property, .set = android::base::SetProperty},
                   .wake = [&loop] { loop.Wake(); },
                   .stay_awake = [&wake_lock](bool awake) { StayAwake(wake_lock, awake); },
                   .hal = &hal,
                   .packages = std::make_shared<NativePackages>()},
                  {.config = LoadConfig(files, {kDefaultConfigPath, kDeviceConfigPath}),
                   .rules = Rules(files),
                   .gc = GcTerms(),
                   .probe = ProbeTerms(),
                   .collect = GetBoolProperty("ro.storekeeper.collect", true)});
    ABinderProcess_setThreadPoolMaxThreadCount(kBinderThreads);
    // Registration precedes the threads that take calls, because its failure destroys the objects
    // above.
    TRY(Register(ndk::SharedRefBase::make<StorekeeperService>(daemon, AIBinder_getCallingUid,
                                                              [&daemon] { daemon.PurgeHeap(); })));
    ABinderProcess_startThreadPool();
    LOG(INFO) << "storekeeperd is ready";
    ServeUntilStopped(loop, {.turn = [&] { return daemon.Turn(); },
                             .input_events = [&] { return inputs.InputEvents(); },
                             .attention = [&] { return critical.Descriptor(); },
                             .attend =
                                     [&] {
                                         if (critical.Acknowledge()) daemon.OnCriticalHealth();
                                     },
                             .finish = [&] { daemon.Finish(); }});
}

}  // namespace
}  // namespace storekeeper

int main(int argc, char** argv) {
    // Hides memory from other processes: the daemon measures ciphers and knows names of apps and
    // chips.
    prctl(PR_SET_DUMPABLE, 0);
    if (argc == 2 && argv[1] == storekeeper::kFitrimWorkerArgument) {
        return storekeeper::FitrimWorkerMain();
    }
    storekeeper::ShareOneHeap();
    android::base::InitLogging(argv, storekeeper::PrintableLog);
    android::base::Result<void> ran = storekeeper::Run();
    LOG(ERROR) << "storekeeperd cannot run: " << ran.error().message();
    return EX_UNAVAILABLE;
}
