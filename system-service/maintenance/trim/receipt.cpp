// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/receipt.h"

#include <errno.h>

namespace storekeeper {

std::optional<TrimOutcome> OutcomeNamed(std::string_view name) {
    for (const OutcomeFacts& facts : kOutcomes) {
        if (facts.name == name) return facts.outcome;
    }
    return std::nullopt;
}

TrimOutcome OutcomeOf(int error) {
    switch (error) {
        case EOPNOTSUPP:
        case ENOTTY:  // no FITRIM in this file system
        case ENOSYS:
            return TrimOutcome::kNoDiscard;
        case EROFS:
            return TrimOutcome::kReadOnly;
        case EPERM:   // no CAP_SYS_ADMIN
        case EACCES:  // SELinux, or the directory's mode
            return TrimOutcome::kNotPermitted;
        case EIO:
        case ENODEV:  // the device is gone
        case ENXIO:
        case EREMOTEIO:  // a discard the device could not carry out (BLK_STS_TARGET)
        case ETIMEDOUT:
            return TrimOutcome::kIoError;
        case ENOENT:
            return TrimOutcome::kNotMounted;
        case ESTALE:
            return TrimOutcome::kHidden;
        case EINTR:
            return TrimOutcome::kAborted;
        default:
            return TrimOutcome::kFailed;
    }
}

}  // namespace storekeeper
