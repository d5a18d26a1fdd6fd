#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# Uids of several kinds write, and storekeeperd gathers twice while a package service answers in the
# given way. Usage: names.sh MODE, a mode of storekeeper_fake_packages or "absent".
set -eu

# shellcheck source=lab/tests/guest/common.sh
. /tmp/common.sh

: >/run/asked
if [ "$1" != absent ]; then
    storekeeper_fake_packages "$1" >/run/asked &
    until grep -q ready /run/asked; do sleep 1; done
fi

mkdir -m 777 /data/writers
gather '"uid_bytes" : [0-9]'
for uid in 10001 10002 10101 1010101 99001; do
    setpriv --reuid "$uid" --regid "$uid" --clear-groups \
        dd if=/dev/zero of=/data/writers/$uid bs=64k count=16 2>/dev/null
done
sync
gather '"uid" : 99001'
dd if=/dev/zero of=/data/writers/0 bs=64k count=16 2>/dev/null
before=$(cut -d' ' -f1 /proc/uptime)
dumpsys storekeeper >/dev/null
after=$(cut -d' ' -f1 /proc/uptime)
gather '"uid" : 0$'
echo "@asked"
grep asked /run/asked || true
echo "@times"
echo "$before $after"
echo "@apps"
dumpsys storekeeper --apps --json latency
echo "@plain"
dumpsys storekeeper --json latency
echo "@cmd"
cmd storekeeper latency --apps
