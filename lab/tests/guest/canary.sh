#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# The canary of a chip on the virtual phone. Usage: canary.sh STEP...; prints "@@ heading" before
# the output of each command, and its exit code as the last line.
set -u

say() { # HEADING COMMAND...
    echo "@@ $1"
    shift
    code=0
    "$@" 2>&1 || code=$?
    echo "code $code"
}

# Bytes discarded on the card since it was found.
discarded() { awk '{ print $14 * 512 }' /sys/block/mmcblk0/stat; }

state() { # HEADING
    say "$1 dump" dumpsys storekeeper
    say "$1 json" dumpsys storekeeper --json
    say "$1 discarded" discarded
    say "$1 property" getprop storekeeper.status.trim_quarantine
}

# Screen off, and no touch for longer than the gate's time; waits until a run is over.
night() {
    setprop debug.tracing.screen_state 1
    sleep 4500
    lab-wait-property storekeeper.status.state=idle 60
}

# Reboots as lab-reboot does, and waits until the daemon has read its files, the canary included.
reboot() { # as lab-reboot
    lab-reboot "$@"
    lab-wait-property storekeeper.status.level=good 60
}

for step; do
    case $step in
    trim) say trim cmd storekeeper trim /data ;;
    hurry) say hurry cmd storekeeper trim --hurry ;;
    shell) say shell busybox su -s /system/bin/sh shell -c "cmd storekeeper lift-quarantine" ;;
    lift) say lift cmd storekeeper lift-quarantine ;;
    night) night ;;
    reboot) reboot ;;
    cut) reboot 2 ;;
    fill) busybox dd if=/dev/zero of=/data/fill bs=1M >/dev/null 2>&1 ;;
    empty) rm /data/fill; sync ;;
    change) echo x >>/data/misc/storekeeper/canary; sync ;;
    remove) rm /data/misc/storekeeper/canary ;;
    *) state "$step" ;;
    esac
done
