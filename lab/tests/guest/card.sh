#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# A card that fails, on the virtual phone. Usage: card.sh STEP; prints "@@ heading" before the output
# of each command, and its exit code as the last line.
set -u

# shellcheck source=lab/tests/guest/common.sh
. /tmp/common.sh

state=/data/misc/storekeeper
driver=/sys/bus/mmc/drivers/mmcblk
card=$(ls /sys/bus/mmc/devices)

say() { # HEADING COMMAND...
    echo "@@ $1"
    shift
    code=0
    "$@" 2>&1 || code=$?
    echo "code $code"
}

# Restarts the daemon. init may take 5 seconds to restart it; the start may take 10.
restart() {
    kill -9 "$(pid_of_daemon)"
    lab-wait-property init.svc.storekeeperd=restarting 5
    say "$1" timeout 10 cmd -w storekeeper status
}

receipts() { cmd storekeeper receipts --json -n 32; }

read_only() {
    cmd storekeeper trim /data >/dev/null
    say receipts_before receipts
    say dump_before dumpsys storekeeper --json
    echo u >/proc/sysrq-trigger
    # The emergency remount is a work item of the kernel's.
    until grep -q ' /data ext4 ro' /proc/mounts; do usleep 10000; done
    restart restarted
    say dump_read_only dumpsys storekeeper
    say health dumpsys storekeeper health
    say trim_read_only cmd storekeeper trim
    say trim_cache cmd storekeeper trim /cache
    say maintain_read_only cmd storekeeper maintain --now
    say receipts_read_only receipts
    mount -o remount,rw /data
    mount -o remount,rw /cache
    say trim_again cmd storekeeper trim /data
    say dump_again dumpsys storekeeper
    restart restarted_again
    say receipts_after receipts
    say json_after dumpsys storekeeper --json
    say files ls -l $state
}

full() {
    # No state file may exist that could be overwritten in place.
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 10
    rm -f $state/*
    megabytes=1024
    number=0
    while [ "$megabytes" -ge 1 ]; do
        if fallocate -l "$((megabytes << 20))" /data/media/full$number 2>/dev/null; then
            number=$((number + 1))
        else
            rm -f /data/media/full$number
            megabytes=$((megabytes / 2))
        fi
    done
    head -c 2000000 /dev/zero >/data/media/rest 2>/dev/null
    setprop ctl.start storekeeperd
    say started timeout 10 cmd -w storekeeper status
    say dump_full dumpsys storekeeper
    say health dumpsys storekeeper health
    say trim_full cmd storekeeper trim /data
    rm -f /data/media/full* /data/media/rest
    sync
    say trim_again cmd storekeeper trim /data
    say dump_again dumpsys storekeeper
    restart restarted_again
    say receipts_after receipts
}

# The card goes away in the middle of a trim and comes back.
unbound() {
    cmd storekeeper trim /cache >/dev/null
    say receipts_before receipts
    litter /data/media 40
    say trim cmd storekeeper trim /data >/run/trim &
    until [ "$(getprop storekeeper.status.state)" = trimming ]; do usleep 10000; done
    usleep 1500000
    echo "$card" >$driver/unbind
    wait
    cat /run/trim
    say trim_cache cmd storekeeper trim /cache
    say dump_unbound dumpsys storekeeper
    restart restarted
    say dump_restarted dumpsys storekeeper
    say trim_restarted cmd storekeeper trim
    echo "$card" >$driver/bind
    disk=$(basename "$(ls -d /sys/bus/mmc/devices/"$card"/block/mmcblk*)")
    umount -l /data
    umount -l /cache
    # The daemon's lock on the folder keeps the dead file system, whose device number the new one
    # has.
    restart restarted_unmounted
    mount -t ext4 -o nosuid,nodev,noatime "/dev/${disk}p2" /data
    mount -t ext4 -o nosuid,nodev,noatime "/dev/${disk}p1" /cache
    say trim_bound cmd storekeeper trim
    say dump_bound dumpsys storekeeper
    restart restarted_bound
    say receipts_after receipts
}

# Files left by a stranger or a failing card in place of ours.
hostile() { # KIND
    cmd storekeeper trim /data >/dev/null
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 10
    for name in state.log state receipts alerts cursors history.db history.db-journal probe speed; do
        for path in "$state/$name" "$state/$name.new"; do
            rm -f "$path"
            case $1 in
            fifo) mkfifo "$path" ;;
            sparse) truncate -s 1G "$path" ;;
            # Brackets inside a string, which a counter of brackets must not count, and a wrong
            # type.
            nested)
                {
                    echo '{"manual":1,"mounts":[1]}'
                    printf '{"a":"'
                    head -c 3000 /dev/zero | tr '\0' ']'
                    printf '","mounts":'
                    head -c 3000 /dev/zero | tr '\0' '['
                    echo
                } >"$path"
                ;;
            folder) mkdir "$path" ;;
            link) ln -s /proc/kmsg "$path" ;;
            esac
            chown -h system:system "$path" 2>/dev/null
        done
    done
    setprop ctl.start storekeeperd
    say started timeout 10 cmd -w storekeeper status
    say dump dumpsys storekeeper
    say trim cmd storekeeper trim /data
    restart restarted
    say receipts receipts
    say dump_restarted dumpsys storekeeper
    say log logcat -d
    say files ls -l $state
}

# The owner of trims that vold reads, while the battery is readable and while it is not.
beat() {
    say at_first getprop storekeeper.trim.owner
    chmod 0700 /sys/class/power_supply
    restart restarted
    say unreadable getprop storekeeper.trim.owner
    chmod 0755 /sys/class/power_supply
    say again cmd storekeeper set-gate-override untouched 60
    say waited timeout 10 lab-wait-property storekeeper.trim.owner=storekeeper 10
    say readable getprop storekeeper.trim.owner
}

"$@"
