#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# Sourced by the scripts beside it.

# The worker has the same name and a higher number.
pid_of_daemon() { pidof storekeeperd | tr ' ' '\n' | sort -n | head -n 1; }

# Free space in pieces, nothing of it ever discarded.
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

# The end of a run makes storekeeperd gather; PATTERN is in its dump afterwards.
gather() { # PATTERN
    cmd storekeeper trim --hurry /data >/dev/null
    until dumpsys storekeeper latency --json | grep -q "$1"; do sleep 1; done
}
