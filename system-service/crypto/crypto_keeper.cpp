// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/crypto_keeper.h"

#include <android-base/logging.h>
#include <errno.h>

#include <algorithm>
#include <utility>

#include "base/file_reader.h"
#include "base/try.h"
#include "crypto/known_answers.h"
#include "crypto/properties.h"
#include "crypto/qcrypto_driver.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kAfAlg[] = "af_alg";
constexpr char kFileIo[] = "file_io";
// Value of storekeeper.crypto.early that is not worth a note.
constexpr char kNothingDone[] = "refused:nothing_chosen";

// Android uses AES-128 with CBC in dm-crypt, and AES-256 with XTS in fscrypt and dm-default-key.
size_t AndroidKeyBytes(const std::string& name) {
    return name == "xts(aes)" ? 64 : 16;
}

// The cipher inside of essiv(), whose key AF_ALG can set.
std::string InnerName(const std::string& name) {
    return name == "essiv(cbc(aes),sha256)" ? "cbc(aes)" : name;
}

// True if the engine has drivers and none is in use. An absent engine is another indication.
bool EngineIsIdle(const CryptoInventory& inventory) {
    return inventory.AnyHardware() &&
           std::none_of(inventory.drivers.begin(), inventory.drivers.end(),
                        [](const CryptoDriver& d) { return IsHardware(d.engine) && d.in_use(); });
}

std::string DriverOf(const CryptoDriver* driver) {
    return driver == nullptr ? "" : driver->driver;
}

struct Target {
    std::string name;
    size_t unit_bytes = 4096;
};

Target TargetOf(const std::vector<VolumeState>& volumes) {
    for (const VolumeState& volume : volumes) {
        if (volume.switchable() && !volume.name.empty()) {
            return {.name = InnerName(volume.name), .unit_bytes = volume.unit_bytes};
        }
    }
    return {.name = "xts(aes)"};
}

// An error if the kernel has no AF_ALG, or does not offer this cipher through it.
Result<void> CheckOffered(CipherCalls& calls, const std::string& cipher) {
    TRY(calls.Bind(cipher));
    return {};
}

// Measures the engine's and the CPU's driver that `to` names. First it checks known answers, and in
// requests of each of `units` whether each driver reads data that the other wrote; `wrong` has the
// first fault. Then it measures the speed. If that fails, `problem` says why and there are no
// figures.
void MeasureDrivers(CipherCalls& calls, const std::vector<size_t>& units, const BenchmarkPlan& plan,
                    CryptoMeasured* to) {
    std::vector<std::string> drivers;
    for (const std::string& driver : {to->hardware, to->cpu}) {
        if (driver.empty()) continue;
        const Result<void> right = CheckKnownAnswers(calls, to->name, driver);
        if (!right.ok() && to->wrong.empty()) to->wrong = right.error().message();
        drivers.push_back(driver);
    }
    if (drivers.empty()) {
        to->problem = "no driver of " + to->name + " is known";
        return;
    }
    for (size_t unit : units) {
        if (drivers.size() != 2 || !to->wrong.empty()) break;
        const Result<void> across = CheckAcross(calls, drivers[0], drivers[1], to->key_bytes, unit);
        if (!across.ok()) to->wrong = across.error().message();
    }
    Result<CipherFigures> answer = MeasureCiphers(calls, drivers, plan);
    if (!answer.ok()) {
        to->problem = answer.error().message();
        return;
    }
    to->note = answer->note;
    to->figures = std::move(answer->figures);
}

}  // namespace

CryptoKeeper::CryptoKeeper(const Seams& seams, Hooks hooks, const Paths& paths)
      : seams_(seams), hooks_(std::move(hooks)), paths_(paths) {
    if (!paths_.choice.ok()) return;
    ChoiceStore::Loaded loaded = ChoiceStore(seams_.syscalls, *paths_.choice).Load();
    MutexLock guard(lock_);
    choice_ = std::move(loaded.choice);
    choice_note_ = std::move(loaded.note);
    if (!choice_note_.empty()) LOG(WARNING) << choice_note_;
}

void CryptoKeeper::SetPlan(const BenchmarkPlan& plan) {
    MutexLock guard(lock_);
    plan_ = plan;
}

