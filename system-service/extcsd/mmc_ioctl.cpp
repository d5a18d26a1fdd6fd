// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "extcsd/mmc_ioctl.h"

#include <fcntl.h>
#include <linux/major.h>
#include <linux/mmc/ioctl.h>
#include <sys/ioctl.h>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// CMD8 SEND_EXT_CSD (JESD84-B51 section 6.10.4): one data block of 512 bytes.
constexpr uint32_t kSendExtCsd = 8;
constexpr uint32_t kBlockSize = 512;
// Flags of include/linux/mmc/core.h, which the kernel does not export. An R1 response consists of
// MMC_RSP_PRESENT, MMC_RSP_CRC and MMC_RSP_OPCODE; the others are MMC_RSP_SPI_S1 and MMC_CMD_ADTC.
constexpr uint32_t kResponseR1 = 1U << 0 | 1U << 2 | 1U << 4;
constexpr uint32_t kResponseSpiR1 = 1U << 7;
constexpr uint32_t kDataTransfer = 1U << 5;

}  // namespace

Result<std::vector<uint8_t>> ReadExtCsdFromCard(Syscalls& syscalls, const std::string& device) {
    unique_fd fd = TRY(syscalls.Open(device, O_RDONLY));
    std::vector<uint8_t> bytes(kBlockSize);
    mmc_ioc_cmd command = {};
    command.opcode = kSendExtCsd;
    command.flags = kResponseR1 | kResponseSpiR1 | kDataTransfer;
    command.blksz = kBlockSize;
    command.blocks = 1;
    mmc_ioc_cmd_set_data(command, bytes.data());
    Result<int> answer = syscalls.Ioctl(fd, MMC_IOC_CMD, &command, "SEND_EXT_CSD on " + device);
    if (answer.ok()) return bytes;
    switch (answer.error().code()) {
        case EPERM:
            return Error() << answer.error()
                           << "; it needs root (CAP_SYS_RAWIO) and the node of the whole card, "
                              "not of a partition";
        case ENOTTY:
        case EINVAL:
            return Error() << answer.error() << "; is " << device << " an eMMC?";
        default:
            return answer.error();
    }
}

}  // namespace storekeeper
