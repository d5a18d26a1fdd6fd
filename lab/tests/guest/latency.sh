#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# What the probe measures of /data, beside fio. Leaves fio's json+ as /run/NAME.json and prints
# storekeeper_latency's lines.
set -eu

file=/data/misc/storekeeper/probe

# fio, one I/O at a time, which nothing but the device keeps waiting.
ios() { # NAME RW [OPTION...]
    name=$1 rw=$2
    shift 2
    fio --name="$name" --filename=$file --rw="$rw" --size=128k --number_ios=110 --bs=4k \
        --ioengine=psync --direct=1 --iodepth=1 --thread --fallocate=none --randrepeat=1 \
        --random_generator=tausworthe --norandommap --io_size=1g --output-format=json+ \
        --output="/run/$name.json" "$@"
}

# Lets what the boot wrote settle.
sync
sleep 30

# Its first run fills the file, and there is just enough left of the most that it may have.
/tmp/storekeeper_latency $file 1024 110 110
ios probe-read randread
ios probe-write randwrite --fdatasync=1
