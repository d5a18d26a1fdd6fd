// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package android.hardware.health;

// The beginning of Android's HealthInfo: a parcelable says how long it is, and what comes after what
// its reader knows is passed over. Android's enumerations are int, too.
parcelable HealthInfo {
    boolean chargerAcOnline;
    boolean chargerUsbOnline;
    boolean chargerWirelessOnline;
    boolean chargerDockOnline;
    int maxChargingCurrentMicroamps;
    int maxChargingVoltageMicrovolts;
    int batteryStatus;
    int batteryHealth;
    boolean batteryPresent;
    int batteryLevel;
    int batteryVoltageMillivolts;
    int batteryTemperatureTenthsCelsius;
}
