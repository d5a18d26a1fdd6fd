#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Effect of trims on a user of the phone, on one card with an aged /data:
#   foreground.sh FS OPTIONS SECONDS LEAST MOST CASE...      alone | fstrim | storekeeper | hurry
# A case is run LEAST times, and again until its runs took SECONDS together or were MOST. The number
# of a run is fio's seed. /data is mounted anew before each run: the file system forgets its trimmed
# groups, and the free space stays the same. Lines for the reader on the host:
#   @say TEXT                   progress
#   @run CASE BEGIN END BYTES   one run: nanoseconds of CLOCK_REALTIME, bytes that the block layer
#                               discarded
#   @free BYTES                 /data's device less its files: the most that fstrim can discard
#   @repeat BYTES               bytes discarded by a second pass right after a run of storekeeper
# fio's latency logs of all runs of a case are /run/CASE.write and /run/CASE.read: a line an I/O,
# milliseconds of CLOCK_REALTIME at its end, nanoseconds it took.
set -eu

# shellcheck source=lab/bench/card.sh
. /system/etc/bench/card.sh

fs=$1 options=$2 seconds=$3 least=$4 most=$5
shift 5

mount_anew() {
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 10
    umount /data
    mount -t "$fs" -o "$options" /dev/mmcblk0p2 /data
    setprop ctl.start storekeeperd
    timeout 60 cmd -w storekeeper status >/dev/null
    # Produces the state long after a mount: the maps of the foreground's files are in memory, the
    # journal is committed.
    for file in "$dir/foreground.r" "$dir/foreground.w"; do
        fio_run --name=warm --filename="$file" --rw=read --bs=512k --size=32m >/dev/null
    done
    sync
}

# Each second 100 reads, past the page cache, and 20 synchronous writes, 4 KiB each, both as Poisson
# processes, since apps ask at any time. A signal ends it.
# A phone has many processors, this guest one. fio comes first, and so do the kernel's workers that
# end its requests; otherwise they would wait for any computation until the next tick, 4 ms. The
# threads of the file system would wait as long without NO_RUN_TO_PARITY. With fio before the
# workers, a flush that they pass on would wait for a discard or two more.
foreground() { # SEED
    echo NO_RUN_TO_PARITY >/sys/kernel/debug/sched/features
    for pid in $(pgrep '^kworker/0:.*H'); do chrt -f -p "$pid" 1; done
    under="chrt -f 1" fio_exec --randseed="$1" --rate_process=poisson --time_based --runtime=600 \
        --bs=4k --log_unix_epoch=1 \
        --name=write --filename="$dir/foreground.w" --size=32m --rw=randwrite --direct=0 \
        --sync=dsync --rate_iops=20 --write_lat_log=/run/write \
        --name=read --filename="$dir/foreground.r" --size=32m --rw=randread \
        --rate_iops=100 --write_lat_log=/run/read
}

# Prints a pass's output only if it failed.
pass() { # alone | fstrim | storekeeper | hurry
    case $1 in
    alone) sleep "$seconds" ;;
    fstrim) fstrim /data ;;
    storekeeper) cmd storekeeper trim /data ;;
    hurry) cmd storekeeper trim --hurry /data ;;
    esac >/run/pass 2>&1 || { cat /run/pass >&2; exit 1; }
}

run() { # CASE SEED
    mount_anew
    foreground "$2" >/run/fio.out &
    fio=$!
    # fio needs two seconds to reach its steady state.
    sleep 2
    before=$(discarded)
    begin=$(date +%s%N)
    pass "$1"
    end=$(date +%s%N)
    echo "@run $1 $begin $end $(($(discarded) - before))"
    all_ms=$((all_ms + (end - begin) / 1000000))
    # An I/O that the last discard delayed ends within this second.
    sleep 1
    kill -TERM "$fio"
    wait "$fio" || true
    cat /run/write_lat.1.log >>"/run/$1.write"
    cat /run/read_lat.2.log >>"/run/$1.read"
    [ "$1" = storekeeper ] || return 0
    before=$(discarded)
    pass "$1"
    echo "@repeat $(($(discarded) - before))"
}

make_foreground_files
age_data
size=$(cat /sys/class/block/mmcblk0p2/size)
echo "@free $((size * 512 - $(du -sk "$dir" | cut -f1) * 1024))"
for case in "$@"; do
    say "$case"
    runs=0 all_ms=0
    while [ "$runs" -lt "$least" ] || { [ "$runs" -lt "$most" ] && [ "$all_ms" -lt $((seconds * 1000)) ]; }; do
        runs=$((runs + 1))
        run "$case" "$runs"
    done
done