CryptoInventory CryptoKeeper::ReadInventory(std::vector<std::string>* notes) const {
    Result<std::string> text = seams_.files.ReadTable(kProcCryptoPath);
    if (!text.ok()) {
        notes->push_back(text.error().message());
        return {};
    }
    CryptoInventory inventory = MakeInventory(ParseProcCrypto(*text));
    notes->insert(notes->end(), inventory.problems.begin(), inventory.problems.end());
    return inventory;
}

void CryptoKeeper::ReadVolumes(CryptoStatus* status) const {
    Result<MountAuditInputs> mounts = hooks_.mounts();
    if (!mounts.ok()) {
        status->notes.push_back(mounts.error().message());
        return;
    }
    status->mounts_left_out = mounts->mounts_left_out;
    for (const AuditedMount& audited : mounts->mounts) {
        const Mount& mount = audited.mount;
        if (!mount.source.starts_with("/dev/")) continue;
        VolumeFacts facts{.mount = mount.mount_point,
                          .layer = audited.layer,
                          .inlinecrypt = !audited.inline_crypt.empty()};
        Result<dev_t> disk = DiskOf(seams_.files, mount.device);
        // Without that folder, the kernel may be too old to report inline encryption.
        const std::string queue = disk.ok() ? SysfsOf(*disk) + "/queue/crypto" : "";
        if (disk.ok() && seams_.files.Exists(queue)) {
            facts.inline_hardware = true;
            const QueueKeys keys{.raw = seams_.files.Exists(queue + "/raw_keys"),
                                 .wrapped = seams_.files.Exists(queue + "/hw_wrapped_keys")};
            if (keys.raw || keys.wrapped) facts.queue_keys = keys;
        }
        Result<std::string> label = seams_.files.ReadAttribute(SysfsOf(mount.device) + "/dm/name");
        if (label.ok()) {
            facts.vold = ParseVoldReport(hooks_.property(kVoldReportPrefix + *label));
        }
        facts.software_limit = ReadCount(seams_.files, kSoftwareLimitPath);
        status->volumes.push_back(JudgeVolume(facts, status->inventory));
    }
}

std::string CryptoKeeper::ChoiceNote() const {
    MutexLock guard(lock_);
    return choice_note_;
}

CryptoStatus CryptoKeeper::Status() {
    CryptoStatus status;
    status.inventory = ReadInventory(&status.notes);
    ReadVolumes(&status);
    if (paths_.choice.ok()) {
        status.choice_file = *paths_.choice;
    } else {
        status.notes.push_back(paths_.choice.error().message());
    }
    const std::string early = hooks_.property(kEarlyProperty);
    if (!early.empty() && early != kNothingDone) {
        status.notes.push_back("storekeeper_crypto_early reports " + early);
    }
    MutexLock guard(lock_);
    status.choice = choice_;
    if (!choice_note_.empty()) status.notes.push_back(choice_note_);
    status.mode = EffectiveMode(hooks_.property(kBootCryptoProperty), choice_,
                                hooks_.property(kProductCryptoProperty));
    status.measured = measured_;
    return status;
}

// Makes the kernel register the CPU's driver. A template's instance is made at its first request,
// and one below a faster engine was never requested.
void CryptoKeeper::WakeCpuDriver(const std::string& name) {
    std::vector<std::string> notes;
    const std::string mode = name.substr(0, name.find('('));
    for (const char* ending : {"", "(aes)", "-aes-ce", "-aes-neonbs", "-aes-aesni", "(aes-asm)",
                               "(aes-arm)", "(aes-generic)"}) {
        if (*ending != 0) (void)seams_.calls.Bind(mode + ending);
        if (ReadInventory(&notes).BestCpu(name) != nullptr) return;
    }
}

Result<void> CryptoKeeper::MeasureFile(CryptoMeasured* to) {
    FileSpeed speed = TRY(MeasureFileSpeed(seams_.syscalls, seams_.calls, paths_.speed));
    to->method = kFileIo;
    to->note = "includes the storage: compare it only with the same measurement after a reboot";
    to->file = speed;
    to->now = CryptoBaseline{.write_mbps = speed.write_mbps.mean,
                             .read_mbps = speed.read_mbps.mean,
                             .method = kFileIo,
                             .unit_bytes = kFileSpeedUnit};
    return {};
}

