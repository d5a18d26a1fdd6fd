#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# Trims on the virtual phone. Usage: trim.sh STEP [ARGUMENT...]; prints lines `fact value...`.
set -eu

# shellcheck source=lab/tests/guest/common.sh
. /tmp/common.sh

queue=/sys/block/mmcblk0/queue

# Bytes discarded, by the card's own count.
discarded() { sed -n 's/^trimmed_bytes //p' /sys/kernel/debug/vemmc/stats; }

settings() {
    echo "$1 $(cat $queue/discard_max_bytes) $(cat $queue/nr_requests)" \
        "$(cat $queue/iosched/async_depth) $(cat $queue/wbt_lat_usec)"
}

milliseconds() { awk '{ printf "%d\n", $1 * 1000 }' /proc/uptime; }

# Runs COMMAND twice; prints the bytes that the card discards each time.
twice() { # COMMAND...
    litter /data/media 20
    for time in first again; do
        before=$(discarded)
        "$@" >/dev/null
        echo "$time $(($(discarded) - before))"
    done
}

# Aborts runs at many moments, each followed by another run, until one ends by itself.
aborts() { # TIMES
    litter /data/media 40
    before=$(discarded)
    settings before
    number=0
    while [ "$number" -lt "$1" ]; do
        number=$((number + 1))
        cmd storekeeper trim /data >/dev/null 2>&1 &
        # Moments from 0.37 s on; they meet pauses and steps alike.
        sleep "$((number % 4)).$((37 * number % 100 + 100))"
        cmd storekeeper abort >/dev/null
        begun=$(milliseconds)
        wait $! && code=0 || code=$?
        took=$(($(milliseconds) - begun))
        echo "abort $code $took $(cat $queue/discard_max_bytes)"
    done
    cmd storekeeper plan | sed -n 's/^\/data: /plan /p'
    cmd storekeeper trim /data >/dev/null
    echo "all $(($(discarded) - before))"
    before=$(discarded)
    cmd storekeeper trim /data >/dev/null
    echo "again $(($(discarded) - before))"
    settings after
    cmd storekeeper receipts -n 2 | sed -n 's/^2/receipt 2/p'
}

# Reports if storekeeperd keeps the phone from suspending (lab/power). Android's user space comes
# without its suspend service.
awake() {
    if [ ! -e /dev/wake_locks/storekeeper ]; then echo "$1 unknown"; return; fi
    if flock -n 9; then echo "$1 no"; else echo "$1 yes"; fi 9</dev/wake_locks/storekeeper
}

# kill -9 in the middle of a run: init puts the queue back before the daemon is there again.
killed() {
    litter /data/media 40
    settings before
    cmd storekeeper trim /data >/dev/null 2>&1 &
    sleep 1.5
    settings during
    awake awake_during
    kill -9 "$(pid_of_daemon)"
    sleep 0.3
    settings killed
    awake awake_killed
    before=$(discarded)
    echo "state $(getprop init.svc.storekeeperd)"
    if pgrep -f fitrim-worker >/dev/null; then echo "worker alive"; fi
    until cmd storekeeper status >/dev/null 2>&1; do sleep 1; done
    echo "meanwhile $(($(discarded) - before))"
    cmd storekeeper trim /data >/dev/null
    awake awake_after
    before=$(discarded)
    cmd storekeeper trim /data >/dev/null
    echo "again $(($(discarded) - before))"
    settings after
}

# Replaces /cache by f2fs, mounted without discard, then with it.
f2fs() {
    for option in nodiscard discard; do
        umount /cache
        /tmp/mkfs.f2fs -q -t 0 -f /dev/mmcblk0p1 >/dev/null
        mount -t f2fs -o "noatime,$option" /dev/mmcblk0p1 /cache
        label /cache
        litter /cache 20
        before=$(discarded)
        cmd storekeeper trim /cache >/dev/null
        echo "${option}_at_once $(($(discarded) - before))"
        # f2fs issues its queued discards while it is idle.
        sleep 300
        echo "${option}_later $(($(discarded) - before))"
    done
}

