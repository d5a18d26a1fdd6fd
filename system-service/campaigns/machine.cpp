// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/machine.h"

#include <android-base/strings.h>
#include <errno.h>
#include <sys/sysmacros.h>

#include <thread>

#include "crypto/choice_store.h"
#include "crypto/early/early_step.h"
#include "crypto/early/mechanisms.h"
#include "maintenance/trim/cursor.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::hours;

constexpr char kState[] = "/data/misc/storekeeper/state.log";
constexpr char kChoice[] = "/cache/storekeeper/crypto";
constexpr uint64_t kDataBytes = 256 << 20;
// Values that the kernel sets at each boot.
const std::map<std::string, std::string> kQueueDefaults =
        {{std::string(FakeInit::kQueue) + "discard_max_bytes", "104333312\n"},
         {std::string(FakeInit::kQueue) + "nr_requests", "64\n"},
         {FakeInit::kAsyncDepth, "48\n"}};

const FakeCipherCalls::Driver kEngine = {.name = "cbc(aes)",
                                         .per_request = std::chrono::microseconds(100)};
const FakeCipherCalls::Driver kCpu = {.name = "cbc(aes)", .per_kib = std::chrono::microseconds(20)};

}  // namespace

Machine::Machine(bool blind, SeamFaults* faults) : blind_(blind), faults_(faults) {
    if (faults_ != nullptr) {
        faults_->SetRoot(phone_.tree.root());
        phone_.wrap = [this](const Daemon::Seams& seams) { return Wrap(seams); };
    }
    phone_.tree.Write("/proc/self/mountinfo", Mounts("rw"));
    phone_.tree.Write("/dev/sys/fs/by-name/userdata/gc_urgent", "0\n");
    phone_.tree.Write("/dev/sys/fs/by-name/userdata/dirty_segments", "400\n");
    phone_.gc = {.longest = std::chrono::seconds(30), .most_written_bytes = 1 << 30};
    phone_.syscalls.Add("/data", FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, 2)),
                                                     .size_bytes = kDataBytes,
                                                     .answer_bytes = 4096,
                                                     .during = [this] { brake_.Enter(); }});
    phone_.DuringFitrim([this] { brake_.Enter(); });
    phone_.tree.MakeDirectory("/cache/storekeeper");
    phone_.tree.Write("/sys/dev/block/179:2/dm/name", "userdata\n");
    phone_.system_properties["ro.crypto.type"] = "block";
    phone_.ciphers.Add("qcrypto-cbc-aes", kEngine);
    phone_.ciphers.Add("cbc(aes-asm)", kCpu);
    ShowEngine(true);
    phone_.hal = &hal_;
    Start();
}

Machine::~Machine() {
    brake_.Open(true);
    phone_.WaitUntilIdle();
}

std::string Machine::RunEvent(const std::string& event) {
    Events().at(event)(this);
    return Check();
}

const std::map<std::string, void (*)(Machine*)>& Machine::Events() {
    static const std::map<std::string, void (*)(Machine*)> events =
            {{"step", [](Machine* m) { m->Step(); }},
             {"abort", [](Machine* m) { m->Abort(); }},
             {"touch", [](Machine* m) { m->Touch(); }},
             {"unplug", [](Machine* m) { m->Unplug(); }},
             {"reboot", [](Machine* m) { m->End(true, true); }},
             {"kill", [](Machine* m) { m->End(false, false); }},
             {"power-cut", [](Machine* m) { m->End(false, true); }},
             {"year-ahead", [](Machine* m) { m->MoveClock(hours(365 * 24)); }},
             {"year-back", [](Machine* m) { m->MoveClock(hours(-365 * 24)); }},
             {"hal-hangs", [](Machine* m) { m->HangHal(); }},
             {"hal-lies", [](Machine* m) { m->LieHal(); }},
             {"read-only", [](Machine* m) { m->SetReadOnly(true); }},
             {"queue-denied", [](Machine* m) { m->DenyQueue(); }},
             {"choose", [](Machine* m) { m->ChooseKernel(); }},
             {"confirm", [](Machine* m) { m->Confirm(); }},
             {"rollback", [](Machine* m) { m->RollBack(); }}};
    return events;
}

std::string Machine::Recover() {
    brake_.Close(false);
    brake_.Open(true);
    hal_ = FakeHal();
    SetReadOnly(false);
    // If a run is due, it begins by itself; wait for its end.
    phone_.WaitUntilIdle();
    const Result<TrimReceipt> receipt = phone_.keeper().Trim({});
    if (!receipt.ok()) return "no run: " + receipt.error().message();
    if (!receipt->complete) return "the last run ended as: " + receipt->reason;
    return Check();
}

