#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Sourced by the guest's side of the benchmarks: an aged /data and the card's own counters.

dir=/data/media
# The plan's line: KIB keep|delete
plan=/system/etc/bench/plan

say() { echo "@say $*"; }

fact() { echo "@fact $*"; }

stat_of() { sed -n "s/^$1 //p" /sys/kernel/debug/vemmc/stats; }

# proc(5), /proc/diskstats: the 15th to 18th field are discards. In bytes.
discarded() { awk '$3 == "mmcblk0" { printf "%.0f\n", $17 * 512 }' /proc/diskstats; }

# storekeeperd itself: its worker has the same name.
pid_of_daemon() {
    for pid in $(pidof storekeeperd); do
        if [ "$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status")" = 1 ]; then echo "$pid"; fi
    done
}

# fio with what all its runs here have in common, started by the command $under if there is one; the
# shell is replaced by it.
fio_exec() {
    # shellcheck disable=SC2086 # of several words
    exec ${under-} fio --ioengine=psync --direct=1 --iodepth=1 --thread --fallocate=none --randrepeat=1 \
        --random_generator=tausworthe --zero_buffers "$@"
}

fio_run() { (fio_exec "$@"); }

# Prints what a pass said only when it failed; /run/pass has it.
quietly() { # alone SECONDS | fstrim | storekeeper | hurry
    case $1 in
    alone) sleep "$2" ;;
    fstrim) fstrim /data ;;
    storekeeper) cmd storekeeper trim /data ;;
    hurry) cmd storekeeper trim --hurry /data ;;
    esac >/run/pass 2>&1 || { cat /run/pass >&2; exit 1; }
}

make_foreground_files() {
    # What ext4 keeps for itself would stay unwritten.
    if [ -e /sys/fs/ext4/mmcblk0p2 ]; then echo 0 >/sys/fs/ext4/mmcblk0p2/reserved_clusters; fi
    mkdir -p "$dir/age"
    for file in "$dir/foreground.r" "$dir/foreground.w"; do
        fio_run --name=foreground --filename="$file" --rw=write --bs=512k --size=32m \
            --end_fsync=1 >/dev/null
    done
}

# 20 synchronous writes and 100 reads a second, 4 KiB each, where nothing else is. The reads pass the
# page cache by, the writes pass through it. It ends by itself if nobody ends it. fio's logs are
# /run/write_lat.1.log and /run/read_lat.2.log.
# A phone's processors are many, this one is alone: fio comes first, and so do the kernel's workers that end
# its requests, which otherwise wait for whoever computes until the next tick, 4 ms. So would the threads of
# the file system without NO_RUN_TO_PARITY. Were fio before the workers, a flush that they pass on would
# wait for a discard or two more.
foreground() {
    echo NO_RUN_TO_PARITY >/sys/kernel/debug/sched/features
    for pid in $(pgrep '^kworker/0:.*H'); do chrt -f -p "$pid" 1; done
    under="chrt -f 1" fio_exec --time_based --runtime=600 --bs=4k --log_unix_epoch=1 \
        --name=write --filename="$dir/foreground.w" --size=32m --rw=randwrite --direct=0 \
        --sync=dsync --rate_iops=20 --write_lat_log=/run/write \
        --name=read --filename="$dir/foreground.r" --size=32m --rw=randread \
        --rate_iops=100 --write_lat_log=/run/read
}

# After it, every page of /data is mapped in the card, 95 % of it had been in use, and what the plan
# deletes is free again: the card has not been informed. The foreground has its files.
age_data() {
    make_foreground_files
    free=$(df -k /data | awk 'END { print int($4 / 1024) - 4 }')
    fio_run --name=map --filename="$dir/map" --rw=write --bs=512k --size="${free}m" >/dev/null
    rm "$dir/map"
    sync
    lab-age "$dir/age" "$plan"
    say "/data: $(df -k /data | awk 'END { print $5 }') used again after it was full," \
        "$(stat_of mapped_pages) of $(stat_of logical_pages) pages mapped"
}
