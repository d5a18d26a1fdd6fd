// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/file.h>
#include <android-base/logging.h>
#include <android-base/properties.h>
#include <android/binder_ibinder.h>
#include <android/binder_manager.h>
#include <android/binder_process.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sysexits.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/file_reader.h"
#include "base/instance_lock.h"
#include "base/linux_clock.h"
#include "base/linux_syscalls.h"
#include "base/state_file.h"
#include "base/try.h"
#include "config/config_file.h"
#include "crypto/choice_store.h"
#include "crypto/crypto_keeper.h"
#include "crypto/linux_cipher_calls.h"
#include "daemon/answer_writer.h"
#include "daemon/collector.h"
#include "daemon/event_loop.h"
#include "daemon/give_back.h"
#include "daemon/health_hal.h"
#include "daemon/heap.h"
#include "daemon/serve.h"
#include "daemon/storekeeper_service.h"
#include "health/patient_hal.h"
#include "history/history.h"
#include "latency/bpf_latency.h"
#include "latency/latency_collector.h"
#include "latency/probe.h"
#include "maintenance/inputs/system_inputs.h"
#include "maintenance/keeper.h"
#include "maintenance/receipt_store.h"
#include "maintenance/run_state.h"
#include "maintenance/trim/chip_quirks.h"
#include "maintenance/trim/cursor_store.h"
#include "maintenance/trim/fitrim_process.h"
#include "maintenance/trim/gc_lease.h"
#include "maintenance/trim/notrim.h"
#include "maintenance/trim/pauser.h"
#include "maintenance/trim/queue_control.h"
#include "maintenance/trim/selection.h"
#include "maintenance/trim/trimmer.h"
#include "maintenance/trim/wake_lock.h"
#include "mounts/mount_facts.h"
#include "report/dump.h"

