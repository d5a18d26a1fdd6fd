#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Sourced by the guest's side of the benchmarks.

dir=/data/media

say() { echo "@say $*"; }

# proc(5), /proc/diskstats: the 15th to 18th field are discards. In bytes.
discarded() { awk '$3 == "mmcblk0" { printf "%.0f\n", $17 * 512 }' /proc/diskstats; }

# Afterwards /data had been in use to 95 %, and the files that the plan deletes are free again.
age_data() { lab-age "$dir/age" /system/etc/bench/plan; }

# storekeeperd itself: its worker has the same name.
pid_of_daemon() {
    for pid in $(pidof storekeeperd); do
        if [ "$(awk '/^PPid:/ { print $2 }' "/proc/$pid/status")" = 1 ]; then echo "$pid"; fi
    done
}

# fio with the options common to all its runs here, started by the command $under if there is one;
# the shell is replaced by it.
fio_exec() {
    # shellcheck disable=SC2086 # of several words
    exec ${under-} fio --ioengine=psync --direct=1 --iodepth=1 --thread --fallocate=none \
        --random_generator=tausworthe --zero_buffers "$@"
}

fio_run() { (fio_exec "$@"); }

# ext4 gives all its space away, what it keeps for itself too.
make_foreground_files() {
    if [ -e /sys/fs/ext4/mmcblk0p2 ]; then echo 0 >/sys/fs/ext4/mmcblk0p2/reserved_clusters; fi
    mkdir -p "$dir/age"
    for file in "$dir/foreground.r" "$dir/foreground.w"; do
        fio_run --name=foreground --filename="$file" --rw=write --bs=512k --size=32m \
            --end_fsync=1 >/dev/null
    done
}
