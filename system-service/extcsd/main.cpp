// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <aidl/org/storekeeper/IStorekeeper.h>
#include <android-base/file.h>
#include <android/binder_manager.h>
#include <fcntl.h>
#include <sysexits.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "aidl/aidl_bytes.h"
#include "base/json_text.h"
#include "base/syscalls.h"
#include "base/try.h"
#include "extcsd/mmc_ioctl.h"
#include "extcsd/options.h"
#include "health/ext_csd.h"

namespace {

using aidl::org::storekeeper::IStorekeeper;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using storekeeper::ExtCsd;
using storekeeper::ExtCsdOptions;

constexpr char kUsage[] =
        "Usage: storekeeper_extcsd [--json] [--send] [DEVICE | --file FILE | -]\n"
        "Prints the EXT_CSD register of an eMMC by the names of JESD84-B51.\n"
        "  DEVICE       the card's block device; /dev/block/mmcblk0 or /dev/mmcblk0 by default\n"
        "  --file FILE  512 raw bytes, or 1024 hexadecimal digits as in debugfs mmc*/*/ext_csd\n"
        "  -            bytes or digits as of FILE, from standard input\n"
        "  --json       prints JSON\n"
        "  --send       also hands the register to the storekeeper service, for its reports\n"
        "Exit codes: 0 success, 64 wrong usage, 65 not an EXT_CSD, 66 unreadable source,\n"
        "69 the service is not running or refuses the register\n";

// More than any form of the register needs, white space included.
constexpr size_t kMaxInput = 16 * 1024;

Result<std::string> ReadUpTo(const unique_fd& fd, size_t limit) {
    std::string text;
    char buffer[4096];
    while (text.size() <= limit) {
        ssize_t count = TEMP_FAILURE_RETRY(read(fd.get(), buffer, sizeof(buffer)));
        if (count < 0) return android::base::ErrnoError() << "cannot read the EXT_CSD";
        if (count == 0) return text;
        text.append(buffer, static_cast<size_t>(count));
    }
    return Error() << "the input is longer than " << limit << " bytes: not an EXT_CSD";
}

Result<std::string> ReadDevice(storekeeper::Syscalls& syscalls, const std::string& path) {
    std::vector<uint8_t> bytes = TRY(storekeeper::ReadExtCsdFromCard(syscalls, path));
    return std::string(bytes.begin(), bytes.end());
}

Result<std::string> ReadSource(const ExtCsdOptions& options) {
    storekeeper::LinuxSyscalls syscalls;
    switch (options.source) {
        case ExtCsdOptions::Source::kStandardInput:
            return ReadUpTo(unique_fd(dup(STDIN_FILENO)), kMaxInput);
        case ExtCsdOptions::Source::kFile:
            return ReadUpTo(TRY(syscalls.Open(options.path, O_RDONLY)), kMaxInput);
        case ExtCsdOptions::Source::kDevice:
            return ReadDevice(syscalls, options.path);
        case ExtCsdOptions::Source::kDefaultDevice:
            break;
    }
    // The first name is Android's, the second that of other Linux systems.
    Result<std::string> bytes = ReadDevice(syscalls, "/dev/block/mmcblk0");
    if (!bytes.ok() && bytes.error().code() == ENOENT) return ReadDevice(syscalls, "/dev/mmcblk0");
    return bytes;
}

Result<ExtCsd> Decode(const std::string& input) {
    if (input.size() != storekeeper::kExtCsdSize) return ExtCsd::FromHex(input);
    std::vector<uint8_t> bytes(input.begin(), input.end());
    return ExtCsd::FromBytes(bytes);
}

Result<void> Send(const ExtCsd& ext_csd) {
    storekeeper::LinuxSyscalls syscalls;
    // libbinder would end the process without a driver; this reports the reason instead.
    TRY(syscalls.Open("/dev/binder", O_RDWR));
    ndk::SpAIBinder binder(AServiceManager_checkService("storekeeper"));
    std::shared_ptr<IStorekeeper> service = IStorekeeper::fromBinder(binder);
    if (service == nullptr) return Error() << "the storekeeper service is not running";
    storekeeper::AidlBytes bytes(ext_csd.bytes().begin(), ext_csd.bytes().end());
    ndk::ScopedAStatus status = service->setExtCsd(bytes);
    if (!status.isOk()) {
        return Error() << "the storekeeper service refuses the register: "
                       << status.getDescription();
    }
    return {};
}

int Fail(int code, const std::string& message) {
    fprintf(stderr, "storekeeper_extcsd: %s\n", message.c_str());
    return code;
}

}  // namespace

int main(int argc, char** argv) {
    Result<ExtCsdOptions> options =
            storekeeper::ParseExtCsdOptions(std::vector<std::string>(argv + 1, argv + argc));
    if (!options.ok()) return Fail(EX_USAGE, options.error().message() + "\n" + kUsage);
    if (options->help) {
        fputs(kUsage, stdout);
        return EX_OK;
    }
    Result<std::string> input = ReadSource(*options);
    if (!input.ok()) return Fail(EX_NOINPUT, input.error().message());
    Result<ExtCsd> ext_csd = Decode(*input);
    if (!ext_csd.ok()) return Fail(EX_DATAERR, ext_csd.error().message());

    fputs((options->json ? storekeeper::WriteJson(storekeeper::ExtCsdToJson(*ext_csd))
                         : storekeeper::ExtCsdToText(*ext_csd))
                  .c_str(),
          stdout);
    if (options->send) {
        Result<void> sent = Send(*ext_csd);
        if (!sent.ok()) return Fail(EX_UNAVAILABLE, sent.error().message());
    }
    return EX_OK;
}
