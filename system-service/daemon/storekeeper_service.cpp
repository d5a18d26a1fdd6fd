// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/storekeeper_service.h"

#include <android-base/logging.h>
#include <sysexits.h>

#include <algorithm>
#include <utility>

#include "daemon/access.h"
#include "daemon/aidl_reports.h"
#include "daemon/crypto_command.h"
#include "daemon/shell_command.h"
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

ScopedAStatus SecurityError(const std::string& message) {
    return ScopedAStatus::fromExceptionCodeWithMessage(EX_SECURITY, message.c_str());
}

ScopedAStatus ServiceError(int32_t code, const std::string& message) {
    return ScopedAStatus::fromServiceSpecificErrorWithMessage(code, message.c_str());
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
    if (!bounded.ok()) oversize_();
    return bounded;
}

ScopedAStatus StorekeeperService::CheckAccess() const {
    Result<void> access = CheckCaller(caller_());
    return access.ok() ? ScopedAStatus::ok() : SecurityError(access.error().message());
}

ScopedAStatus StorekeeperService::getStatus(wire::Status* out) {
    ScopedAStatus access = CheckAccess();
    if (!access.isOk()) return access;
    *out = ToAidl(daemon_.keeper().Status());
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::getHealth(wire::HealthReport* out) {
    ScopedAStatus access = CheckAccess();
    if (!access.isOk()) return access;
    HealthReport health = daemon_.keeper().Health();
    AddForecast(daemon_.collector().Last()->forecast, &health);
    *out = ToAidl(health);
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::trim(const std::vector<std::string>& mounts, bool hurry,
                                       wire::TrimReceipt* out) {
    ScopedAStatus access = CheckAccess();
    if (!access.isOk()) return access;
    if (Result<void> bounded = Bounded(mounts, kMaxMounts); !bounded.ok()) {
        return ServiceError(wire::IStorekeeper::ERROR_USAGE, bounded.error().message());
    }
    for (const std::string& mount : mounts) {
        if (const std::string name = Printable(mount); name != mount) {
            return ServiceError(wire::IStorekeeper::ERROR_USAGE,
                                "'" + name + "' is not a mount point");
        }
    }
    std::optional<TrimReceipt> receipt = daemon_.keeper().Trim(mounts, hurry);
    if (!receipt.has_value()) {
        return ServiceError(wire::IStorekeeper::ERROR_BUSY, "another run is in progress");
    }
    if (!WasAnyTrimmed(*receipt)) {
        return ServiceError(FactsOf(receipt->outcome).code, receipt->reason);
    }
    *out = ToAidl(*receipt);
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::abort(bool* out) {
    ScopedAStatus access = CheckAccess();
    if (!access.isOk()) return access;
    *out = daemon_.keeper().Abort();
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::setExtCsd(const AidlBytes& bytes) {
    Result<void> access = CheckRoot(caller_());
    if (!access.ok()) return SecurityError(access.error().message());
    const std::vector<uint8_t> handed(bytes.begin(), bytes.end());
    Result<void> taken = daemon_.keeper().SetExtCsd(handed);
    if (!taken.ok()) return ServiceError(wire::IStorekeeper::ERROR_USAGE, taken.error().message());
    return ScopedAStatus::ok();
}

ScopedAStatus StorekeeperService::Crypto(const std::vector<std::string>& words) {
    ScopedAStatus access = CheckAccess();
    if (!access.isOk()) return access;
    if (Result<void> bounded = Bounded(words); !bounded.ok()) {
        return ServiceError(wire::IStorekeeper::ERROR_USAGE, bounded.error().message());
    }
    const CryptoAnswer answer = RunCryptoCommand(daemon_.crypto(), caller_(), words);
    if (answer.code == EX_OK) return ScopedAStatus::ok();
    if (answer.code == EX_NOPERM) return SecurityError(answer.problem);
    if (answer.code == EX_USAGE) {
        return ServiceError(wire::IStorekeeper::ERROR_USAGE, answer.problem);
    }
    return ServiceError(wire::IStorekeeper::ERROR_FAILED, answer.problem);
}

ScopedAStatus StorekeeperService::chooseCrypto(const std::string& mode) {
    return Crypto({"choose", mode});
}

ScopedAStatus StorekeeperService::confirmCrypto() {
    return Crypto({"confirm"});
}

binder_status_t StorekeeperService::dump(int fd, const char** args, uint32_t count) {
    // Who may not ask is not answered either: a denied caller's pipe is nothing to wait for.
    if (!CheckCaller(caller_()).ok()) return STATUS_PERMISSION_DENIED;
    std::vector<std::string> arguments = TakeArguments(args, count);
    if (Result<void> bounded = Bounded(arguments); !bounded.ok()) {
        (void)writer_.Write(fd, "storekeeper: " + bounded.error().message() + "\n");
        return STATUS_BAD_VALUE;
    }
    const DumpSources sources = daemon_.Sources();
    const DumpRequest request = ParseDumpRequest(arguments);
    Result<void> written = writer_.Write(fd, DumpAnswer(sources, request));
    if (written.ok()) return request.unknown.empty() ? STATUS_OK : STATUS_BAD_VALUE;
    LOG(WARNING) << "dump: " << written.error().message();
    return STATUS_FAILED_TRANSACTION;
}

binder_status_t StorekeeperService::handleShellCommand(int /* in */, int out, int err,
                                                       const char** args, uint32_t count) {
    const uid_t caller = caller_();
    if (!CheckCaller(caller).ok()) return EX_NOPERM;
    const std::vector<std::string> arguments = TakeArguments(args, count);
    if (Result<void> bounded = Bounded(arguments); !bounded.ok()) {
        (void)writer_.Write(err, "storekeeper: " + bounded.error().message() + "\n");
        return EX_USAGE;
    }
    // Not negative: libbinder_ndk hands a positive number to `cmd` as its exit code.
    return ShellCommand(daemon_, writer_, caller, out, err).Run(arguments);
}

}  // namespace storekeeper
