#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# Phones with a UFS. Usage: ufs.sh trims|limits|hid; prints lines `fact value...`.
set -eu

# shellcheck source=lab/tests/guest/common.sh
. /tmp/common.sh

disk=/sys/block/sda
host=/sys/devices/platform/soc/1d84000.ufshc
hid=$host/hid
knobs=/sys/module/vufs/parameters
debug=/sys/kernel/debug/vufs

# Bytes discarded by the block layer, which sd sends as UNMAP.
discarded() { awk '{ print $14 * 512 }' $disk/stat; }

trim_twice() { # NAME MOUNT FOLDER FILES
    litter "$3" "$4"
    for time in first again; do
        before=$(discarded)
        cmd storekeeper trim "$2" >/dev/null
        echo "$1_$time $(($(discarded) - before))"
    done
}

# QEMU's UFS: /cache is ext4, /data is f2fs that does not discard by itself.
trims() {
    echo "line $(dumpsys storekeeper | sed -n 2p)"
    echo "data $(sed -n 's|^/dev/\(sda2 /data [^ ]*\) .*|\1|p' /proc/mounts)"
    echo "links $(readlink /dev/sys/block/by-name/rootdisk) $(readlink /dev/sys/block/by-name/userdata)"
    echo "f2fs $(cat /dev/sys/fs/by-name/userdata/dirty_segments)"
    echo "unmap $(cat $disk/device/scsi_disk/*/provisioning_mode) $(cat $disk/queue/discard_granularity)"
    mount -o remount,nodiscard /data
    trim_twice f2fs /data /data/media 20
    trim_twice ext4 /cache /cache/litter 8
}

# A UFS that unmaps 32 GiB at once: the kernel shows this limit but does not accept it.
limits() {
    echo "limit_before $(cat $disk/queue/discard_max_bytes)"
    cmd storekeeper trim /cache >/run/said 2>&1 || echo "refused $(cat /run/said)"
    echo "limit_after $(cat $disk/queue/discard_max_bytes)"
    echo "saved $(getprop storekeeper.queue.saved.nr_requests)."
}

# Reads a statistic into $value without a process, which would take longer than a step.
stat_of() {
    while read -r key value; do
        if [ "$key" = "$1" ]; then return; fi
    done <$debug/stats
}

# Milliseconds to read 64 MiB, past the page cache.
read_ms() {
    begun=$(date +%s%N)
    dd if=/data/media/big of=/dev/null bs=512k iflag=direct 2>/dev/null
    echo $((($(date +%s%N) - begun) / 1000000))
}

until_state() { # STATE
    tries=0
    until [ "$(cat $hid/state)" = "$1" ]; do
        tries=$((tries + 1))
        [ $tries -lt 500 ] || break
        usleep 20000
    done
}

report() { echo "$1 $(cat $hid/state) $(cat $hid/fragmented_size)"; }

bounded() {
    echo 4096 >$hid/defrag_size
    stat_of written_bytes
    before=$value
    echo enable >$hid/defrag_trigger
    report started
    usleep 100000
    echo "progress $(cat $hid/progress_ratio)"
    until_state defrag_completed
    report bounded
    stat_of written_bytes
    echo "bounded_bytes $((value - before))"
    # Two readings differ: 100, then 0.
    echo "end $(cat $hid/progress_ratio) $(cat $hid/progress_ratio)"
}

# Disables defragmentation within a step, 5 ms or 256 KiB.
disabled() {
    echo 4294967295 >$hid/defrag_size
    echo enable >$hid/defrag_trigger
    report again
    until_state defrag_in_progress
    usleep 50000
    stat_of moved_bytes
    before=$value
    echo disable >$hid/defrag_trigger
    usleep 10000
    report disabled
    usleep 100000
    stat_of moved_bytes
    echo "disabled_bytes $((value - before))"
}

# The kernel's error for a trigger.
refused() { # WORD
    echo "$1" | dd of=$hid/analysis_trigger 2>&1 | sed -n 's/^dd: .*: //p'
}

answers() {
    for refuse in 1 2; do
        echo $refuse >$knobs/hid_refuse
        echo "refuse_$refuse $(refused enable)"
    done
    echo 0 >$knobs/hid_refuse
    echo "wrong $(refused 1)"
    echo disable >$hid/analysis_trigger
    echo 1 >$knobs/hid_enodata
    echo "enodata $(cat $hid/fragmented_size 2>&1 | sed 's/.*: //')"
    echo 0 >$knobs/hid_enodata
}

critical() {
    echo "critical_before $(cat $host/critical_health)"
    # poll() and inotify report sysfs_notify().
    cd $host
    inotifyd - critical_health >/run/critical &
    watcher=$!
    cd /
    usleep 200000
    echo 1 >$debug/critical
    usleep 200000
    kill $watcher
    # The alert comes long before the service's next periodic look.
    lab-wait-property storekeeper.status.level=urgent 60
    echo "alerts $(getprop storekeeper.status.alerts)"
    echo "critical_after $(cat $host/critical_health)"
    echo "critical_seen $(grep -c critical_health /run/critical)"
    echo "life_new $(cat $host/health_descriptor/life_time_estimation_b)"
    echo $((256 * 1024 * 1024 * 3000)) >$debug/written_bytes
    echo "life_used $(cat $host/health_descriptor/life_time_estimation_b)"
    echo "line $(cmd storekeeper health | head -n 1)"
}

hid() {
    dd if=/dev/zero bs=1M count=64 2>/dev/null | tr '\0' x >/data/media/big
    sync
    echo "read_new $(read_ms)"
    echo 1000 >$debug/age
    echo "read_aged $(read_ms)"
    report unknown
    echo enable >$hid/analysis_trigger
    report analysing
    until_state defrag_required
    report analysed
    stat_of fragmented_units
    echo "fragmented $value"
    bounded
    disabled
    echo enable >$hid/defrag_trigger
    until_state defrag_completed
    report whole
    echo "read_after $(read_ms)"
    answers
    critical
    # Unbinds and binds the disk, without the feature and with it.
    for on in 0 1; do
        echo $on >$knobs/hid
        lab-reboot
        # Linux keeps the attribute group's folder when its attributes are hidden.
        echo "hid_$on $(find $hid -type f | wc -l)"
    done
    report rebooted
    # f2fs, mounted with discard, accepts FITRIM at once and discards later.
    litter /data/media 20
    stat_of unmapped_bytes
    before=$value
    cmd storekeeper trim /data >/dev/null
    sleep 300
    stat_of unmapped_bytes
    echo "unmapped $((value - before))"
}

"$@"
