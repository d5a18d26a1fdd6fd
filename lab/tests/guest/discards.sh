#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Prints the number and the milliseconds of long discards of unmapped space.
set -eu

setprop ctl.stop storekeeperd
lab-wait-property init.svc.storekeeperd=stopped 10
umount /data
# proc(5), /proc/diskstats: the 15th and the 18th field.
discards() { awk '$3 == "mmcblk0" { print $15, $18 }' /proc/diskstats; }
# The first discard covers the space that the file system has mapped.
blkdiscard -f /dev/mmcblk0p2
discards
for _ in $(seq 16); do blkdiscard -f /dev/mmcblk0p2; done
discards
