#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# The story of the Nexus 7 (2012) on /data of a virtual phone: new, filled, idle, measured by fio.
# Usage: story.sh trim|none, or, for `make bench-seeds`, story.sh worst: how slow it gets when the
# torture goes on. Lines for the reader at the other end start with "@":
#   @say TEXT                   what happens now
#   @row STATE COLUMN MB/s      one figure (10^6 bytes a second)
#   @log LINE                   what storekeeperd logged
#   @dump LINE                  dumpsys storekeeper
set -eu

# storekeeperd has stored its first sample of wear.
lab-wait-property storekeeper.status.level 5 2>/dev/null || true

mode=$1
dir=/data/media

say() { echo "@say $*"; }

# fio with what all its runs here have in common: direct, one request at a time, one fsync at the
# end that counts, offsets drawn from a fixed seed.
fio_run() {
    fio --ioengine=psync --direct=1 --iodepth=1 --numjobs=1 --thread --end_fsync=1 \
        --fallocate=none --randrepeat=1 --random_generator=tausworthe --invalidate=0 \
        --output-format=terse --terse-version=3 "$@"
}

# Terse version 3: fields 6 and 9 are KiB read and its milliseconds, 47 and 50 those written.
measure() { # STATE COLUMN DIRECTION FIO-OPTION...
    state=$1 column=$2 direction=$3
    shift 3
    fio_run --name="$column" --filename="$dir/bench" "$@" | awk -F';' -v d="$direction" \
        -v key="$state $column" '{
            kib = d == "read" ? $6 : $47; ms = d == "read" ? $9 : $50
            if (!ms) exit 1
            printf "@row %s %.3f\n", key, kib * 1.024 / ms
        }'
}

# One benchmark as the tables of the time have it: 256 KiB sequential, 4 KiB random.
bench() { # STATE
    rm -f "$dir/bench"
    sync
    measure "$1" seq_write write --rw=write --bs=256k --size=4m
    measure "$1" seq_read read --rw=read --bs=256k --size=4m
    measure "$1" rand_read read --rw=randread --bs=4k --size=4m --io_size=768k
    measure "$1" rand_write write --rw=randwrite --bs=4k --size=4m --io_size=768k
}

free_mib() { df -k "$1" | awk 'END { print int($4 / 1024) }'; }

fill() {
    # An update passed through /cache and was deleted: to the card it is as full as /data.
    fio_run --name=update --filename=/cache/update --rw=write --bs=512k \
        --size="$(($(free_mib /cache) - 1))m" --zero_buffers >/dev/null
    rm /cache/update
    # Sequential data up to 24 MiB free: what 300 MB free are on a 13 GB partition.
    fio_run --name=fill --filename="$dir/filler" --rw=write --bs=512k \
        --size="$(($(free_mib /data) - 24))m" --zero_buffers >/dev/null
    # Then back-to-back random writes in the rest; what was deleted stays valid in the card.
    fio_run --name=torture --filename="$dir/torture" --rw=write --bs=256k --size=22m >/dev/null
    fio_run --name=torture --filename="$dir/torture" --rw=randwrite --bs=4k --size=22m \
        --io_size=$((5988 * 4))k >/dev/null
    rm "$dir/torture"
    sync
}

# The slowest five seconds of writes that go on in what is free.
worst() { # COLUMN FIO-OPTION...
    column=$1
    shift
    fio_run --name="$column" --filename="$dir/torture" --size=22m --log_avg_msec=5000 \
        --write_bw_log=/run/worst "$@" >/dev/null
    # Milliseconds, KiB a second, and more; the last ones are no whole five seconds.
    sed '$d' /run/worst_bw.1.log | awk -F', *' -v key="worst $column" '
        !least || $2 < least { least = $2 }
        END { printf "@row %s %.4f\n", key, least * 1.024 / 1000 }'
}

# Until here the two phones are the same to the instruction: their modes have equal lengths.
idle() {
    if [ "$mode" = trim ]; then
        say "screen off, battery 85 %, nobody touches the phone"
        setprop debug.tracing.screen_state 1
        # Returns when storekeeperd says how its run ended; when to run, it decides itself.
        lab-wait-property storekeeper.status.last_outcome 7800
    else
        say "screen off, battery 20 %, nobody touches the phone"
        echo 20 >/sys/module/vphone/parameters/capacity
        setprop debug.tracing.screen_state 1
        sleep 7800
    fi
    setprop debug.tracing.screen_state 2
}

mkdir -p "$dir"
setprop debug.tracing.screen_state 2
# ext4 of 2013 (before Linux 3.9) set no clusters aside for itself; they would stay unwritten and
# serve the card as spare.
echo 0 >/sys/fs/ext4/mmcblk0p2/reserved_clusters
echo 85 >/sys/module/vphone/parameters/capacity
say "a new phone"
if [ "$mode" = worst ]; then
    fill
    say "full, and the torture goes on"
    fio_run --name=torture --filename="$dir/torture" --rw=write --bs=256k --size=22m >/dev/null
    worst rand_write --rw=randwrite --bs=4k --io_size=8m
    worst seq_write --rw=write --bs=256k --io_size=66m
    exit
fi
bench fresh
say "filling /data up to 24 MiB of $(free_mib /data) MiB, then 5988 random writes in the rest"
fill
for run in 1 2 3; do
    say "full, run $run"
    bench "fill$run"
done
rm "$dir/bench"
sync
idle
if [ "$mode" = trim ]; then
    bench after
    logcat -d | sed -n 's/^storekeeperd: .*cpp:[0-9]* \(.*\(fstrim\|FITRIM\|Trimmed\).*\)/@log \1/p'
    dumpsys storekeeper | sed 's/^/@dump /'
else
    bench after_no_trim
fi
