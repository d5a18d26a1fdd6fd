// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

/**
 * What only a program can hand to the service; people ask it by dumpsys and cmd. Registered as
 * "storekeeper".
 *
 * Callers that docs/security.md does not list get a SecurityException. Failures carry one of the
 * ERROR_ codes as service-specific error, and a message that names the object and the cause.
 */
interface IStorekeeper {
    /** The argument is wrong in itself. */
    const int ERROR_USAGE = 64;
    /** The operation failed or is refused. */
    const int ERROR_FAILED = 70;

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
