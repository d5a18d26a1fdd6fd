// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/mountinfo.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <utility>

#include "base/tokens.h"
#include "base/try.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseInt;
using android::base::Result;

// A line holds two paths of at most 4 KiB, each escaped fourfold at worst, and one page of options.
constexpr size_t kMaxLine = 48 * 1024;
// Fields before the optional ones: id, parent, major:minor, root, mount point, options.
constexpr size_t kFixedFields = 6;
// Fields after the separator: type, source, options of the file system.
constexpr size_t kTailFields = 3;

bool IsOctal(char c) {
    return c >= '0' && c <= '7';
}

// mangle() of fs/proc_namespace.c writes space, tab, newline, backslash and '#' as \ooo. An escaped
// newline stays escaped: decoded, it would split a line of each table, log and text that names the
// mount. No mount that a device trims contains one.
std::string Unescape(std::string_view text) {
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 3 < text.size() && IsOctal(text[i + 1]) &&
            IsOctal(text[i + 2]) && IsOctal(text[i + 3])) {
            int value = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
            if (value == '\n') {
                result += text.substr(i, 4);
            } else {
                result.push_back(static_cast<char>(value));
            }
            i += 3;
        } else {
            result.push_back(text[i]);
        }
    }
    return result;
}

bool IsListed(const std::string& options, std::string_view name) {
    std::vector<std::string> list = android::base::Split(options, ",");
    return std::find(list.begin(), list.end(), name) != list.end();
}

Result<Mount> ParseLine(const std::string& line) {
    std::vector<std::string> fields = android::base::Split(line, " ");
    // The optional fields end at a lone hyphen; their number varies.
    auto separator = fields.size() < kFixedFields
                             ? fields.end()
                             : std::find(fields.begin() + kFixedFields, fields.end(), "-");
    if (separator == fields.end() || fields.end() - separator < 1 + static_cast<int>(kTailFields)) {
        return Error() << "fields are missing";
    }
    Mount mount;
    if (!ParseInt(fields[0], &mount.id) || !ParseInt(fields[1], &mount.parent_id)) {
        return Error() << "it does not begin with two mount ids";
    }
    mount.device = TRY(ParseDevice(fields[2]));
    mount.root = Unescape(fields[3]);
    mount.mount_point = Unescape(fields[4]);
    mount.type = Unescape(separator[1]);
    mount.source = Unescape(separator[2]);
    mount.mount_options = fields[5];
    mount.options = separator[3];
    mount.read_only = mount.HasMountOption("ro") || mount.HasOption("ro");
    return mount;
}

}  // namespace

bool Mount::IsPassthrough() const {
    return type == "fuse" || type == "sdcardfs" || type == "esdfs";
}

std::string_view Mount::NoBarrierOption() const {
    for (const std::string_view option : {"nobarrier", "barrier=0", "fsync_mode=nobarrier"}) {
        if (HasOption(option)) return option;
    }
    return "";
}

bool Mount::HasOption(std::string_view name) const {
    return IsListed(options, name);
}

bool Mount::HasMountOption(std::string_view name) const {
    return IsListed(mount_options, name);
}

const Mount* MountTable::FindVisible(std::string_view path) const {
    const auto found = visible.find(path);
    return found == visible.end() ? nullptr : &mounts[found->second];
}

MountTable ParseMountinfo(std::string_view text) {
    MountTable table;
    int number = 0;
    while (!text.empty()) {
        const std::string_view line = NextLine(&text);
        ++number;
        Result<Mount> mount = line.size() > kMaxLine
                                      ? Error() << "it is longer than " << kMaxLine << " bytes"
                                      : ParseLine(std::string(line));
        if (mount.ok()) {
            const auto [top, is_first] =
                    table.visible.emplace(mount->mount_point, table.mounts.size());
            // A later line covers an earlier one at the same path, unless it is the earlier one's
            // parent.
            if (!is_first && table.mounts[top->second].parent_id != mount->id) {
                top->second = table.mounts.size();
            }
            table.mounts.push_back(std::move(*mount));
        } else {
            table.problems.push_back("mountinfo line " + std::to_string(number) + ": " +
                                     mount.error().message());
        }
    }
    return table;
}

Result<DataVolume> FindDataVolume(const FileReader& files) {
    const MountTable mounts = ParseMountinfo(TRY(files.ReadTable(kMountinfoPath)));
    const Mount* mount = mounts.FindVisible("/data");
    if (mount == nullptr) return Error() << "nothing is mounted on /data";
    const dev_t disk = TRY(DiskOf(files, mount->device));
    return DataVolume{.mount = *mount, .disk = disk};
}

}  // namespace storekeeper
