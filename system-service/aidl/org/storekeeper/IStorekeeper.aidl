// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package org.storekeeper;

/**
 * The calls of programs; people use dumpsys and cmd. The service is registered as "storekeeper".
 *
 * Callers that docs/security.md does not list get a SecurityException. Failures carry the
 * ERROR_ code as service-specific error, and a message that names the object and the cause.
 */
interface IStorekeeper {
    /** The argument is invalid. */
    const int ERROR_USAGE = 64;

    /**
     * Delivers the EXT_CSD register of the storage chip, which the service has no right to read.
     * For root only.
     *
     * @param bytes 512 bytes, byte 0 first.
     * @throws ServiceSpecificException ERROR_USAGE if it cannot be this chip's EXT_CSD.
     */
    void setExtCsd(in byte[] bytes);
}
