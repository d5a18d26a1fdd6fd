#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Sourced by the guest's side of the benchmarks: an aged /data and the card's own counters.

dir=/data/media
# The plan's line: KIB keep|delete
plan=/system/etc/bench/plan

say() { echo "@say $*"; }

stat_of() { sed -n "s/^$1 //p" /sys/kernel/debug/vemmc/stats; }

# proc(5), /proc/diskstats: the 15th to 18th field are discards. In bytes.
discarded() { awk '$3 == "mmcblk0" { printf "%.0f\n", $17 * 512 }' /proc/diskstats; }

# storekeeperd itself: its worker has the same name.
pid_of_daemon() {
    for pid in $(pidof storekeeperd); do
        if [ "$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status")" = 1 ]; then echo "$pid"; fi
    done
}

# fio with what all its runs here have in common; the shell is replaced by it.
fio_exec() {
    exec fio --ioengine=psync --direct=1 --iodepth=1 --thread --fallocate=none --randrepeat=1 \
        --random_generator=tausworthe --zero_buffers "$@"
}

fio_run() { (fio_exec "$@"); }

# After it, every page of /data is mapped in the card, 95 % of it had been in use, and what the plan
# deletes is free again: the card has not been informed. The foreground has its files.
age_data() {
    # What ext4 keeps for itself would stay unwritten.
    echo 0 >/sys/fs/ext4/mmcblk0p2/reserved_clusters
    mkdir -p "$dir/age"
    for file in "$dir/foreground.r" "$dir/foreground.w"; do
        fio_run --name=foreground --filename="$file" --rw=write --bs=512k --size=32m \
            --end_fsync=1 >/dev/null
    done
    free=$(df -k /data | awk 'END { print int($4 / 1024) - 4 }')
    fio_run --name=map --filename="$dir/map" --rw=write --bs=512k --size="${free}m" >/dev/null
    rm "$dir/map"
    sync
    lab-age "$dir/age" "$plan"
    say "/data: $(df -k /data | awk 'END { print $5 }') used again after it was full," \
        "$(stat_of mapped_pages) of $(stat_of logical_pages) pages mapped"
}