Result<CryptoMeasured> CryptoKeeper::Measure(const std::string& name, size_t key_bytes) {
    MutexLock measuring(measure_lock_);
    std::vector<std::string> notes;
    CryptoStatus now{.inventory = ReadInventory(&notes)};
    ReadVolumes(&now);
    Target target = TargetOf(now.volumes);
    if (!name.empty() && name != target.name) target = {.name = name};
    BenchmarkPlan plan;
    {
        MutexLock guard(lock_);
        plan = plan_;
    }
    CryptoMeasured measured{.name = target.name,
                            .key_bytes = key_bytes == 0 ? AndroidKeyBytes(target.name) : key_bytes};
    plan.key_bytes = measured.key_bytes;
    if (std::find(plan.units.begin(), plan.units.end(), target.unit_bytes) == plan.units.end()) {
        plan.units.push_back(target.unit_bytes);
    }
    if (const Result<void> there = CheckOffered(seams_.calls, target.name); there.ok()) {
        WakeCpuDriver(target.name);
        const CryptoInventory inventory = ReadInventory(&notes);
        measured.hardware = DriverOf(inventory.BestHardware(target.name));
        measured.cpu = DriverOf(inventory.BestCpu(target.name));
        MeasureDrivers(seams_.calls, {512, 4096, target.unit_bytes}, plan, &measured);
        if (!measured.figures.empty()) measured.method = kAfAlg;
        const std::string serving = DriverOf(inventory.Serving(target.name));
        const CipherFigure* write = FindFigure(measured, serving, target.unit_bytes, true);
        const CipherFigure* read = FindFigure(measured, serving, target.unit_bytes, false);
        if (write != nullptr && read != nullptr) {
            measured.now = CryptoBaseline{.write_mbps = SpeedOf(*write).mean,
                                          .read_mbps = SpeedOf(*read).mean,
                                          .method = measured.method,
                                          .unit_bytes = static_cast<uint32_t>(target.unit_bytes),
                                          .cipher = target.name,
                                          .key_bytes = static_cast<uint32_t>(plan.key_bytes)};
        }
    } else {
        measured.problem = there.error().message();
    }
    if (measured.method.empty()) {
        Result<void> file = MeasureFile(&measured);
        if (!file.ok()) return Error() << measured.problem << "; " << file.error().message();
    }
    MutexLock guard(lock_);
    measured_ = measured;
    return measured;
}

Recommendation CryptoKeeper::Advise() {
    CryptoStatus status = Status();
    const bool hardware_there = status.inventory.AnyHardware();
    VolumeState chosen;
    for (const VolumeState& volume : status.volumes) {
        if (volume.mount == "/data" || chosen.mount.empty()) chosen = volume;
    }
    CryptoMeasured measured;
    // No measurement if none could change the advice.
    if (hardware_there && chosen.state == CryptoState::kHwOffload) {
        const Result<CryptoMeasured> result = Measure(InnerName(chosen.name));
        if (result.ok()) {
            measured = *result;
        } else {
            measured.problem = result.error().message();
        }
    }
    return Recommend(chosen, hardware_there, measured);
}

Result<void> CryptoKeeper::Save(const CryptoChoice& choice) {
    if (!paths_.choice.ok()) return Error() << paths_.choice.error().message();
    TRY(ChoiceStore(seams_.syscalls, *paths_.choice).Save(choice));
    MutexLock guard(lock_);
    choice_ = choice;
    choice_note_.clear();
    return {};
}

