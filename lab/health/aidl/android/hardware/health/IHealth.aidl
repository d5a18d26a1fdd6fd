// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package android.hardware.health;

import android.hardware.health.DiskStats;
import android.hardware.health.HealthInfo;
import android.hardware.health.StorageInfo;

// The part of Android's interface of this name that the virtual phone needs. The order of the
// methods gives the three that are called their transaction codes, 10 to 12.
interface IHealth {
    void registerCallback(in IBinder callback);
    void unregisterCallback(in IBinder callback);
    void update();
    int getChargeCounterUah();
    int getCurrentNowMicroamps();
    int getCurrentAverageMicroamps();
    int getCapacity();
    long getEnergyCounterNwh();
    int getChargeStatus();
    StorageInfo[] getStorageInfo();
    DiskStats[] getDiskStats();
    HealthInfo getHealthInfo();
}
