// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package android.content.pm;

/**
 * The part of the platform's interface of this name that Storekeeper calls. The service is
 * "package_native" of system_server. Android 11 and 12 have no NDK library of it, and 13 and later
 * changed the library's name. This part fits all of them: the call is the interface's first from
 * Android 8.1 to 16.
 */
interface IPackageManagerNative {
    /**
     * Returns a name for each uid, of any user: the package's name; "shared:" and the name of the
     * user id that packages share; or "" if no app has the uid.
     */
    @utf8InCpp String[] getNamesForUids(in int[] uids) = 0;
}
