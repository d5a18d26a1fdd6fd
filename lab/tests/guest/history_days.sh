#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# What a history of $1 days writes to the card, first of $2 days, which are not counted: sectors of
# the partition and of the card, the file system's journal and metadata among them.
set -eu

writer=/system/bin/history_writer
folder=/data/history

# proc(5), /proc/diskstats: the 10th field are sectors written.
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
