// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/receipt.h"

#include <errno.h>

namespace storekeeper {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Key = JsonFields::Key;

static std::string_view NameOf(TrimOutcome outcome) {
    return OutcomeFactsOf(outcome).name;
}

static void Fields(JsonFields& json, MountReceipt& mount) {
    json("mount", mount.mount);
    json.Name("outcome", mount.outcome, TrimOutcome::kBusy);
    json.Derived("code", OutcomeFactsOf(mount.outcome).code);
    json("reason", mount.reason);
    json("range_start_bytes", mount.range_start_bytes, Key::kIfThere);
    json("range_length_bytes", mount.range_length_bytes, Key::kIfThere);
    json("filesystem_bytes", mount.filesystem_bytes);
    json("block_layer_bytes", mount.block_layer_bytes);
    json.In<milliseconds>("duration_ms", mount.duration);
    json.In<milliseconds>("trimming_ms", mount.trimming, Key::kIfThere);
    json("slices", mount.fitrim_calls, Key::kIfThere);
    json("throttled", mount.throttled, Key::kIfThere);
    // Key of `throttled` until November 2026.
    json("gentle", mount.throttled, Key::kOld);
    json("discard_bytes", mount.discard_bytes, Key::kIfThere);
    json.In<microseconds>("discard_us", mount.discard_time, Key::kIfThere);
    json("note", mount.note);
    json("canary", mount.canary, Key::kIfThere);
    json("canary_note", mount.canary_note, Key::kIfThere);
    json("canary_written_bytes", mount.canary_written_bytes, Key::kIfThere);
}

static void Fields(JsonFields& json, ActionReceipt& action) {
    json("action", action.action);
    json.Name("outcome", action.outcome, ActionOutcome::kFailed);
    json("note", action.note);
    json.In<milliseconds>("duration_ms", action.duration);
    json("written_bytes", action.written_bytes);
}

void Fields(JsonFields& json, TrimReceipt& receipt) {
    json("manual", receipt.manual);
    json("started_wall_s", receipt.started_wall);
    json.In<seconds>("started_boot_s", receipt.started, Key::kIfThere);
    json.In<milliseconds>("duration_ms", receipt.duration);
    json.Name("outcome", receipt.outcome, TrimOutcome::kBusy);
    json.Derived("code", OutcomeFactsOf(receipt.outcome).code);
    json("reason", receipt.reason);
    json("complete", receipt.complete);
    json("mounts_left_out", receipt.mounts_left_out, Key::kIfThere);
    json("mounts", receipt.mounts);
    json("actions", receipt.actions, Key::kIfThere);
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
        case EBUSY:
            return TrimOutcome::kBusy;
        default:
            return TrimOutcome::kFailed;
    }
}

}  // namespace storekeeper
