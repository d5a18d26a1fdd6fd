#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# Maintenance of a UFS that defragments itself. Usage: hid.sh helps|useless|unfinished; prints
# lines `fact value...` and leaves fio's json as /run/NAME.json.
set -eu

host=/sys/devices/platform/soc/1d84000.ufshc
hid=$host/hid
knobs=/sys/module/vufs/parameters
debug=/sys/kernel/debug/vufs
big=/data/media/big

restart() {
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 20
    setprop ctl.start storekeeperd
    timeout 60 cmd -w storekeeper status >/dev/null
}

# Prepares the daemon's probe: its file is complete, and nobody uses the phone, which the daemon
# watches while a run is due. The battery keeps that run from beginning.
prepare() {
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 20
    /tmp/storekeeper_latency /data/misc/storekeeper/probe 1024 1 1 >/dev/null
    chown system:system /data/misc/storekeeper/probe
    restart
    echo 50 >/sys/module/vphone/parameters/capacity
    setprop debug.tracing.screen_state 1
    for limit in "interval 3600" "written 0" "untouched 60"; do
        # shellcheck disable=SC2086 # two words
        cmd storekeeper set-gate-override $limit >/dev/null
    done
}

fill() {
    fio --name=fill --filename=$big --rw=write --bs=512k --size=192m --end_fsync=1 --direct=1 \
        --fallocate=none --output=/run/fill
    sync
}

# Reads 64 KiB blocks by fio, then runs the probe, 10 reads each: one run every three hours, within
# its budget of 1024 KiB a day. The daemon checks for a due run when the UFS reports a critical
# health.
use() { # NAME RUNS
    fio --name="$1" --filename=$big --rw=randread --bs=64k --size=192m --number_ios=1000 \
        --ioengine=psync --direct=1 --thread --randrepeat=1 --output-format=json+ \
        --output="/run/$1.json"
    for run in $(seq "$2"); do
        sleep 10800
        echo 1 >$debug/critical
        sleep 5
    done
}

stat_of() { sed -n "s/^$1 //p" $debug/stats; }
plan() { echo "$1 $(cmd storekeeper plan | sed -n 's/^Defragmentation: //p')"; }

# Repeats runs until one of them does nothing.
maintain() { # NAME
    run=1
    while [ $run -le 8 ]; do
        cmd storekeeper maintain --now >/run/said || true
        said=$(sed -n 's/^Defragmentation: //p' /run/said)
        [ "$said" ] || break
        echo "$1_$run $said"
        run=$((run + 1))
        sleep 5
    done
}

begin() {
    prepare
    fill
    use new 5
    plan plan_new
    # Runs remember the best latency.
    maintain at_first
    echo 1000 >$debug/age
    use aged 1
    plan plan_aged
}

# The UFS is defragmented while reads are slow, and no longer.
helps() {
    begin
    maintain run
    echo "moved $(stat_of moved_bytes)"
    use after 5
    plan plan_after
    maintain later
    echo "state $(cat $hid/state)"
    echo "properties $(getprop storekeeper.hid.analysis) $(getprop storekeeper.hid.defrag)"
    echo "wear $(cmd storekeeper receipts -n 8 --json | grep -c written_bytes)"
}

# Two rounds of defragmentation that do not help.
useless() {
    echo 0 >$knobs/hid_helps
    begin
    for round in first second; do
        maintain $round
        echo "moved_$round $(stat_of moved_bytes)"
        use "after_$round" 5
        # The probe's budget comes back after a day without its I/O.
        [ $round = second ] || sleep 90000
        echo 1000 >$debug/age
    done
    maintain third
    echo "moved_third $(stat_of moved_bytes)"
    plan plan
    # The result is remembered across a restart.
    restart
    plan plan_restarted
}

# A touch ends a run that the policy began.
touched() {
    echo 85 >/sys/module/vphone/parameters/capacity
    lab-wait-property storekeeper.hid.defrag=enable 100000
    sleep 1
    moved=$(stat_of moved_bytes)
    read -r now <$hid/state
    echo "during $now"
    date +%s%N >/run/begun
    echo 1 >/sys/module/vphone/parameters/touch
    while [ "$now" = defrag_in_progress ]; do read -r now <$hid/state; done
    echo "ended $(($(date +%s%N) - $(cat /run/begun))) $now"
    sleep 5
    echo "more $(($(stat_of moved_bytes) - moved))"
    cmd storekeeper receipts -n 1 | sed -n 's/^ *Defragmentation: /receipt /p'
    # A daemon that dies leaves no defragmentation under way.
    cmd storekeeper maintain --now >/dev/null 2>&1 &
    lab-wait-property storekeeper.hid.defrag=enable 60
    sleep 1
    read -r now <$hid/state
    echo "alive $now"
    kill -9 "$(pidof storekeeperd | tr ' ' '\n' | sort -n | head -n 1)"
    sleep 1
    echo "killed $(cat $hid/state)"
}

# Runs in which the UFS refuses to begin, or its analysis finds no size.
refused() {
    for refuse in 1 2; do
        echo $refuse >$knobs/hid_refuse
        cmd storekeeper maintain --now | sed -n "s/^Defragmentation: /refuse_$refuse /p"
    done
    echo 0 >$knobs/hid_refuse
    echo 1 >$knobs/hid_unknown
    maintain unknown
    echo 0 >$knobs/hid_unknown
    echo "moved $(stat_of moved_bytes)"
}

# A UFS without defragmentation.
without() {
    echo 0 >$knobs/hid
    lab-reboot
    timeout 60 cmd -w storekeeper status >/dev/null
    plan plan_without
}

# Defragmentations that do not get to their end.
unfinished() {
    begin
    refused
    touched
    without
}

"$@"
