// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package android.hardware.health;

parcelable DiskStats {
    long reads;
    long readMerges;
    long readSectors;
    long readTicks;
    long writes;
    long writeMerges;
    long writeSectors;
    long writeTicks;
    long ioInFlight;
    long ioTicks;
    long ioInQueue;
}
