#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Power cuts on file systems in memory, by storekeeper_campaigns:
#   replay.sh CAMPAIGN...   each with its options in one argument: "replay-ext4 --seed 1"
# The lab gives brd, dm-log-writes and dm-snapshot, and the tools of f2fs.
set -eu

setprop ctl.stop storekeeperd
lab-wait-property init.svc.storekeeperd=stopped 30
# The RAM disks have the size that the module is given: 64 MiB each.
busybox rmmod brd
busybox insmod /lib/modules/brd.ko rd_nr=5 rd_size=65536
# Scratch files of the scenarios must not be on the card.
export TMPDIR=/tmp
for campaign in "$@"; do
    # Exit code 1: the campaign has found something and reported it.
    # shellcheck disable=SC2086  # options are words of their own
    storekeeper_campaigns $campaign || [ $? = 1 ]
done
