#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Makes each call of /calls as each of the given uids. A line of /calls is a number and the words of
# one call. Reports the results, and the changes made by callers who may do nothing.
set -u

state() {
    sha256sum /data/misc/storekeeper/state.log
    ls -l /data/misc/storekeeper/state.log /cache/storekeeper /metadata/storekeeper 2>&1
    cmd storekeeper receipts --json
    cmd storekeeper plan --json
    grep -E '^(trimmed|written)_bytes' /sys/kernel/debug/vemmc/stats
}

# Through pipes: Android's policy lets no service write to a caller's file.
call() {
    uid=$1 number=$2
    shift 2
    code=$({
        {
            {
                setpriv --reuid "$uid" --regid "$uid" --clear-groups "$@" </dev/null
                echo $? >&3
            } | cat >/run/out
        } 2>&1 >/dev/null | cat >/run/err
    } 3>&1)
    echo "@call $uid $number $code $(base64 -w0 /run/out).$(base64 -w0 /run/err)"
}

calls() {
    while read -r number line; do
        eval "call $1 $number $line"
    done </calls
}

# The daemon's first look at the storage creates the history, writes the alerts and sets this.
until [ -n "$(getprop storekeeper.status.level)" ]; do usleep 10000; done
sync
for uid; do
    state | cat >/run/before
    calls "$uid"
    state | cat >/run/after
    if cmp -s /run/before /run/after; then
        echo "@same $uid"
    else
        echo "@changed $uid $(diff /run/before /run/after | base64 -w0)"
    fi
done
