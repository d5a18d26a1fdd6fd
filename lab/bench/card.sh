#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
# Functions that the benchmarks' guest scripts source.
# Sourced by the guest's side of the benchmarks.

dir=/data/media

say() { echo "@say $*"; }

# Bytes discarded. proc(5), /proc/diskstats: the 15th to 18th field are discards.
discarded() { awk '$3 == "mmcblk0" { printf "%.0f\n", $17 * 512 }' /proc/diskstats; }

# Ages /data: it was in use to 95 %, and the space of the files that the plan deletes is free again.
age_data() { lab-age "$dir/age" /system/etc/bench/plan; }

# The process of storekeeperd, without its worker of the same name.
pid_of_daemon() {
    for pid in $(pidof storekeeperd); do
        if [ "$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status")" = 1 ]; then echo "$pid"; fi
    done
}

# Replaces the shell by fio with the options common to all its runs here, started by the command
# $under if there is one.
fio_exec() {
    # shellcheck disable=SC2086 # of several words
    exec ${under-} fio --ioengine=psync --direct=1 --iodepth=1 --thread --fallocate=none \
        --random_generator=tausworthe --zero_buffers "$@"
}

fio_run() { (fio_exec "$@"); }

# ext4 shall give all its space away, its reserve included.
make_foreground_files() {
    if [ -e /sys/fs/ext4/mmcblk0p2 ]; then echo 0 >/sys/fs/ext4/mmcblk0p2/reserved_clusters; fi
    mkdir -p "$dir/age"
    for file in "$dir/foreground.r" "$dir/foreground.w"; do
        fio_run --name=foreground --filename="$file" --rw=write --bs=512k --size=32m \
            --end_fsync=1 >/dev/null
    done
}