std::string Machine::Mounts(const std::string& mode) {
    return "40 21 179:2 / /data " + mode + " - f2fs /dev/block/mmcblk0p2 " + mode +
           ",nodiscard\n41 21 179:1 / /cache rw - ext4 /dev/block/mmcblk0p1 rw\n";
}

void Machine::ShowEngine(bool there) {
    const auto entry = [](const std::string& driver, int priority, int users) {
        return "name : cbc(aes)\ndriver : " + driver + "\npriority : " + std::to_string(priority) +
               "\nrefcnt : " + std::to_string(1 + users) +
               "\nselftest : passed\ntype : ablkcipher\n\n";
    };
    phone_.tree.Write("/proc/crypto",
                      there ? entry("qcrypto-cbc-aes", 300, 2) + entry("cbc(aes-asm)", 200, 0)
                            : entry("cbc(aes-asm)", 200, 2));
    const std::string bound = "/sys/bus/platform/drivers/qcrypto/fd440000.qcrypto";
    phone_.tree.Remove(bound);
    if (there) phone_.tree.Write(bound, "");
    // The driver with the highest priority serves the cipher's name.
    phone_.ciphers.Add("cbc(aes)", there ? kEngine : kCpu);
}

void Machine::Start() {
    phone_.tree.Write(kBootIdPath, "boot-" + std::to_string(boot_) + "\n");
    phone_.Restart();
    phone_.crypto().SetPlan(
            {.units = {512}, .threads = {1}, .rounds = 3, .round = std::chrono::milliseconds(1)});
}

void Machine::Settle(int entered) {
    while (phone_.keeper().Status().progress.running && brake_.entered() == entered) {
        std::this_thread::yield();
    }
}

void Machine::Finish() {
    brake_.Open(true);
    phone_.WaitUntilIdle();
    phone_.WaitUntilMaySuspend();
    brake_.Open(false);
}

void Machine::Step() {
    const int entered = brake_.entered();
    if (brake_.IsInside()) {
        brake_.LetOne();
    } else {
        brake_.Close(false);
        phone_.clock.Advance(hours(26));
        phone_.inputs.Set(FakeInputs::Untouched());
        phone_.keeper().Tick();
    }
    Settle(entered);
}

void Machine::EndRun(const MaintenanceReadings& readings) {
    if (!blind_) phone_.inputs.Set(readings);
    phone_.keeper().Tick();
    brake_.Close(true);
    Finish();
}

void Machine::Abort() {
    if (!phone_.keeper().Abort()) return;
    brake_.Close(true);
    Finish();
    brake_.Close(false);
}

void Machine::Touch() {
    MaintenanceReadings readings = FakeInputs::Untouched();
    readings.interaction =
            InteractionReading{.screen_on = false, .last_input = phone_.clock.SinceBoot()};
    EndRun(readings);
}

void Machine::Unplug() {
    MaintenanceReadings readings = FakeInputs::Untouched();
    readings.power = PowerReading{.has_battery = true, .percent = 15, .on_charger = false};
    EndRun(readings);
}

void Machine::End(bool in_order, bool boot_ends) {
    const std::string state = Stored();
    // This file is restored below for an end that is not in order, because this process can end the
    // daemon only in order.
    phone_.keeper().Abort();
    brake_.Close(true);
    Finish();
    if (in_order) phone_.daemon().Finish();
    if (!in_order && !state.empty()) phone_.tree.Write(kState, state);
    if (boot_ends) {
        ++boot_;
        for (const auto& [path, value] : kQueueDefaults) phone_.tree.Write(path, value);
        phone_.tree.Write(FakeInit::kGcUrgent, "0\n");
        phone_.clock.Reboot(std::chrono::seconds(100));
        RunEarly();
    } else {
        phone_.init.DaemonDied();
    }
    brake_.Close(false);
    Start();
}

std::string Machine::Stored() {
    return phone_.tree.files().Exists(kState) ? phone_.tree.Read(kState) : "";
}

void Machine::RunEarly() {
    const CryptoMechanism mechanism = [](const EarlyFacts&) { return MechanismOutcome(); };
    const FileReader files = phone_.tree.files();
    phone_.tree.Write(kBootIdPath, "boot-" + std::to_string(boot_) + "\n");
    RunEarlyStep({.files = files,
                  .syscalls = RealCalls(),
                  .targets = [] { return Result<std::vector<DmTarget>>(); },
                  .property = [](const std::string&) { return ""; },
                  .set = [](const std::string&, const std::string&) { return true; },
                  .choice = phone_.tree.PathOf(kChoice),
                  .kernel_release = "3.4.113-perf"},
                 {.skip_module = mechanism,
                  .software_length = mechanism,
                  .unbind = mechanism,
                  .capi = mechanism,
                  .priority = mechanism});
    const Result<CryptoChoice> choice = ReadChoice();
    ShowEngine(!choice.ok() || choice->mode != CryptoMode::kKernel);
}

