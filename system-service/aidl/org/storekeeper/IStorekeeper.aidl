// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

/**
 * The calls of programs; people use dumpsys and cmd. The service is registered as "storekeeper".
 *
 * Callers that docs/security.md does not list get a SecurityException. Failures carry one of the
 * ERROR_ codes as service-specific error, and a message that names the object and the cause.
 */
interface IStorekeeper {
    /** The argument is invalid. */
    const int ERROR_USAGE = 64;
    /** The operation failed or was refused. */
    const int ERROR_FAILED = 70;

    /**
     * Delivers the EXT_CSD register of the storage chip, which the service has no right to read.
     * For root only.
     *
     * @param bytes 512 bytes, byte 0 first.
     * @throws ServiceSpecificException ERROR_USAGE if it cannot be this chip's EXT_CSD.
     */
    void setExtCsd(in byte[] bytes);

    /**
     * Chooses the driver that encrypts from the next boot on. The choice is on trial until
     * confirmCrypto(). For root and the system only. Equals `cmd storekeeper crypto choose`, which
     * the system cannot call.
     *
     * @param mode "kernel", "hardware", or "auto", which withdraws a choice.
     * @throws ServiceSpecificException ERROR_USAGE for another word; ERROR_FAILED with the reason
     * if this device allows no switch.
     */
    void chooseCrypto(in String mode);

    /**
     * Measures, then confirms the choice on trial, leaves it on trial or withdraws it. Takes some
     * seconds. For root and the system only. Equals `cmd storekeeper crypto confirm`.
     *
     * @throws ServiceSpecificException ERROR_FAILED with the reason unless it is confirmed.
     */
    void confirmCrypto();
}
