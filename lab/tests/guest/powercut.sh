#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Cuts the power in the middle of writes ($1: 1, all unflushed data is lost; 2, some of it). Data
# that was fsynced must be there afterwards, and the file system intact.
set -eu

how=$1
kept=/data/local/tmp/kept

for file in 1 2 3; do
    head -c 700000 /dev/urandom >"$kept.$file"
    fsync "$kept.$file"
    fsync /data/local/tmp
done
sha256sum "$kept".* >/run/sums

head -c 1000000 /dev/zero | tr '\0' u >/data/local/tmp/unsynced
fio --name=load --filename=/data/local/tmp/load --rw=randwrite --bs=4k --size=6m --direct=1 \
    --ioengine=psync --randrepeat=1 --time_based --runtime=1000 >/dev/null 2>&1 &
load=$!
usleep 2700000
echo "$how" >/sys/kernel/debug/vemmc/powercut
if wait "$load"; then exit 1; fi

setprop ctl.stop storekeeperd
lab-wait-property init.svc.storekeeperd=stopped 10
umount /cache || true
umount /data || true
lab-card
grep -E '^(power_cuts|lost_pages) ' /sys/kernel/debug/vemmc/stats

mount -t ext4 /dev/mmcblk0p2 /data
sha256sum -c /run/sums >/dev/null
echo intact
stat -c 'unsynced %s' /data/local/tmp/unsynced 2>/dev/null || echo 'unsynced gone'
umount /data
e2fsck -fn /dev/mmcblk0p2 >/dev/null
echo sound
