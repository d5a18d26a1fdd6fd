#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# What trims do to somebody who uses the phone meanwhile, on a card and an image that were drawn:
#   any.sh FS OPTIONS SECONDS RUNS CASE...      alone | fstrim | storekeeper | hurry
# A case is run until its runs took SECONDS together, RUNS times at most. Before each run /data is
# mounted anew: the file system forgets what is trimmed, and what is free stays the same. Lines for
# the reader at the other end:
#   @say TEXT                  what happens now
#   @fact CASE_N_NAME VALUE    as foreground.sh has them, by case and run, from 1
#   @fact CASE_runs VALUE      how many runs
#   @note CASE TEXT            what `cmd storekeeper trim` printed
# fio's logs of all runs of a case are /run/CASE.write and /run/CASE.read.
set -eu

# shellcheck source=lab/bench/card.sh
. /system/etc/bench/card.sh

fs=$1 options=$2 seconds=$3 repeats=$4
shift 4

mount_anew() {
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 10
    umount /data
    mount -t "$fs" -o "$options" /dev/mmcblk0p2 /data
    setprop ctl.start storekeeperd
    timeout 60 cmd -w storekeeper status >/dev/null
    # As it is long after it was mounted: where the foreground's files lie has been read, and the
    # journal has been committed.
    for file in "$dir/foreground.r" "$dir/foreground.w"; do
        fio_run --name=warm --filename="$file" --rw=read --bs=512k --size=32m >/dev/null
    done
    sync
}

# One run of a case, the N-th, beside the foreground.
run() { # CASE N
    mount_anew
    foreground >/run/fio.out &
    fio=$!
    # Each run begins at another moment of the foreground, whose writes are 50 ms apart.
    sleep "2.0$(printf %02d $(($2 * 5)))"
    before=$(discarded)
    begin=$(date +%s%N)
    quietly "$1" "$seconds"
    end=$(date +%s%N)
    fact "$1_$2_begin_ns" "$begin"
    fact "$1_$2_end_ns" "$end"
    fact "$1_$2_discarded_bytes" $(($(discarded) - before))
    took_ms=$(((end - begin) / 1000000))
    sleep 1
    kill -TERM "$fio"
    wait "$fio" || true
    cat /run/write_lat.1.log >>"/run/$1.write"
    cat /run/read_lat.2.log >>"/run/$1.read"
    while read -r line; do echo "@note $1 $line"; done </run/pass
    [ "$1" = storekeeper ] || return 0
    before=$(discarded)
    quietly "$1"
    fact "$1_$2_repeat_discarded_bytes" $(($(discarded) - before))
}

make_foreground_files
lab-age "$dir/age" "$plan"
for case in "$@"; do
    say "$case"
    runs=0 all_ms=0
    while [ "$runs" -lt "$repeats" ] && [ "$all_ms" -lt $((seconds * 1000)) ]; do
        runs=$((runs + 1))
        run "$case" "$runs"
        all_ms=$((all_ms + took_ms))
    done
    fact "${case}_runs" "$runs"
done
