// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

/** What a run did on one mount. */
parcelable MountReceipt {
    String mount = "";
    /** 0 when it was trimmed, else an IStorekeeper.ERROR_ code. */
    int code;
    /** Why it was not trimmed; empty when it was. */
    String reason = "";
    /** The range asked for, in bytes of the file system. */
    long rangeStartBytes;
    long rangeLengthBytes;
    /** What the file system answered; -1 when it answered no count. */
    long filesystemBytes = -1;
    /** Bytes discarded on the device during the pass, by any process; -1 if not counted. */
    long blockLayerBytes = -1;
    /** Nanoseconds. */
    long durationNanos;
    /** Nanoseconds inside FITRIM; durationNanos minus this is pauses. */
    long trimmingNanos;
    /** FITRIM calls. */
    long slices;
    /** The queue of the disk was changed for the time of the pass. */
    boolean throttled;
    /** Explains a figure that would mislead; may be empty. */
    String note = "";
}