# Replaces /cache by f2fs on two devices, a quarter and three quarters of it.
members() {
    umount /cache
    sectors=$(cat /sys/class/block/mmcblk0p1/size)
    first=$((sectors / 4 / 4096 * 4096))
    /tmp/dmsetup create --noudevsync --noudevrules small --table \
        "0 $first linear /dev/mmcblk0p1 0"
    /tmp/dmsetup create --noudevsync --noudevrules large --table \
        "0 $((sectors - first)) linear /dev/mmcblk0p1 $first"
    /tmp/mkfs.f2fs -q -t 0 -f -c /dev/dm-1 /dev/dm-0 >/dev/null
    mount -t f2fs -o noatime,nodiscard /dev/dm-0 /cache
    label /cache
    sed -n 's/^Disk:/map /p' /proc/fs/f2fs/dm-0/disk_map
    litter /cache 20
    before=$(discarded)
    cmd storekeeper trim /cache | sed 's/^/said /'
    echo "first $(($(discarded) - before))"
    cmd storekeeper receipts -n 1 --json | sed 's/^/receipt /'
}

# Puts dm-crypt between the file system and the card.
crypt() { # [allow_discards]
    umount /cache
    sectors=$(cat /sys/class/block/mmcblk0p1/size)
    key=000102030405060708090a0b0c0d0e0f
    /tmp/dmsetup create --noudevsync --noudevrules cache --table \
        "0 $sectors crypt aes-cbc-plain64 $key 0 /dev/mmcblk0p1 0 ${1:+1 $1}"
    /system/bin/mke2fs -q -t ext4 -b 4096 -E nodiscard /dev/dm-0
    mount -t ext4 -o noatime /dev/dm-0 /cache
    label /cache
    litter /cache 8
    before=$(discarded)
    cmd storekeeper trim /cache 2>&1 | sed 's/^/said /'
    echo "first $(($(discarded) - before))"
}

# A chip that trims are known to harm, and the same once its owner insists on them.
quirk() {
    litter /data/media 8
    harmed refused
    setprop ro.storekeeper.trim.force_quirk true
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 10
    setprop ctl.start storekeeperd
    timeout 60 cmd -w storekeeper status >/dev/null
    harmed forced
}

harmed() { # refused|forced
    before=$(discarded)
    cmd storekeeper trim >/run/said 2>&1 && code=0 || code=$?
    cmd storekeeper plan >>/run/said
    echo "code_$1 $code"
    echo "discarded_$1 $(($(discarded) - before))"
    echo "said_$1 $(tr '\n' ' ' </run/said)"
}

# Replaces /data by f2fs, named as init.rc would. Blocks are scattered over its segments, which are
# all dirty then (mode=fragment:block of Documentation/filesystems/f2fs.rst).
dirty_f2fs_data() {
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 10
    umount /data
    /tmp/mkfs.f2fs -q -t 0 -f /dev/mmcblk0p2 >/dev/null
    mount -t f2fs -o nodiscard,noatime,mode=fragment:block /dev/mmcblk0p2 /data
    mkdir -p /data/media /data/misc/storekeeper /dev/sys/fs/by-name
    chown system:system /data/misc/storekeeper
    label /data
    ln -s /sys/fs/f2fs/mmcblk0p2 /dev/sys/fs/by-name/userdata
    echo 1 >/sys/fs/f2fs/mmcblk0p2/max_fragment_chunk
    echo 512 >/sys/fs/f2fs/mmcblk0p2/max_fragment_hole
    dd if=/dev/zero of=/data/media/strewn bs=4096 count=1000 2>/dev/null
    sync
    mount -o remount,mode=adaptive /data
    echo "dirty $(cat /sys/fs/f2fs/mmcblk0p2/dirty_segments)"
    setprop ctl.start storekeeperd
    timeout 60 cmd -w storekeeper status >/dev/null
}

# Ends garbage collection in every possible way.
garbage() {
    dirty_f2fs_data
    urgent=/sys/fs/f2fs/mmcblk0p2/gc_urgent
    echo "before $(cat $urgent)"
    for way in abort kill stop; do
        cmd storekeeper trim /data >/dev/null 2>&1 &
        lab-wait-property storekeeper.gc.urgent=1 60
        usleep 200000
        echo "during_$way $(cat $urgent)"
        case $way in
        abort) cmd storekeeper abort >/dev/null ;;
        kill) kill -9 "$(pid_of_daemon)" ;;
        stop) setprop ctl.stop storekeeperd ;;
        esac
        wait $! || true
        usleep 300000
        echo "after_$way $(cat $urgent)"
        if [ $way = stop ]; then setprop ctl.start storekeeperd; fi
        timeout 60 cmd -w storekeeper status >/dev/null
    done
    cmd storekeeper trim /data >/dev/null
    echo "after_all $(cat $urgent)"
    cmd storekeeper receipts -n 1 --json | sed 's/^/receipt /'
}

mkdir -p /data/media
"$@"
