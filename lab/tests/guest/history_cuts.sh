#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Cuts the power while history is being written, once for each line "MILLISECONDS HOW" of the plan
# ($1): MILLISECONDS after the writing has begun. Each time the history must open, be intact, and
# have every batch that was reported as stored. Lines for the reader on the host:
#   @cut KEPT FOUND  the last reported batch, the last found batch
#   @bad TEXT        a violation
set -eu

plan=$1
writer=/system/bin/history_writer
folder=/data/history
history=$folder/history.db

mount_data() { mount -t ext4 -o nosuid,nodev,noatime /dev/mmcblk0p2 /data; }

setprop ctl.stop storekeeperd
lab-wait-property init.svc.storekeeperd=stopped 10
umount /cache 2>/dev/null || true
mkdir -p $folder
fsync /data
found=0
while read -r ms how; do
    $writer write $history $((found + 1)) >/run/reported 2>/run/why &
    writing=$!
    usleep "$((ms * 1000))"
    # A writer that has ended by itself did not end for lack of power.
    kill -0 $writing 2>/dev/null || echo "@bad writing: $(cat /run/why)"
    echo "$how" >/sys/kernel/debug/vemmc/powercut
    if wait $writing; then echo "@bad it wrote without power"; fi
    umount /data
    lab-card
    # Mounting replays the journal.
    mount_data
    kept=$(tail -n 1 /run/reported)
    kept=${kept:-$found}
    if [ -e $history ]; then
        found=$($writer check $history 2>/run/why) || {
            echo "@bad $(cat /run/why)"
            break
        }
    elif [ "$kept" = 0 ]; then
        found=0
    else
        echo "@bad there is no history after batch $kept"
        break
    fi
    echo "@cut $kept $found"
    # A batch that was under way may be there as well.
    if [ "$found" -lt "$kept" ] || [ "$found" -gt $((kept + 1)) ]; then
        echo "@bad batch $found is the last, $kept was reported"
    fi
    [ -z "$(find $folder -name '*aside*')" ] || echo "@bad a history was set aside"
done <"$plan"
