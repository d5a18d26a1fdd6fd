#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# The probe's latencies of /data beside fio's. Leaves fio's json+ as /run/NAME.json and prints
# storekeeper_latency's lines.
set -eu

file=/data/misc/storekeeper/probe

# fio, one I/O at a time, delayed by the device only.
ios() { # NAME RW [OPTION...]
    name=$1 rw=$2
    shift 2
    fio --name="$name" --filename=$file --rw="$rw" --size=128k --number_ios=110 --bs=4k \
        --ioengine=psync --direct=1 --iodepth=1 --thread --fallocate=none --randrepeat=1 \
        --random_generator=tausworthe --norandommap --io_size=1g --output-format=json+ \
        --output="/run/$name.json" "$@"
}

# Writes of the boot must settle first.
sync
sleep 30

# The probe's first run fills the file; the rest of its budget is just enough for these I/Os.
/tmp/storekeeper_latency $file 1024 110 110
ios probe-read randread
ios probe-write randwrite --fdatasync=1
