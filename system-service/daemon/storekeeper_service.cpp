// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/storekeeper_service.h"

#include <android-base/logging.h>
#include <sysexits.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/tokens.h"
#include "daemon/access.h"
#include "daemon/crypto_command.h"
#include "daemon/shell_command.h"
#include "maintenance/trim/receipt.h"
#include "report/report.h"

namespace storekeeper {
namespace {

using android::base::Result;
using ndk::ScopedAStatus;
namespace wire = aidl::org::storekeeper;

// The interface's codes are those of the outcomes.
constexpr bool HasCode(TrimOutcome outcome, int32_t code) {
    return FactsOf(outcome).code == code;
}
static_assert(HasCode(TrimOutcome::kNotGiven, wire::IStorekeeper::ERROR_NOT_GIVEN));
static_assert(HasCode(TrimOutcome::kNotMounted, wire::IStorekeeper::ERROR_NOT_MOUNTED));
static_assert(HasCode(TrimOutcome::kHidden, wire::IStorekeeper::ERROR_HIDDEN));
static_assert(HasCode(TrimOutcome::kDuplicate, wire::IStorekeeper::ERROR_DUPLICATE));
static_assert(HasCode(TrimOutcome::kReadOnly, wire::IStorekeeper::ERROR_READ_ONLY));
static_assert(HasCode(TrimOutcome::kNoDiscard, wire::IStorekeeper::ERROR_NO_DISCARD));
static_assert(HasCode(TrimOutcome::kNotPermitted, wire::IStorekeeper::ERROR_NOT_PERMITTED));
static_assert(HasCode(TrimOutcome::kIoError, wire::IStorekeeper::ERROR_IO));
static_assert(HasCode(TrimOutcome::kFailed, wire::IStorekeeper::ERROR_FAILED));
static_assert(HasCode(TrimOutcome::kAborted, wire::IStorekeeper::ERROR_ABORTED));
static_assert(HasCode(TrimOutcome::kChipQuirk, wire::IStorekeeper::ERROR_CHIP_QUIRK));
static_assert(HasCode(TrimOutcome::kNoTrim, wire::IStorekeeper::ERROR_NO_TRIM));
static_assert(HasCode(TrimOutcome::kBusy, wire::IStorekeeper::ERROR_BUSY));
static_assert(EX_USAGE == wire::IStorekeeper::ERROR_USAGE);

// Its levels are those of the verdict.
constexpr bool HasNumber(Verdict::Level level, int32_t number) {
    return static_cast<int32_t>(level) == number;
}
static_assert(HasNumber(Verdict::Level::kUnknown, wire::IStorekeeper::LEVEL_UNKNOWN));
static_assert(HasNumber(Verdict::Level::kGood, wire::IStorekeeper::LEVEL_GOOD));
static_assert(HasNumber(Verdict::Level::kWarning, wire::IStorekeeper::LEVEL_WARNING));
static_assert(HasNumber(Verdict::Level::kUrgent, wire::IStorekeeper::LEVEL_URGENT));

// AIDL has no absent long and no unsigned one.
int64_t OrMinusOne(const std::optional<uint64_t>& value) {
    if (!value.has_value() || *value > std::numeric_limits<int64_t>::max()) return -1;
    return static_cast<int64_t>(*value);
}

// libbinder refuses the whole answer for one string that is no UTF-8: Printable() wherever a name
// of a mount, a property or a file may stand.

wire::MountReceipt ToAidl(const MountReceipt& mount) {
    wire::MountReceipt out;
    out.mount = Printable(mount.mount);
    out.code = FactsOf(mount.outcome).code;
    out.reason = Printable(mount.reason);
    out.rangeStartBytes = static_cast<int64_t>(mount.range_start_bytes);
    out.rangeLengthBytes = static_cast<int64_t>(mount.range_length_bytes);
    out.filesystemBytes = OrMinusOne(mount.filesystem_bytes);
    out.blockLayerBytes = OrMinusOne(mount.block_layer_bytes);
    out.durationNanos = mount.duration.count();
    out.trimmingNanos = mount.trimming.count();
    out.slices = static_cast<int64_t>(mount.fitrim_calls);
    out.throttled = mount.throttled;
    out.note = Printable(mount.note);
    return out;
}

wire::Gate ToAidl(const Gate& gate) {
    wire::Gate out;
    out.name = gate.name;
    out.unit = gate.unit;
    out.value = gate.value.value_or(-1);
    out.limit = gate.limit;
    out.atMost = gate.at_most;
    out.overridden = gate.overridden;
    out.relaxedBy = gate.relaxed_by();
    out.pass = gate.pass;
    out.note = Printable(gate.note);
    return out;
}

wire::HealthItem ToAidl(const HealthItem& item) {
    wire::HealthItem out;
    out.name = item.name;
    out.value = item.value;
    out.explanation = item.explanation;
    out.problem = Printable(item.problem);
    return out;
}

wire::TrimReceipt ToAidl(const TrimReceipt& receipt) {
    wire::TrimReceipt out;
    out.manual = receipt.manual;
    out.startedWallSeconds = receipt.started_wall.count();
    out.durationNanos = receipt.duration.count();
    out.code = FactsOf(receipt.outcome).code;
    out.reason = Printable(receipt.reason);
    out.complete = receipt.complete;
    for (const MountReceipt& mount : receipt.mounts) out.mounts.push_back(ToAidl(mount));
    return out;
}

wire::Status ToAidl(const KeeperStatus& status) {
    wire::Status out;
    out.trimming = status.progress.running;
    out.trimmingMount = Printable(status.progress.mount);
    out.stopping = status.progress.running && status.progress.stopping;
    out.wouldRun = status.decision.run;
    for (const Gate& gate : status.decision.gates) out.gates.push_back(ToAidl(gate));
    out.nextCheckInSeconds = std::chrono::duration_cast<std::chrono::seconds>(
                                     status.decision.next_check - status.now.since_boot)
                                     .count();
    for (const std::string& mount : status.mounts) out.mounts.push_back(Printable(mount));
    if (status.state.last_complete.has_value()) {
        out.lastCompleteWallSeconds = status.state.last_complete->wall.count();
    }
    if (status.last_run.has_value()) out.lastRun = ToAidl(*status.last_run);
    for (const std::string& note : status.notes) out.notes.push_back(Printable(note));
    return out;
}

wire::HealthReport ToAidl(const HealthReport& report) {
    wire::HealthReport out;
    out.verdict = report.verdict.line;
    out.level = static_cast<int32_t>(report.verdict.level);
    out.usedFromPercent = report.verdict.used_from_pct.value_or(-1);
    out.usedToPercent = report.verdict.used_to_pct.value_or(-1);
    out.wearSource = report.wear_source;
    out.device = report.storage.device;
    out.problem = Printable(report.storage.problem);
    for (const HealthItem& item : report.storage.items) out.items.push_back(ToAidl(item));
    return out;
}

ScopedAStatus SecurityError(const std::string& message) {
    return ScopedAStatus::fromExceptionCodeWithMessage(EX_SECURITY, Printable(message).c_str());
}

ScopedAStatus ServiceError(int32_t code, const std::string& message) {
    return ScopedAStatus::fromServiceSpecificErrorWithMessage(code, Printable(message).c_str());
}

std::string DumpAnswer(const DumpSources& sources, const DumpRequest& request) {
    if (!request.unknown.empty()) {
        return "storekeeper: '" + Printable(request.unknown) + "' is not a section\n" + DumpHelp();
    }
    if (request.help) return DumpHelp();
    if (request.json) return WriteJson(DumpToJson(sources, request.sections));
    return DumpText(sources, request.sections);
}

bool WasAnyTrimmed(const TrimReceipt& receipt) {
    return std::any_of(receipt.mounts.begin(), receipt.mounts.end(),
                       [](const MountReceipt& m) { return m.outcome == TrimOutcome::kTrimmed; });
}

}  // namespace

Result<void> StorekeeperService::Bounded(const std::vector<std::string>& arguments,
                                         size_t most) const {
    Result<void> bounded = CheckArguments(arguments, most);
    if (!bounded.ok()) purge_();
    return bounded;
}

ScopedAStatus StorekeeperService::CheckAccess(std::string_view method) const {
    Result<void> access = CheckCaller(method, caller_());
    return access.ok() ? ScopedAStatus::ok() : SecurityError(access.error().message());
}

ScopedAStatus StorekeeperService::getStatus(wire::Status* out) {
    if (ScopedAStatus access = CheckAccess("getStatus()"); !access.isOk()) return access;
    *out = ToAidl(daemon_.keeper().Status());
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::getHealth(wire::HealthReport* out) {
    if (ScopedAStatus access = CheckAccess("getHealth()"); !access.isOk()) return access;
    HealthReport health = daemon_.Health();
    AddForecast(daemon_.collector().Last()->forecast, &health);
    *out = ToAidl(health);
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::trim(const std::vector<std::string>& mounts, bool hurry,
                                       wire::TrimReceipt* out) {
    if (ScopedAStatus access = CheckAccess("trim()"); !access.isOk()) return access;
    if (Result<void> bounded = Bounded(mounts, kMaxMounts); !bounded.ok()) {
        return ServiceError(wire::IStorekeeper::ERROR_USAGE, bounded.error().message());
    }
    for (const std::string& mount : mounts) {
        if (const std::string name = Printable(mount); name != mount) {
            return ServiceError(wire::IStorekeeper::ERROR_USAGE,
                                "'" + name + "' is not a mount point");
        }
    }
    const Result<TrimReceipt> receipt = daemon_.keeper().Trim(mounts, hurry);
    if (!receipt.ok()) {
        return ServiceError(FactsOf(OutcomeOfRefusal(receipt.error().code())).code,
                            receipt.error().message());
    }
    if (!WasAnyTrimmed(*receipt)) {
        return ServiceError(FactsOf(receipt->outcome).code, receipt->reason);
    }
    *out = ToAidl(*receipt);
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::abort(bool* out) {
    if (ScopedAStatus access = CheckAccess("abort()"); !access.isOk()) return access;
    *out = daemon_.keeper().Abort();
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::setExtCsd(const AidlBytes& bytes) {
    if (ScopedAStatus access = CheckAccess("setExtCsd()"); !access.isOk()) return access;
    const std::vector<uint8_t> handed(bytes.begin(), bytes.end());
    Result<void> taken = daemon_.card().SetExtCsd(handed);
    if (!taken.ok()) return ServiceError(wire::IStorekeeper::ERROR_USAGE, taken.error().message());
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::Crypto(const std::vector<std::string>& words) {
    if (Result<void> bounded = Bounded(words); !bounded.ok()) {
        return ServiceError(wire::IStorekeeper::ERROR_USAGE, bounded.error().message());
    }
    const CryptoAnswer answer = RunCryptoCommand(daemon_.crypto(), words);
    if (answer.code == EX_OK) return ScopedAStatus::ok();
    if (answer.code == EX_USAGE) {
        return ServiceError(wire::IStorekeeper::ERROR_USAGE, answer.problem);
    }
    return ServiceError(wire::IStorekeeper::ERROR_FAILED, answer.problem);
}

ScopedAStatus StorekeeperService::chooseCrypto(const std::string& mode) {
    if (ScopedAStatus access = CheckAccess("chooseCrypto()"); !access.isOk()) return access;
    return Crypto({"choose", mode});
}

ScopedAStatus StorekeeperService::confirmCrypto() {
    if (ScopedAStatus access = CheckAccess("confirmCrypto()"); !access.isOk()) return access;
    return Crypto({"confirm"});
}

binder_status_t StorekeeperService::dump(int fd, const char** args, uint32_t count) {
    // Who may not ask is not answered either: a denied caller's pipe is nothing to wait for.
    if (!CheckCaller("dumpsys storekeeper", caller_()).ok()) return STATUS_PERMISSION_DENIED;
    std::vector<std::string> arguments = TakeArguments(args, count);
    if (Result<void> bounded = Bounded(arguments); !bounded.ok()) {
        (void)writer_.Write(fd, "storekeeper: " + bounded.error().message() + "\n");
        return STATUS_BAD_VALUE;
    }
    const DumpRequest request = ParseDumpRequest(arguments);
    const DumpSources sources = daemon_.Sources(request.apps);
    Result<void> written = writer_.Write(fd, DumpAnswer(sources, request));
    purge_();
    if (written.ok()) return request.unknown.empty() ? STATUS_OK : STATUS_BAD_VALUE;
    LOG(WARNING) << "dump: " << written.error().message();
    return STATUS_FAILED_TRANSACTION;
}

binder_status_t StorekeeperService::handleShellCommand(int /* in */, int out, int err,
                                                       const char** args, uint32_t count) {
    const uid_t caller = caller_();
    if (!CheckCaller("cmd storekeeper", caller).ok()) return EX_NOPERM;
    const std::vector<std::string> arguments = TakeArguments(args, count);
    if (Result<void> bounded = Bounded(arguments); !bounded.ok()) {
        (void)writer_.Write(err, "storekeeper: " + bounded.error().message() + "\n");
        return EX_USAGE;
    }
    // Not negative: libbinder_ndk hands a positive number to `cmd` as its exit code.
    const int code = ShellCommand(daemon_, writer_, caller, out, err).Run(arguments);
    purge_();
    return code;
}

}  // namespace storekeeper
