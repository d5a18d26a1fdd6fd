// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "base/file_reader.h"

namespace storekeeper {

// The text of the fstab that this device was booted with, located as fs_mgr does. "" if there is
// none.
std::string ReadFstab(const FileReader& files,
                      const std::function<std::string(const std::string& property)>& property);

// The mount points that a fstab excludes from trims, by the flag `notrim` of Android's fs_mgr
// (fifth field) or by util-linux's mount option `X-fstrim.notrim` (fourth field).
std::set<std::string> ParseNoTrim(std::string_view fstab);

// True if the fstab's flag `fileencryption=ice` leaves the encryption of this mount point's files
// to the storage host (FSCRYPT_MODE_PRIVATE of vendors' kernels).
bool EncryptsInHost(std::string_view fstab, std::string_view mount_point);

}  // namespace storekeeper
