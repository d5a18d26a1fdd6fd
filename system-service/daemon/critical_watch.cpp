// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/critical_watch.h"

#include <fcntl.h>

#include <array>
#include <string>

#include "base/try.h"
#include "mounts/block_device.h"
#include "mounts/chip_id.h"
#include "mounts/mountinfo.h"

namespace storekeeper {

using android::base::Result;

Result<void> CriticalWatch::Read() {
    std::array<char, 32> count = {};
    TRY(syscalls_.Pread(file_, count.data(), count.size(), 0));
    return {};
}

Result<void> CriticalWatch::Open() {
    const DataVolume data = TRY(FindDataVolume(files_));
    const std::string host = TRY(UfsHostOf(files_, SysfsOf(data.disk)));
    file_ = TRY(syscalls_.Open(files_.PathOf(host + "/critical_health"), O_RDONLY));
    return Read();
}

int CriticalWatch::Descriptor() {
    if (acknowledged_.has_value() && clock_.SinceBoot() - *acknowledged_ < kRest) return -1;
    // An open file is not read again here, because that would lose reports since the last read.
    if (!file_.ok() && !Open().ok()) file_.reset();
    return file_.get();
}

bool CriticalWatch::Acknowledge() {
    acknowledged_ = clock_.SinceBoot();
    if (Read().ok()) return true;
    file_.reset();
    return false;
}

}  // namespace storekeeper
