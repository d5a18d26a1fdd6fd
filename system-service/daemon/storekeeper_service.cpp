// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/storekeeper_service.h"

#include <android-base/logging.h>
#include <sysexits.h>

#include "base/tokens.h"
#include "daemon/access.h"
#include "daemon/shell_command.h"
#include "report/report.h"

namespace storekeeper {
namespace {

using android::base::Result;
using ndk::ScopedAStatus;
namespace wire = aidl::org::storekeeper;

static_assert(EX_USAGE == wire::IStorekeeper::ERROR_USAGE);

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

}  // namespace

Result<void> StorekeeperService::Bounded(const std::vector<std::string>& arguments) const {
    Result<void> bounded = CheckArguments(arguments);
    if (!bounded.ok()) purge_();
    return bounded;
}

ScopedAStatus StorekeeperService::CheckAccess(std::string_view method) const {
    Result<void> access = CheckCaller(method, caller_());
    return access.ok() ? ScopedAStatus::ok() : SecurityError(access.error().message());
}

ScopedAStatus StorekeeperService::setExtCsd(const AidlBytes& bytes) {
    if (ScopedAStatus access = CheckAccess("setExtCsd()"); !access.isOk()) return access;
    const std::vector<uint8_t> handed(bytes.begin(), bytes.end());
    Result<void> taken = daemon_.card().SetExtCsd(handed);
    if (!taken.ok()) return ServiceError(wire::IStorekeeper::ERROR_USAGE, taken.error().message());
    return ScopedAStatus::ok();
}

binder_status_t StorekeeperService::dump(int fd, const char** args, uint32_t count) {
    // A denied caller gets no text, because its pipe is not worth waiting for.
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
    // Exit codes are positive: libbinder_ndk passes a positive status to `cmd` as its exit code.
    const int code = ShellCommand(daemon_, writer_, caller, out, err).Run(arguments);
    purge_();
    return code;
}

}  // namespace storekeeper
