#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Bytes that a history of $1 days writes to the partition and to the card, journal and metadata of
# the file system included. The first $2 days are not counted.
set -eu

writer=/system/bin/history_writer
folder=/data/history

# proc(5), /proc/diskstats: the 10th field is sectors written.
written() { awk -v disk="$1" '$3 == disk { print $10 * 512 }' /proc/diskstats; }

setprop ctl.stop storekeeperd
lab-wait-property init.svc.storekeeperd=stopped 10
umount /cache 2>/dev/null || true
mkdir -p $folder
$writer days $folder/history.db "$2" >/dev/null
sync
# The file system writes its superblock some time after a mount.
sleep 40
sync
before=$(written mmcblk0)
$writer days $folder/history.db "$1" "$2"
echo "bytes $(($(written mmcblk0) - before))"
echo "file $(stat -c %s $folder/history.db)"
echo "log $(stat -c %s $folder/history.db-wal)"
