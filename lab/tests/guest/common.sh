#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# Functions that the scripts of this folder source.

# The worker has the same name and a higher number.
pid_of_daemon() { pidof storekeeperd | tr ' ' '\n' | sort -n | head -n 1; }

# Makes fragmented free space that was never discarded.
litter() { # FOLDER FILES
    mkdir -p "$1"
    number=0
    while [ "$number" -lt "$2" ]; do
        head -c 3000000 /dev/zero >"$1/litter$number"
        number=$((number + 1))
    done
    sync
    number=0
    while [ "$number" -lt "$2" ]; do
        rm "$1/litter$number"
        number=$((number + 2))
    done
    sync
}

# Labels what was made below a folder, as init or vold would, where the kernel enforces a policy.
label() { # FOLDER
    [ ! -x /system/bin/restorecon ] || /system/bin/restorecon -RF "$1"
}

# Makes storekeeperd gather, by the end of a run, until PATTERN is in its dump.
gather() { # PATTERN
    cmd storekeeper trim --hurry /data >/dev/null
    until dumpsys storekeeper latency --json | grep -q "$1"; do sleep 1; done
}
