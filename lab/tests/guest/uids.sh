#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# 200 apps write 64 KiB each. Prints the cost of storekeeperd's gathering of that day: processor
# nanoseconds and bytes written by all of its threads, run and receipt included.
set -eu

# shellcheck source=lab/tests/guest/common.sh
. /tmp/common.sh

storekeeper_fake_packages well >/run/asked &
until grep -q ready /run/asked; do sleep 1; done
daemon=$(pidof storekeeperd)

write() { # UID
    setpriv --reuid "$1" --regid "$1" --clear-groups \
        dd if=/dev/zero of="/data/writers/$1" bs=64k count=1 2>/dev/null
}

spent() {
    awk '{ ns += $1 } END { printf "%.0f", ns }' /proc/"$daemon"/task/*/schedstat
    awk '$1 == "write_bytes:" { print " " $2 }' /proc/"$daemon"/io
}

mkdir -m 777 /data/writers
gather '"uid_bytes" : [0-9]'
for uid in $(seq 10200 10398); do write "$uid"; done
# The largest uids are listed first. This one is written last, so it shows that all were gathered,
# and it is over a budget of 1 MiB.
setpriv --reuid 10399 --regid 10399 --clear-groups \
    dd if=/dev/zero of=/data/writers/10399 bs=64k count=40 2>/dev/null
sync
before=$(spent)
gather '"uid" : 10399'
echo "@uids $(grep -c '^10[23]' /proc/uid_io/stats)"
echo "@before $before"
echo "@after $(spent)"
