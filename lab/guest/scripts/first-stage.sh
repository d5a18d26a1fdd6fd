#!/system/xbin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# First stage of the guest: kernel file systems, modules, the medium; then lab-init as PID 1.
# What differs from run to run is in /lab, put there by the second archive of the initramfs.
set -eu

export PATH=/system/bin:/system_ext/bin:/system/xbin
export ANDROID_ROOT=/system ANDROID_DATA=/data EXTERNAL_STORAGE=/sdcard
export HOME=/data/local/tmp TMPDIR=/data/local/tmp TERM=linux

# The console shows it, the host hears it, the guest ends.
refuse() {
    echo "<3>first stage: $*" >/dev/kmsg
    echo "refused $*" >/dev/ttyS2
    busybox poweroff -f
}

say() { echo "<6>first stage: $*" >/dev/kmsg; }

busybox mount -t devtmpfs -o mode=0755 dev /dev
busybox mount -t proc proc /proc
busybox mount -t sysfs sysfs /sys
busybox mount -t debugfs -o mode=0755 debugfs /sys/kernel/debug
busybox mount -t tmpfs -o mode=0755 tmpfs /run
busybox mkdir -p /dev/pts /dev/shm
busybox mount -t devpts -o mode=0620,gid=5 devpts /dev/pts
busybox mount -t tmpfs -o mode=1777 tmpfs /dev/shm
busybox ln -sf /proc/self/fd /dev/fd
busybox stty -F /dev/ttyS2 raw

load_modules() { # FILE, a line a module with its parameters
    while read -r module parameters; do
        # shellcheck disable=SC2086  # parameters are words of their own
        busybox insmod "/lib/modules/$module.ko" $parameters ||
            refuse "module $module does not load"
        # From here on a guest that hangs is ended: nothing stops this watchdog, and lab-init's
        # watchdogd takes it over. The kernel would report the open and close on the console, so
        # the console's log level is lowered meanwhile.
        if [ "$module" = i6300esb ]; then
            levels=$(busybox cat /proc/sys/kernel/printk)
            echo 1 >/proc/sys/kernel/printk
            : >/dev/watchdog
            echo "$levels" >/proc/sys/kernel/printk
        fi
    done <"$1"
}
load_modules /lab/modules

# On a device, ueventd.rc sets this group and mode.
busybox chgrp input /dev/input/event*
busybox chmod 0660 /dev/input/event*

fstab=/lab/medium
# shellcheck source=/dev/null  # DISK*, DATA_DISK, CACHE_DISK, CACHE_MIB, CACHE_OPTIONS, CRYPTO_TARGET; INSTANT: no measurement; FAULTS: of vemmc
. "$fstab"

# The disk shows up on a kernel thread of its own.
tries=0
until [ -b "$DISK" ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 500 ] || refuse "no $DISK after 5 seconds: does its driver show a disk?"
    busybox usleep 10000
done

instant=/sys/module/$DISK_MODEL/parameters/instant
if [ "${INSTANT:-}" ]; then echo Y >"$instant"; fi

sfdisk --quiet --wipe never --label gpt "$DISK" <<PARTITIONS || refuse "sfdisk"
label-id: 5709EEEE-0000-4000-8000-000000000000
name=cache, size=${CACHE_MIB}MiB, uuid=5709EEEE-0000-4000-8000-000000000001
name=userdata, uuid=5709EEEE-0000-4000-8000-000000000002
PARTITIONS
[ -b "$DATA_DISK" ] || refuse "the partitions of $DISK did not appear"
# Not before: the kernel reads the disk anew when the partitions appear.
if [ "$DISK_PROVISIONING" ]; then /system/bin/lab-card mode || refuse "the mode of $DISK"; fi

/system/bin/lab-data make || refuse "the file systems of $DISK"
if [ "${INSTANT:-}" ]; then echo N >"$instant"; fi
# The factory's discards are over.
if [ "${FAULTS:-}" ]; then
    echo 1 >/sys/kernel/debug/vemmc/faults || refuse "the faults of vemmc: see the console"
fi
busybox mount -t ext4 -o "$CACHE_OPTIONS" "$CACHE_DISK" /cache || refuse "mount /cache"
# The factory wrote /data with a faster engine than the phone's.
if [ -e /lab/modules-crypto ]; then load_modules /lab/modules-crypto; fi

busybox ifconfig lo 127.0.0.1 up
if [ -e /sys/class/net/eth0 ]; then
    # QEMU's user network: fixed addresses, see its documentation of -netdev user.
    busybox ifconfig eth0 10.0.2.15 netmask 255.255.255.0 up
    busybox route add default gw 10.0.2.2
fi

# Files of this run; those for /data when it is there.
if [ -d /lab/files/data ]; then busybox mv /lab/files/data /lab/data-files; fi
if [ -d /lab/files ]; then busybox cp -a /lab/files/. /; fi

# An encrypted /data comes later, as on a phone: whoever chooses the engine has been there before.
if [ "$CRYPTO_TARGET" = none ]; then /system/bin/lab-data open || refuse "mount /data"; fi

# An Android product's user space: lab/android/guest.
# shellcheck source=/dev/null
if [ -e /lab/android/start.sh ]; then . /lab/android/start.sh; fi

say "handing over to lab-init"
exec /system/bin/lab-init /lab.rc /system_ext/etc/init/*.rc </dev/null >/dev/kmsg 2>&1
