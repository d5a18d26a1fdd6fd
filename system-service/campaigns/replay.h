// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>

#include "campaigns/campaign.h"

namespace storekeeper {

// Power cuts on a real file system, "ext4" or "f2fs"; needs root. Each scenario works on a new file
// system, whose writes are recorded by device mapper's log-writes (write_log.h), while a neighbour
// (real_disk.h) makes it write at other moments, too. The log is replayed to each flush, FUA write
// and mark. There a snapshot is mounted, so that the kernel recovers it. The product's own code
// opens it, checks it and uses it further; then it is unmounted and checked by e2fsck or fsck.f2fs.
//
// CampaignOptions::seed is the neighbour's seed. With odd seeds, SQLite reaches its files by its
// own calls. A campaign that cannot be set up counts as a failure.
//
// It overwrites the five RAM disks /dev/ram0 to 4, of 64 MiB at least, and mounts on /mnt.
CampaignResult ReplayCampaign(const std::string& file_system, const CampaignOptions& options);

}  // namespace storekeeper
