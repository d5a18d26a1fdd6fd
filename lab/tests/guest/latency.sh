#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# What BPF and the probe measure of /data, beside fio. Leaves fio's json+ as /run/NAME.json and
# prints storekeeper_latency's lines, each behind its NAME. Usage: latency.sh IOS
set -eu

file=/data/media/latency
dir=/sys/fs/bpf
mount -t bpf bpf $dir
/tmp/lab-bpfload /tmp/storekeeperLatency.o $dir

# fio, one I/O at a time, which nothing but the device keeps waiting.
ios() { # NAME FILE RW SIZE NUMBER [OPTION...]
    name=$1 of=$2 rw=$3 size=$4 number=$5
    shift 5
    set -- fio --name="$name" --filename="$of" --rw="$rw" --size="$size" --number_ios="$number" \
        --bs=4k --ioengine=psync --direct=1 --iodepth=1 --thread --fallocate=none --randrepeat=1 \
        --random_generator=tausworthe --norandommap --io_size=1g --output-format=json+ \
        --output="/run/$name.json" "$@"
    if [ "${counted-}" ]; then
        /tmp/storekeeper_latency bpf 179 0 "$@" | sed "s/^/$name /"
    else
        "$@"
    fi
}

fio --name=fill --filename=$file --rw=write --bs=512k --size=32m --end_fsync=1 --direct=1 \
    --fallocate=none --output=/run/fill
sync
sleep 30
for rw in randread randwrite; do
    ios "$rw-without" $file "$rw" 32m "$1"
    counted=yes
    ios "$rw-with" $file "$rw" 32m "$1"
    counted=
done
counted=yes
ios fsync-with $file randwrite 32m "$1" --fdatasync=1
counted=

# Its first run fills the file, and there is just enough left of the most that it may have.
/tmp/storekeeper_latency probe /data/misc/storekeeper/probe 1024 110 110 | sed "s/^/probe /"
ios probe-read /data/misc/storekeeper/probe randread 128k 110
ios probe-write /data/misc/storekeeper/probe randwrite 128k 110 --fdatasync=1