void Machine::MoveClock(std::chrono::seconds by) {
    phone_.clock.SetWall(phone_.clock.Wall() + by);
    const int entered = brake_.entered();
    phone_.keeper().Tick();
    // A run that begins because of this has open gates.
    if (!brake_.IsInside()) Settle(entered);
}

void Machine::HangHal() {
    hal_.storage = Error(ETIMEDOUT) << "the health HAL has not answered in 1 s";
    hal_.battery = Error(ETIMEDOUT) << "the health HAL has not answered in 1 s";
    phone_.daemon().Health();
}

void Machine::LieHal() {
    hal_.storage = std::vector<HalStorageInfo>(3, {.eol = 99, .lifetime_a = -5});
    hal_.battery = HalBattery{.present = true, .level = 900, .temperature = 30000};
    phone_.daemon().Health();
}

void Machine::SetReadOnly(bool read_only) {
    phone_.tree.Write("/proc/self/mountinfo", Mounts(read_only ? "ro" : "rw"));
    for (const char* suffix : {"", ".new"}) {
        phone_.syscalls.FailOpen(phone_.tree.PathOf(kState) + suffix, read_only ? EROFS : 0);
    }
    phone_.keeper().Tick();
}

void Machine::DenyQueue() {
    // A throttled queue cannot be restored before the next boot.
    denied_ = denied_ || brake_.IsInside();
    phone_.init.Stop();
}

void Machine::ChooseKernel() {
    const Result<CryptoChoice> choice = phone_.crypto().Choose(CryptoMode::kKernel);
    // A choice whose sync failed may be on the disk nevertheless.
    chosen_ = chosen_ || choice.ok() || faults_ != nullptr;
    Report(choice);
}

void Machine::Confirm() {
    Report(phone_.crypto().Confirm());
}

void Machine::RollBack() {
    Report(phone_.crypto().RollBack());
}

Daemon::Seams Machine::Wrap(const Daemon::Seams& seams) {
    faulty_syscalls_.emplace(*faults_, seams.syscalls);
    faulty_ciphers_.emplace(*faults_, seams.ciphers);
    faulty_hal_.emplace(*faults_, *seams.hal);
    faulty_fitrim_.emplace(*faults_, seams.fitrim);
    return {.files = seams.files,
            .syscalls = *faulty_syscalls_,
            .clock = seams.clock,
            .ciphers = *faulty_ciphers_,
            .inputs = seams.inputs,
            .fitrim = *faulty_fitrim_,
            .pauser = seams.pauser,
            .properties = FaultyProperties(*faults_, seams.properties),
            .wake = seams.wake,
            .stay_awake = seams.stay_awake,
            .hal = &*faulty_hal_};
}

Result<CryptoChoice> Machine::ReadChoice() {
    if (!phone_.tree.files().Exists(kChoice)) return CryptoChoice();
    return ParseChoice(phone_.tree.Read(kChoice));
}

std::string Machine::Check() {
    if (const std::string wrong = brake_.wrong(); !wrong.empty()) return wrong;
    const KeeperStatus status = phone_.keeper().Status();
    if (!status.progress.running) {
        // The queue is restored after the run.
        phone_.WaitUntilMaySuspend();
        for (const auto& [path, value] : kQueueDefaults) {
            if (!denied_ && phone_.tree.Read(path) != value) {
                return path + " is " + android::base::Trim(phone_.tree.Read(path));
            }
        }
        if (!denied_ && phone_.tree.Read(FakeInit::kGcUrgent) != "0\n") return "gc_urgent";
    }
    for (const std::string& note : status.notes) {
        if (note.find("lost") != std::string::npos) return note;
    }
    const RecordFile records(RealCalls(), phone_.tree.PathOf(kState));
    if (!records.notes().empty()) return records.notes()[0];
    const std::string key = CursorKey(makedev(179, 2), kDataBytes);
    // statvfs(3) leaves out the file system's own metadata, which is never half of it.
    if (FindCursor(records, key, phone_.clock.Wall()) >= 2 * kDataBytes) return "the cursor";
    const Result<CryptoChoice> choice = ReadChoice();
    if (!choice.ok()) return "the choice: " + choice.error().message();
    const bool is_default = choice->mode == CryptoMode::kAuto;
    if (!is_default && !chosen_) return "a choice that nobody made";
    if (is_default != (choice->stage == CryptoChoice::Stage::kNone)) return "mode and stage";
    if (choice->boots > kMaxTrialBoots) return "a trial of too many boots";
    return "";
}

}  // namespace storekeeper
