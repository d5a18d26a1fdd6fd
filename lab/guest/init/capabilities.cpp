// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "capabilities.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace storekeeper::lab {

using android::base::Error;
using android::base::Result;

namespace {

struct Name {
    std::string_view text;
    int number;
};

#define CAPABILITY(name)  \
    Name {                \
#name, CAP_##name \
    }
constexpr std::array kNames = {
        CAPABILITY(CHOWN),
        CAPABILITY(DAC_OVERRIDE),
        CAPABILITY(DAC_READ_SEARCH),
        CAPABILITY(FOWNER),
        CAPABILITY(FSETID),
        CAPABILITY(KILL),
        CAPABILITY(SETGID),
        CAPABILITY(SETUID),
        CAPABILITY(SETPCAP),
        CAPABILITY(LINUX_IMMUTABLE),
        CAPABILITY(NET_BIND_SERVICE),
        CAPABILITY(NET_BROADCAST),
        CAPABILITY(NET_ADMIN),
        CAPABILITY(NET_RAW),
        CAPABILITY(IPC_LOCK),
        CAPABILITY(IPC_OWNER),
        CAPABILITY(SYS_MODULE),
        CAPABILITY(SYS_RAWIO),
        CAPABILITY(SYS_CHROOT),
        CAPABILITY(SYS_PTRACE),
        CAPABILITY(SYS_PACCT),
        CAPABILITY(SYS_ADMIN),
        CAPABILITY(SYS_BOOT),
        CAPABILITY(SYS_NICE),
        CAPABILITY(SYS_RESOURCE),
        CAPABILITY(SYS_TIME),
        CAPABILITY(SYS_TTY_CONFIG),
        CAPABILITY(MKNOD),
        CAPABILITY(LEASE),
        CAPABILITY(AUDIT_WRITE),
        CAPABILITY(AUDIT_CONTROL),
        CAPABILITY(SETFCAP),
        CAPABILITY(MAC_OVERRIDE),
        CAPABILITY(MAC_ADMIN),
        CAPABILITY(SYSLOG),
        CAPABILITY(WAKE_ALARM),
        CAPABILITY(BLOCK_SUSPEND),
        CAPABILITY(AUDIT_READ),
        CAPABILITY(PERFMON),
        CAPABILITY(BPF),
        CAPABILITY(CHECKPOINT_RESTORE),
};
#undef CAPABILITY
static_assert(kNames.size() == CAP_LAST_CAP + 1, "a capability of the kernel has no name here");

int SetProcess(const CapabilitySet& set) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
    for (size_t cap = 0; cap < set.size(); ++cap) {
        if (!set.test(cap)) continue;
        auto& word = data[CAP_TO_INDEX(cap)];
        word.effective |= CAP_TO_MASK(cap);
        word.permitted |= CAP_TO_MASK(cap);
        word.inheritable |= CAP_TO_MASK(cap);
    }
    return syscall(SYS_capset, &header, data.data()) == 0 ? 0 : errno;
}

}  // namespace

Result<int> LookUpCapability(const std::string& name) {
    const auto found = std::ranges::find(kNames, name, &Name::text);
    if (found == kNames.end()) {
        return Error() << "unknown capability '" << name << "'; names have no CAP_ before them";
    }
    return found->number;
}

int KeepCapabilitiesOverExec(const CapabilitySet& keep) {
    // Dropping from the bounding set takes CAP_SETPCAP.
    CapabilitySet with_setpcap = keep;
    with_setpcap.set(CAP_SETPCAP);
    if (int error = SetProcess(with_setpcap)) return error;
    for (size_t cap = 0; cap < keep.size(); ++cap) {
        if (keep.test(cap)) continue;
        // EINVAL: this kernel has fewer capabilities than the headers.
        if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0 && errno != EINVAL) return errno;
    }
    if (int error = SetProcess(keep)) return error;
    for (size_t cap = 0; cap < keep.size(); ++cap) {
        if (!keep.test(cap)) continue;
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) != 0) return errno;
    }
    return 0;
}

int DropInheritableCapabilities() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> data{};
    if (syscall(SYS_capget, &header, data.data()) != 0) return errno;
    for (auto& word : data) word.inheritable = 0;
    return syscall(SYS_capset, &header, data.data()) == 0 ? 0 : errno;
}

}  // namespace storekeeper::lab