Result<CryptoChoice> CryptoKeeper::Choose(CryptoMode mode) {
    std::optional<CryptoBaseline> baseline;
    if (mode != CryptoMode::kAuto) {
        const CryptoStatus status = Status();
        bool switchable = false;
        for (const VolumeState& volume : status.volumes) {
            if (volume.state == CryptoState::kHwKey) {
                return Error() << "no switch possible: only the engine has the key of a volume";
            }
            switchable = switchable || volume.switchable();
        }
        if (!switchable) return Error() << "no volume with a switchable engine found";
        // The baseline must be of the cipher that `confirm` will measure, not of another one that
        // was measured by command.
        const std::string name = TargetOf(status.volumes).name;
        const bool known = status.measured.has_value() && status.measured->name == name &&
                           status.measured->key_bytes == AndroidKeyBytes(name);
        const CryptoMeasured measured = known ? *status.measured : TRY(Measure());
        if (!measured.wrong.empty()) {
            return Error() << "no switch possible: " << measured.wrong;
        }
        baseline = measured.now;
    }
    CryptoChoice choice =
            TRY(MakeChoice(mode, baseline, seams_.files.ReadAttribute(kBootIdPath).value_or("")));
    TRY(Save(choice));
    return choice;
}

// Collects signs of who encrypts: the driver in use, vold's report, whether the engine has a user,
// whether its driver has a device. Reads a file of /data first: EIO there rolls a choice back.
Verification CryptoKeeper::CollectSigns(bool want_cpu) {
    Verification found{.boot_id = seams_.files.ReadAttribute(kBootIdPath).value_or("")};
    const auto add = [&](bool is_cpu, const std::string& sign) {
        (is_cpu == want_cpu ? found.signs : found.against).push_back(sign);
    };
    Result<void> read = ReadSpeedFile(seams_.syscalls, paths_.speed);
    if (!read.ok() && read.error().code() == ENOENT) {
        Result<FileSpeed> speed = MeasureFileSpeed(seams_.syscalls, seams_.calls, paths_.speed);
        read = speed.ok() ? Result<void>() : Result<void>(speed.error());
    }
    if (!read.ok() && read.error().code() == EIO) ++found.io_errors;
    const CryptoStatus status = Status();
    for (const VolumeState& volume : status.volumes) {
        if (!volume.switchable()) continue;
        add(volume.state == CryptoState::kCpu, volume.mount + " is served by " + volume.driver);
        break;
    }
    const std::string vold = hooks_.property(kVoldAesProperty);
    if (vold == "unbound" || vold.starts_with("capi:")) add(true, "vold reports " + vold);
    if (want_cpu && EngineIsIdle(status.inventory)) {
        add(true, "no cipher of the engine is in use");
    }
    if (status.inventory.AnyHardware() || seams_.files.Exists(kEngineDriverFolder)) {
        const bool bound = !BoundEngineDevices(seams_.files).empty();
        // A driver with a device may still be passed over; one without a device cannot work.
        if (!bound || !want_cpu) {
            add(!bound, bound ? "qcrypto has a device" : "qcrypto has no device");
        }
    }
    return found;
}

Result<VerificationResult> CryptoKeeper::Confirm() {
    CryptoChoice choice;
    {
        MutexLock guard(lock_);
        choice = choice_;
    }
    if (choice.stage != CryptoChoice::Stage::kTrial) return Verify(choice, {});
    Result<CryptoMeasured> measured = Measure();
    const bool want_cpu = choice.mode == CryptoMode::kKernel;
    Verification found = CollectSigns(want_cpu);
    if (measured.ok()) {
        found.measured = measured->now;
        if (want_cpu && EngineRunsOnCpu(*measured)) {
            found.signs.push_back(measured->hardware + " is as fast as " + measured->cpu);
        }
        if (!measured->wrong.empty()) found.against.push_back(measured->wrong);
    } else if (measured.error().code() == EIO) {
        ++found.io_errors;
    }
    VerificationResult answer = Verify(choice, found);
    if (answer.result != VerificationResult::Result::kNotYet) TRY(Save(answer.next));
    return answer;
}

Result<CryptoChoice> CryptoKeeper::RollBack() {
    {
        MutexLock guard(lock_);
        // A choice that could not be read is replaced below.
        if (choice_note_.empty() && choice_.mode == CryptoMode::kAuto) {
            CryptoChoice unchanged = choice_;
            unchanged.reason = "nothing was chosen, nothing to roll back";
            return unchanged;
        }
    }
    CryptoChoice choice = storekeeper::RollBack("rolled back by command");
    TRY(Save(choice));
    return choice;
}

}  // namespace storekeeper
