// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

package android.content.pm;

/**
 * Of the platform's interface of this name what Storekeeper calls. The service is "package_native"
 * of system_server. Android 11 and 12 have no NDK library of it, and 13 and later name it anew;
 * this is the same on all of them: the call is the interface's first from Android 8.1 to 16.
 */
interface IPackageManagerNative {
    /**
     * A name for each uid, of any user: the package's, "shared:" and the name of the user id that
     * packages share, or "" where no app has the uid.
     */
    @utf8InCpp String[] getNamesForUids(in int[] uids) = 0;
}
