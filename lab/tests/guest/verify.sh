#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Data on vemmc reads as written: fio's checksums over several times the card's free space, with
# trims in between, then again after the card was unbound and bound; then e2fsck.
set -eu

fio_run() {
    fio --name=verify --filename=/data/verify --size=20m --ioengine=psync --randrepeat=1 \
        --verify=crc32c --verify_fatal=1 --fallocate=none --minimal "$@" >/data/local/tmp/report || {
        cat /data/local/tmp/report
        exit 1
    }
}

stat_of() { grep "^$1 " /sys/kernel/debug/vemmc/stats | cut -d' ' -f2; }

for round in 1 2 3; do
    fio_run --rw=randwrite --bsrange=4k-128k --direct=1 --randseed="$round" --do_verify=1
    # Garbage that the next trim discards, next to data that must stay.
    head -c 12000000 /dev/zero | tr '\0' "$round" >/data/garbage
    sync
    rm /data/garbage
    cmd storekeeper trim /data >/dev/null
done
fio_run --rw=write --bs=256k --direct=0 --end_fsync=1 --do_verify=1 --randseed=4
echo "trims $(stat_of trims)"
echo "erases $(stat_of erases)"

setprop ctl.stop storekeeperd
lab-wait-property init.svc.storekeeperd=stopped 10
umount /data /cache
lab-card
e2fsck -fn /dev/mmcblk0p1 >/dev/null
e2fsck -fn /dev/mmcblk0p2 >/dev/null
mount -t ext4 /dev/mmcblk0p2 /data
fio_run --rw=read --bs=256k --direct=1 --verify_only=1 --randseed=4
echo intact
