#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# What trims do to somebody who uses the phone meanwhile, on a card and an image that were drawn:
#   any.sh FS OPTIONS ALONE_SECONDS CASE...     alone | fstrim | storekeeper | hurry
# Before each case /data is mounted anew: the file system forgets what is trimmed, and what is free
# stays the same. Lines for the reader at the other end:
#   @say TEXT                what happens now
#   @fact CASE_NAME VALUE    as foreground.sh has them, by case
#   @note CASE TEXT          what `cmd storekeeper trim` printed
# fio's logs are /run/CASE.write and /run/CASE.read.
set -eu

# shellcheck source=lab/bench/card.sh
. /system/etc/bench/card.sh

fs=$1 options=$2 seconds=$3
shift 3

mount_anew() {
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 10
    umount /data
    mount -t "$fs" -o "$options" /dev/mmcblk0p2 /data
    setprop ctl.start storekeeperd
    timeout 60 cmd -w storekeeper status >/dev/null
}

make_foreground_files
lab-age "$dir/age" "$plan"
for case in "$@"; do
    mount_anew
    say "$case"
    foreground >/run/fio.out &
    fio=$!
    sleep 2
    before=$(discarded)
    fact "${case}_begin_ns" "$(date +%s%N)"
    quietly "$case" "$seconds"
    fact "${case}_end_ns" "$(date +%s%N)"
    fact "${case}_discarded_bytes" $(($(discarded) - before))
    sleep 1
    kill -TERM "$fio"
    wait "$fio" || true
    mv /run/write_lat.1.log "/run/$case.write"
    mv /run/read_lat.2.log "/run/$case.read"
    while read -r line; do echo "@note $case $line"; done </run/pass
    [ "$case" = storekeeper ] || continue
    before=$(discarded)
    quietly "$case"
    fact "${case}_repeat_discarded_bytes" $(($(discarded) - before))
done
