// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>

#include "campaigns/campaign.h"

namespace storekeeper {

// Power cuts on a real file system, "ext4" or "f2fs", as root. Each scenario works on a new one,
// whose writes device mapper's log-writes records (write_log.h), while a neighbour (real_disk.h)
// makes it write at other moments, too. The log is replayed to each flush, FUA write and mark.
// There a snapshot is mounted, so that the kernel recovers it; the product's own code opens it,
// checks it and works on with it; it is unmounted, and checked by e2fsck or fsck.f2fs.
//
// CampaignOptions::seed: of what the neighbour does. With odd ones SQLite reaches its files by its
// own calls. A campaign that cannot be made is a failure, too.
//
// The five RAM disks /dev/ram0 to 4, of 64 MiB at least, are overwritten; /mnt is mounted on.
CampaignResult ReplayCampaign(const std::string& file_system, const CampaignOptions& options);

}  // namespace storekeeper
