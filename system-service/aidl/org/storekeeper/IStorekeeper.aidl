// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

import org.storekeeper.HealthReport;
import org.storekeeper.Status;
import org.storekeeper.TrimReceipt;

/**
 * Keeps the flash storage of the device fast and reports how worn it is. Registered as "storekeeper".
 *
 * Only root, the system and the shell may call; others get a SecurityException. Failures carry one
 * of the ERROR_ codes as service-specific error, and a message that names the object and the cause.
 * `cmd storekeeper trim` ends with the same codes.
 */
interface IStorekeeper {
    /** The argument is wrong in itself. */
    const int ERROR_USAGE = 64;
    /** The mount is not listed in ro.storekeeper.trim.mounts. */
    const int ERROR_NOT_GIVEN = 65;
    /** Not mounted. */
    const int ERROR_NOT_MOUNTED = 66;
    /** Another mount covers it. */
    const int ERROR_HIDDEN = 67;
    /** Its file system is trimmed at another mount. */
    const int ERROR_DUPLICATE = 68;
    /** The file system or its device cannot discard. */
    const int ERROR_NO_DISCARD = 69;
    /** Any failure without a code of its own. */
    const int ERROR_FAILED = 70;
    /** The kernel refuses the operation to the service. */
    const int ERROR_NOT_PERMITTED = 71;
    /** Stopped by abort(). */
    const int ERROR_ABORTED = 72;
    /** Mounted read-only. */
    const int ERROR_READ_ONLY = 73;
    /** The device answered with an error. */
    const int ERROR_IO = 74;
    /** Another run is under way. */
    const int ERROR_BUSY = 75;
    /** Trims are known to harm its chip. */
    const int ERROR_CHIP_QUIRK = 76;
    /** The device's fstab says notrim. */
    const int ERROR_NO_TRIM = 78;

    /** HealthReport.level; the AIDL compiler of Android 11 takes constants in interfaces alone. */
    const int LEVEL_UNKNOWN = 0;
    const int LEVEL_GOOD = 1;
    const int LEVEL_WARNING = 2;
    const int LEVEL_URGENT = 3;

    /** The gates of maintenance as they are now, and the last run. Does not wait for a trim. */
    Status getStatus();

    /** Wear and identity of the storage chip. */
    HealthReport getHealth();

    /**
     * Trims now, past the gates but not past what makes a mount fit for it, and returns when done.
     *
     * @param mounts mount points; empty for all configured ones.
     * @param hurry without the pauses that keep the device responsive.
     * @return what was done, when at least one mount was trimmed: look at each of its mounts.
     * @throws ServiceSpecificException with the first mount's code when none was trimmed.
     */
    TrimReceipt trim(in String[] mounts, boolean hurry);

    /**
     * Ends the run under way at once; the next one goes on where it stopped.
     *
     * @return false when there is none.
     */
    boolean abort();

    /**
     * Hands in the EXT_CSD register of the storage chip, which the service has no right to read.
     * Root only.
     *
     * @param bytes 512 bytes, byte 0 first.
     * @throws ServiceSpecificException ERROR_USAGE when it cannot be this chip's EXT_CSD.
     */
    void setExtCsd(in byte[] bytes);

    /**
     * Chooses who encrypts from the next boot on; on trial until confirmCrypto(). Root and the
     * system only, as `cmd storekeeper crypto choose`, which the system cannot call.
     *
     * @param mode "kernel", "hardware", or "auto", which takes a choice back.
     * @throws ServiceSpecificException ERROR_USAGE for another word; ERROR_FAILED when nothing may
     * be switched here, with the reason.
     */
    void chooseCrypto(in String mode);

    /**
     * Measures, then confirms the choice on trial, leaves it on trial or takes it back. Takes some
     * seconds. Root and the system only, as `cmd storekeeper crypto confirm`.
     *
     * @throws ServiceSpecificException ERROR_FAILED unless it is confirmed, with the reason.
     */
    void confirmCrypto();
}