namespace {

using android::base::Error;
using android::base::Result;
using storekeeper::EventLoop;

constexpr char kService[] = "storekeeper";
constexpr char kDataDirectory[] = "/data/misc/storekeeper";
constexpr char kMountsProperty[] = "ro.storekeeper.trim.mounts";
constexpr char kDefaultMounts[] = "/data,/cache,/metadata,/mnt/expand/*";
// Some calls may wait for a trim, a measurement, the health HAL or those who read answers; abort,
// status and dump must find a free thread all the same. One that is never needed is never started.
constexpr uint32_t kBinderThreads = 6 + storekeeper::AnswerWriter::MaxWaiting({});
// A HAL that lives answers within milliseconds.
constexpr std::chrono::seconds kHalPatience(1);
// Two runs of the probe in a day, before and after maintenance, with their notes; most of it is
// reads.
constexpr uint32_t kProbeKibPerDay = 128;
constexpr uint32_t kProbeReads = 10;
constexpr uint32_t kProbeWrites = 4;
constexpr uint32_t kProbeFillPages = 3;

void StayAwake(bool awake) {
    Result<void> done = awake ? storekeeper::AcquireWakeLock() : storekeeper::ReleaseWakeLock();
    if (!done.ok() && awake) {
        LOG(WARNING) << "The device may suspend during the run: " << done.error().message();
    }
}

void PublishProperty(const std::string& name, const std::string& value) {
    if (!android::base::SetProperty(name, value)) LOG(WARNING) << "cannot set property " << name;
}

std::string Property(const std::string& name) {
    return android::base::GetProperty(name, "");
}

storekeeper::TrimRules Rules(const storekeeper::FileReader& files) {
    return {.given = storekeeper::ParseMountList(
                    android::base::GetProperty(kMountsProperty, kDefaultMounts)),
            .no_trim = storekeeper::ReadNoTrim(files, Property),
            .force_quirk = android::base::GetBoolProperty(storekeeper::kForceQuirkProperty, false)};
}

storekeeper::GcLease::Terms GcTerms() {
    constexpr uint64_t kMib = 1 << 20;
    return {.longest = std::chrono::seconds(
                    android::base::GetUintProperty<uint32_t>("ro.storekeeper.gc.seconds", 0)),
            .most_written_bytes =
                    android::base::GetUintProperty<uint32_t>("ro.storekeeper.gc.mib", 256) * kMib};
}

storekeeper::ProbeConfig ProbeTerms(const std::string& data) {
    return {.path = data + "/probe",
            .kib_per_day = android::base::GetUintProperty<
                    uint32_t>("ro.storekeeper.probe.kib_per_day", kProbeKibPerDay,
                              storekeeper::ProbeConfig::kMaxKibPerDay),
            .reads = kProbeReads,
            .writes = kProbeWrites,
            .fill_pages = kProbeFillPages};
}

Result<void> Register(const std::shared_ptr<storekeeper::StorekeeperService>& service) {
    binder_exception_t status = AServiceManager_addService(service->asBinder().get(), kService);
    if (status != EX_NONE) {
        return Error() << "servicemanager refuses the service '" << kService << "' (exception "
                       << status << "): see its log";
    }
    return {};
}

Result<void> Run() {
    // First: it blocks the signals for the threads that the rest starts.
    EventLoop loop = TRY(EventLoop::Create());
    const std::string data = kDataDirectory;
    // The program's own file, which is there and can be opened whatever becomes of /data.
    storekeeper::InstanceLock lock =
            TRY(storekeeper::InstanceLock::Acquire(android::base::GetExecutablePath()));

    for (const char* name : {"/probe", "/speed"}) storekeeper::MakeRoomForFile(data + name);
    storekeeper::LinuxSyscalls syscalls;
    storekeeper::LinuxClock clock;
    storekeeper::FileReader files;
    // libbinder ends the process when there is no driver; say what is wrong instead.
    TRY(syscalls.Open("/dev/binder", O_RDWR));

    storekeeper::PatientHal hal(std::make_shared<storekeeper::HealthHal>(), kHalPatience);
    storekeeper::SystemInputs inputs(syscalls, files, clock, Property, &hal);
    storekeeper::FitrimProcess fitrim;
    storekeeper::LinuxPauser pauser;
    storekeeper::QueueControl queue(files, pauser,
                                    {.get =
                                             [](const std::string& name) {
                                                 return android::base::GetProperty(name, "");
                                             },
                                     .set = android::base::SetProperty});
    if (Result<void> back = queue.Restore(); !back.ok()) LOG(ERROR) << back.error().message();
    storekeeper::GcLease gc(files, clock, pauser,
                            {.get = Property, .set = android::base::SetProperty}, GcTerms());
    if (Result<void> back = gc.Restore(); !back.ok()) LOG(ERROR) << back.error().message();
    storekeeper::CursorStore cursors(data + "/cursors");
    storekeeper::Trimmer trimmer({.syscalls = syscalls,
                                  .files = files,
                                  .clock = clock,
                                  .fitrim = fitrim,
                                  .pauser = pauser,
                                  .queue = queue,
                                  .cursors = cursors,
                                  .gc = gc},
                                 Rules(files));
    storekeeper::StateStore store(data + "/state");
    storekeeper::ReceiptStore receipts(data + "/receipts");
    storekeeper::History history(data + "/history.db", clock);
    const storekeeper::ProbeConfig terms = ProbeTerms(data);
    storekeeper::Probe probe(syscalls, files, clock, terms);
    storekeeper::BpfLatency bpf(syscalls, files);
    const bool want_bpf = android::base::GetBoolProperty("ro.storekeeper.latency.bpf", false);
    const bool want_probe = terms.kib_per_day >= storekeeper::ProbeConfig::kMinKibPerDay;
    storekeeper::LatencyCollector latency(files, clock,
                                          {.probe = want_probe ? &probe : nullptr,
                                           .bpf = want_bpf ? &bpf : nullptr,
                                           .hal = &hal});
    const bool collect = android::base::GetBoolProperty("ro.storekeeper.collect", true);
    // A run can end before the collector is there.
    std::atomic<storekeeper::Collector*> collecting = nullptr;
    storekeeper::Keeper keeper({.files = files,
                                .clock = clock,
                                .inputs = inputs,
                                .trimmer = trimmer,
                                .store = store,
                                .receipts = receipts,
                                .hal = &hal},
                               storekeeper::LoadConfig(files, {storekeeper::kDefaultConfigPath,
                                                               storekeeper::kDeviceConfigPath}),
                               {.wake = [&loop] { loop.Wake(); },
                                .publish = PublishProperty,
                                .stay_awake = StayAwake,
                                .run_begins =
                                        [&collecting] {
                                            if (auto* to = collecting.load(); to != nullptr)
                                                to->BeforeRun();
                                        },
                                .p99_fall = [&collecting]() -> std::optional<int> {
                                    auto* of = collecting.load();
                                    return of == nullptr ? std::nullopt : of->FallByRun();
                                },
                                .run_ended =
                                        [&collecting] {
                                            if (auto* to = collecting.load(); to != nullptr)
                                                to->OnRun();
                                        }});
    storekeeper::Collector
            collector({.files = files, .clock = clock, .history = history, .latency = latency},
                      {.health = [&keeper] { return keeper.Health(); },
                       .mounts =
                               [&](const storekeeper::HealthReport& health) {
                                   return storekeeper::ReadMountFacts(files, syscalls,
                                                                      storekeeper::VolatileCacheOn(
                                                                              health.ext_csd),
                                                                      keeper.Status().mounts,
                                                                      Property);
                               },
                       .at_rest = [&keeper] { return keeper.IsAtRest(); },
                       .publish = PublishProperty,
                       .gathered = [] { storekeeper::GiveBackLibrary("libsqlite"); }},
                      data + "/alerts");
    if (collect) collecting = &collector;
    storekeeper::LinuxCipherCalls ciphers;
    storekeeper::CryptoKeeper crypto({.files = files, .syscalls = syscalls, .calls = ciphers},
                                     {.property = Property,
                                      .mounts =
                                              [&] {
                                                  return storekeeper::ReadMountFacts(files,
                                                                                     syscalls,
                                                                                     std::nullopt,
                                                                                     {}, Property);
                                              }},
                                     {.choice = storekeeper::FindChoiceFile(files),
                                      .speed = data + "/speed"});
    storekeeper::HeapPurge heap(clock, [&loop] { loop.Wake(); });
    ABinderProcess_setThreadPoolMaxThreadCount(kBinderThreads);
    // Before the threads that take calls: a failure returns and destroys what stands above.
    TRY(Register(ndk::SharedRefBase::make<
                 storekeeper::StorekeeperService>(keeper, collector, crypto,
                                                  storekeeper::
                                                          DeviceName{.model = Property(
                                                                             "ro.product.model"),
                                                                     .build = Property(
                                                                             "ro.build.id")},
                                                  AIBinder_getCallingUid,
                                                  [&heap] { heap.Request(); })));
    ABinderProcess_startThreadPool();
    LOG(INFO) << "storekeeperd is ready";
    storekeeper::ServeUntilStopped(loop,
                                   {.turn =
                                            [&] {
                                                storekeeper::Keeper::Nap nap = keeper.Tick();
                                                if (collect) collector.Tick();
                                                const auto purge = heap.Turn();
                                                if (purge.has_value()) {
                                                    nap.deadline =
                                                            std::min(*purge,
                                                                     nap.deadline.value_or(*purge));
                                                }
                                                return nap;
                                            },
                                    .input_events = [&] { return inputs.InputEvents(); },
                                    .finish =
                                            [&] {
                                                keeper.WriteDown();
                                                collector.Finish();
                                            }});
}

}  // namespace

int main(int argc, char** argv) {
    // It measures ciphers; and what it knows of apps and chips is nobody else's.
    prctl(PR_SET_DUMPABLE, 0);
    if (argc == 2 && argv[1] == storekeeper::kFitrimWorkerArgument) {
        return storekeeper::FitrimWorkerMain();
    }
    android::base::InitLogging(argv);
    Result<void> ran = Run();
    LOG(ERROR) << "storekeeperd cannot run: " << ran.error().message();
    return EX_UNAVAILABLE;
}
