#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# Three uids write on each of three days, and storekeeperd gathers each time: 10101 writes 6 MiB,
# 10102 and 10103 write 1 MiB each. Prints storekeeperd's report of budgets.
set -eu

# shellcheck source=lab/tests/guest/common.sh
. /tmp/common.sh

storekeeper_fake_packages well >/run/asked &
until grep -q ready /run/asked; do sleep 1; done

write() { # UID MIB
    setpriv --reuid "$1" --regid "$1" --clear-groups \
        dd if=/dev/zero of="/data/writers/$1" bs=1M count="$2" 2>/dev/null
}

mkdir -m 777 /data/writers
gather '"uid_bytes" : [0-9]'
for day in 1 2 3; do
    write 10101 6
    write 10102 1
    write 10103 1
    sync
    gather "\"days_over\" : $day"
    echo "@property$day"
    getprop storekeeper.status.over_budget
    echo "@alerts$day"
    getprop storekeeper.status.alerts
    echo "@apps$day"
    dumpsys storekeeper --apps --json ledger latency
    date -s "@$(($(date +%s) + 86400))" >/dev/null
done
echo "@plain"
dumpsys storekeeper --json ledger latency
echo "@text"
dumpsys storekeeper latency
echo "@screen"
dumpsys storekeeper
