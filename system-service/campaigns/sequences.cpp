// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/sequences.h"

#include <android-base/logging.h>
#include <android-base/strings.h>
#include <errno.h>
#include <sys/sysmacros.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "crypto/choice_store.h"
#include "crypto/early/early_step.h"
#include "crypto/early/mechanisms.h"
#include "maintenance/trim/slices.h"
#include "testing/fake_hal.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::hours;

constexpr char kState[] = "/data/misc/storekeeper/state.log";
constexpr char kChoice[] = "/cache/storekeeper/crypto";
constexpr uint64_t kDataBytes = 256 << 20;
// What the kernel sets at each boot.
const std::map<std::string, std::string> kQueueDefaults =
        {{std::string(FakeInit::kQueue) + "discard_max_bytes", "104333312\n"},
         {std::string(FakeInit::kQueue) + "nr_requests", "64\n"},
         {FakeInit::kAsyncDepth, "48\n"}};

// Holds each FITRIM until it is let go on.
class Brake {
  public:
    // In the worker's thread.
    void Enter() {
        std::unique_lock lock(lock_);
        if (++inside_ > 1) wrong_ = "two FITRIMs at once";
        if (closed_) wrong_ = "a FITRIM begins behind a closed gate";
        ++entered_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return permits_ > 0 || open_; });
        if (!open_) --permits_;
        --inside_;
    }
    // For one FITRIM, or for all to come.
    void LetOne() {
        const std::lock_guard guard(lock_);
        ++permits_;
        changed_.notify_all();
    }
    void Open(bool open) {
        const std::lock_guard guard(lock_);
        open_ = open;
        permits_ = 0;
        changed_.notify_all();
    }
    // From now on none may begin.
    void Close(bool closed) {
        const std::lock_guard guard(lock_);
        closed_ = closed;
    }
    bool IsInside() {
        const std::lock_guard guard(lock_);
        return inside_ > 0;
    }
    int entered() {
        const std::lock_guard guard(lock_);
        return entered_;
    }
    std::string wrong() {
        const std::lock_guard guard(lock_);
        return wrong_;
    }

  private:
    std::mutex lock_;
    std::condition_variable changed_;
    int inside_ = 0;
    int entered_ = 0;
    int permits_ = 0;
    bool open_ = false;
    bool closed_ = false;
    std::string wrong_;
};

class Leaves : public CryptoMechanism {
  public:
    std::string_view name() const override { return "leaves"; }
    MechanismRefusal Probe(const EarlyFacts&) const override { return MechanismRefusal::kNone; }
    Outcome Apply(const EarlyFacts&) override { return {}; }
};

