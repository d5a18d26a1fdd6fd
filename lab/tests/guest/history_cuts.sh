#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Power goes while history is being written, once for each line "MILLISECONDS HOW" of the plan ($1): that
# long after the writing has begun. Each time the history must open, be whole, and have every batch
# that was reported as kept. Lines for the reader at the other end:
#   @cut KEPT FOUND  the last batch that was reported, the last one that is there
#   @bad TEXT        what is not as it must be
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
    # Ended by itself: that is not for want of power.
    kill -0 $writing 2>/dev/null || echo "@bad writing: $(cat /run/why)"
    echo "$how" >/sys/kernel/debug/vemmc/powercut
    if wait $writing; then echo "@bad it wrote without power"; fi
    umount /data
    lab-card
    # The journal is replayed.
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
    # One that was under way may be there, too.
    if [ "$found" -lt "$kept" ] || [ "$found" -gt $((kept + 1)) ]; then
        echo "@bad batch $found is the last, $kept was reported"
    fi
    [ -z "$(find $folder -name '*aside*')" ] || echo "@bad a history was set aside"
done <"$plan"
