#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# Three uids write to /data: 10101 without fsync, 10102 with one for each 4 KiB, 10103 little.
# Prints the share of each alone in the block layer's count of /data's device, and storekeeperd's
# report.
set -eu

# shellcheck source=lab/tests/guest/common.sh
. /tmp/common.sh

storekeeper_fake_packages well >/run/asked &
until grep -q ready /run/asked; do sleep 1; done

device=$(mountpoint -d /data | tr : ' ')
mkdir -m 777 /data/writers

written() {
    sync
    awk -v device="$device" '$1 " " $2 == device { print $10 * 512 }' /proc/diskstats
}

writes() { # UID MIB [OPTION...]
    uid=$1 mib=$2
    shift 2
    before=$(written)
    setpriv --reuid "$uid" --regid "$uid" --clear-groups fio --name=writes --rw=write --bs=4k \
        --filename="/data/writers/$uid" --size="${mib}m" --ioengine=psync --fallocate=none \
        "$@" >/dev/null
    echo "@wrote $uid $(($(written) - before))"
}

gather '"uid_bytes" : [0-9]'
writes 10101 6
writes 10102 4 --fsync=1
writes 10103 1
gather 10103
echo "@property"
getprop storekeeper.status.over_budget
echo "@alerts"
getprop storekeeper.status.alerts
echo "@apps"
dumpsys storekeeper --apps --json latency
echo "@plain"
dumpsys storekeeper --json latency
echo "@text"
dumpsys storekeeper --apps latency
echo "@screen"
dumpsys storekeeper