// A phone with f2fs on dm-crypt, whose engine is slower than its CPU.
class Machine {
  public:
    // `blind`: what closes a gate is hidden from the daemon.
    explicit Machine(bool blind) : blind_(blind) {
        phone_.tree.Write("/proc/self/mountinfo", Mounts("rw"));
        phone_.tree.Write("/dev/sys/fs/by-name/userdata/gc_urgent", "0\n");
        phone_.tree.Write("/dev/sys/fs/by-name/userdata/dirty_segments", "400\n");
        phone_.gc = {.longest = std::chrono::seconds(30), .most_written_bytes = 1 << 30};
        phone_.syscalls.Add("/data",
                            FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, 2)),
                                                .size_bytes = kDataBytes,
                                                .answer_bytes = 4096,
                                                .during = [this] { brake_.Enter(); }});
        phone_.DuringFitrim([this] { brake_.Enter(); });
        phone_.tree.MakeDirectory("/cache/storekeeper");
        phone_.tree.Write("/sys/dev/block/179:2/dm/name", "userdata\n");
        phone_.system_properties["ro.crypto.type"] = "block";
        phone_.ciphers.Add("qcrypto-cbc-aes",
                           {.name = "cbc(aes)", .per_request = std::chrono::microseconds(100)});
        phone_.ciphers.Add("cbc(aes-asm)",
                           {.name = "cbc(aes)", .per_kib = std::chrono::microseconds(20)});
        phone_.ciphers.Add("cbc(aes)",
                           {.name = "cbc(aes)", .per_request = std::chrono::microseconds(100)});
        ShowEngine(true);
        phone_.hal = &hal_;
        Start();
    }

    ~Machine() {
        brake_.Open(true);
        phone_.WaitUntilIdle();
    }

    std::string Do(const std::string& event) {
        Events().at(event)(this);
        return Check();
    }

    static const std::map<std::string, void (*)(Machine*)>& Events() {
        static const std::map<std::string, void (*)(Machine*)> events =
                {{"slice", [](Machine* m) { m->Slice(); }},
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
                 {"choose", [](Machine* m) { m->Choose(); }},
                 {"confirm", [](Machine* m) { m->Confirm(); }},
                 {"rollback", [](Machine* m) { m->RollBack(); }}};
        return events;
    }

    // With all well again, a run is complete.
    std::string Recover() {
        brake_.Close(false);
        brake_.Open(true);
        hal_ = FakeHal();
        SetReadOnly(false);
        // A run that was due begins by itself.
        phone_.WaitUntilIdle();
        const std::optional<TrimReceipt> receipt = phone_.keeper().Trim({});
        if (!receipt.has_value()) return "no run, although none is under way";
        if (!receipt->complete) return "the last run ended as: " + receipt->reason;
        return Check();
    }

  private:
    static std::string Mounts(const std::string& mode) {
        return "40 21 179:2 / /data " + mode + " - f2fs /dev/block/mmcblk0p2 " + mode +
               ",nodiscard\n41 21 179:1 / /cache rw - ext4 /dev/block/mmcblk0p1 rw\n";
    }

    void ShowEngine(bool there) {
        const auto entry = [](const std::string& driver, int priority) {
            return "name : cbc(aes)\ndriver : " + driver +
                   "\npriority : " + std::to_string(priority) +
                   "\nrefcnt : 1\nselftest : passed\ntype : ablkcipher\n\n";
        };
        phone_.tree.Write("/proc/crypto", (there ? entry("qcrypto-cbc-aes", 300) : "") +
                                                  entry("cbc(aes-asm)", 200));
    }

    void Start() {
        phone_.tree.Write(kBootIdPath, "boot-" + std::to_string(boot_) + "\n");
        phone_.Restart();
        phone_.crypto().SetPlan({.units = {512},
                                 .threads = {1},
                                 .rounds = 3,
                                 .round = std::chrono::milliseconds(1)});
    }

    // Until the run under way is within a FITRIM, or over.
    void Settle(int entered) {
        while (phone_.keeper().Status().progress.running && brake_.entered() == entered) {
            std::this_thread::yield();
        }
    }

    // Lets the run under way come to its end; none of its slices is held.
    void Finish() {
        brake_.Open(true);
        phone_.WaitUntilIdle();
        brake_.Open(false);
    }

    // The next slice of the run under way; without one, all gates open and a run is due.
    void Slice() {
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

    // What ends a run: the loop looks, and the slice under way is killed.
    void EndRun(const MaintenanceReadings& readings) {
        if (!blind_) phone_.inputs.Set(readings);
        phone_.keeper().Tick();
        brake_.Close(true);
        Finish();
    }

    void Abort() {
        if (!phone_.keeper().Abort()) return;
        brake_.Close(true);
        Finish();
        brake_.Close(false);
    }

    void Touch() {
        MaintenanceReadings readings = FakeInputs::Untouched();
        readings.interaction =
                InteractionReading{.screen_on = false, .last_input = phone_.clock.SinceBoot()};
        EndRun(readings);
    }

    void Unplug() {
        MaintenanceReadings readings = FakeInputs::Untouched();
        readings.power = PowerReading{.has_battery = true, .percent = 15, .on_charger = false};
        EndRun(readings);
    }

    // The end of the daemon, in order or not, and of the boot.
    void End(bool in_order, bool boot_ends) {
        const std::string state = Stored();
        // What stands on the disk when it is killed; how the daemon ends in this process comes
        // after that.
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

    std::string Stored() {
        return phone_.tree.files().Exists(kState) ? phone_.tree.Read(kState) : "";
    }

    void RunEarly() {
        Leaves mechanism;
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

    void MoveClock(std::chrono::seconds by) {
        phone_.clock.SetWall(phone_.clock.Wall() + by);
        const int entered = brake_.entered();
        phone_.keeper().Tick();
        // A run that begins because of it is one with open gates.
        if (!brake_.IsInside()) Settle(entered);
    }

    void HangHal() {
        hal_.storage = Error(ETIMEDOUT) << "the health HAL has not answered in 1 s";
        hal_.battery = Error(ETIMEDOUT) << "the health HAL has not answered in 1 s";
        phone_.keeper().Health();
    }

    void LieHal() {
        hal_.storage = std::vector<HalStorageInfo>(3, {.eol = 99, .lifetime_a = -5});
        hal_.battery = HalBattery{.present = true, .level = 900, .temperature = 30000};
        phone_.keeper().Health();
    }

    void SetReadOnly(bool read_only) {
        phone_.tree.Write("/proc/self/mountinfo", Mounts(read_only ? "ro" : "rw"));
        for (const char* suffix : {"", ".new"}) {
            phone_.syscalls.FailOpen(phone_.tree.PathOf(kState) + suffix, read_only ? EROFS : 0);
        }
        phone_.keeper().Tick();
    }

    void DenyQueue() {
        // What is throttled now nobody can give back before the next boot.
        denied_ = denied_ || brake_.IsInside();
        phone_.init.Stop();
    }

    void Choose() { chosen_ = phone_.crypto().Choose(CryptoMode::kKernel).ok() || chosen_; }
    void Confirm() { static_cast<void>(phone_.crypto().Confirm()); }
    void RollBack() { static_cast<void>(phone_.crypto().TakeBack()); }

    Result<CryptoChoice> ReadChoice() {
        if (!phone_.tree.files().Exists(kChoice)) return CryptoChoice();
        return ParseChoice(phone_.tree.Read(kChoice));
    }

    std::string Check() {
        if (const std::string wrong = brake_.wrong(); !wrong.empty()) return wrong;
        const KeeperStatus status = phone_.keeper().Status();
        if (!status.progress.running) {
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
        const FilesystemKey key{.fsid = makedev(179, 2), .size_bytes = kDataBytes};
        if (FindCursor(records, key, phone_.clock.Wall()) >= kDataBytes) return "the cursor";
        const Result<CryptoChoice> choice = ReadChoice();
        if (!choice.ok()) return "the choice: " + choice.error().message();
        const bool is_default = choice->mode == CryptoMode::kAuto;
        if (!is_default && !chosen_) return "a choice that nobody made";
        if (is_default != (choice->stage == CryptoChoice::Stage::kNone)) return "mode and stage";
        if (choice->boots > kMaxTrialBoots) return "a trial of too many boots";
        return "";
    }

    const bool blind_;
    Brake brake_;
    FakeHal hal_;
    int boot_ = 1;
    bool denied_ = false;
    bool chosen_ = false;
    // Last: its threads use the others.
    Phone phone_;
};

std::string TrySequence(const std::vector<std::string>& events, bool blind) {
    for (const std::string& event : events) {
        if (Machine::Events().count(event) == 0) return "'" + event + "' is no event";
    }
    Machine machine(blind);
    for (size_t i = 0; i < events.size(); ++i) {
        const std::string wrong = machine.Do(events[i]);
        if (!wrong.empty()) return "after event " + std::to_string(i + 1) + ": " + wrong;
    }
    return machine.Recover();
}

// The n-th sequence of that length.
std::vector<std::string> SequenceOf(uint64_t number, size_t length) {
    std::vector<std::string> names;
    for (const auto& [name, event] : Machine::Events()) names.push_back(name);
    std::vector<std::string> events;
    for (size_t i = 0; i < length; ++i) {
        events.push_back(names[number % names.size()]);
        number /= names.size();
    }
    return events;
}

}  // namespace

CampaignResult SequenceCampaign(const CampaignOptions& options, size_t length) {
    std::vector<std::vector<std::string>> sequences;
    if (!options.only.empty()) sequences.push_back(android::base::Split(options.only, ","));
    uint64_t count = 1;
    for (size_t of = 1; of <= length && options.only.empty(); ++of) {
        count *= Machine::Events().size();
        for (uint64_t number = 0; number < count; number += options.stride) {
            sequences.push_back(SequenceOf(number, of));
        }
    }
    std::mutex lock;
    CampaignResult result;
    size_t next = 0;
    const bool blind = options.flaw == Flaw::kBlindLoop;
    InThreads([&] {
        for (;;) {
            std::vector<std::string> events;
            {
                const std::lock_guard guard(lock);
                if (next == sequences.size() || result.failures.size() >= options.max_failures) {
                    return;
                }
                events = sequences[next++];
                ++result.tried["length " + std::to_string(events.size())];
            }
            const std::string wrong = TrySequence(events, blind);
            const std::lock_guard guard(lock);
            if (!wrong.empty()) {
                result.failures.push_back(android::base::Join(events, ',') + "  " + wrong);
            }
        }
    });
    return result;
}

}  // namespace storekeeper
