# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash disable=SC2148
#
# Read by first-stage.sh at its end, in a guest with an Android product's user space: policy, labels,
# properties, log. refuse() is first-stage.sh's.

here=/lab/android
busybox mount -t selinuxfs selinuxfs /sys/fs/selinux || refuse "the kernel has no SELinux"
$here/selinux_tool load $here/policy || refuse "the kernel does not take the policy"
busybox mkdir -p /dev/socket
# The lab's own programs keep the label rootfs, which starts no domain.
busybox xargs /system/bin/restorecon <$here/labelled
/system/bin/restorecon -RF /system_ext/etc
/system/bin/restorecon -RF /dev /data /cache
# A power cut in the first seconds leaves the labels, as mkfs makes them on a device.
busybox sync
# ueventd calls it /dev/device-mapper.
[ ! -e /dev/mapper/control ] || $here/selinux_tool label dm_device /dev/mapper/control
# lab-init and lab-android run in the domain of Android's init.
$here/selinux_tool label init_exec /system/bin/lab-init /system/bin/lab-android
/system/bin/lab-android /system/etc/selinux/plat_property_contexts ||
    refuse "lab-android did not start"
echo 0 >/proc/sys/kernel/printk_ratelimit
echo 1 >/sys/fs/selinux/enforce
