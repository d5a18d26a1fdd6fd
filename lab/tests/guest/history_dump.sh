#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# The time that dumpsys takes when storekeeperd has the history /tmp/history.db of $1 days, and the
# bytes written for it:
#   @none MILLISECONDS         dumpsys alone, with no service asked
#   @dump MILLISECONDS BYTES   time and size of a dump, as text and as JSON in turn
#   @series POINTS             latency points in the JSON
#   @wrote BYTES               bytes written by storekeeperd in all dumps (proc(5), /proc/PID/io)
#   @library KIB               part of libsqlite still in storekeeperd's memory (Rss)
set -eu

# shellcheck source=lab/bench/card.sh
. /system/etc/bench/card.sh

history=/data/misc/storekeeper/history.db

setprop ctl.stop storekeeperd
lab-wait-property init.svc.storekeeperd=stopped 10
rm -f "$history"*
for part in /tmp/history.db*; do cp "$part" "${history%/*}"; done
chown system:system "$history"*
# Sets the clock to the end of the history.
date -s @$((1767225600 + $1 * 86400)) >/dev/null
setprop storekeeper.status.level none
setprop ctl.start storekeeperd
lab-wait-property storekeeper.status.level=good 60
# Writes due at the start are over then.
sync
pid=$(pid_of_daemon)
written() { sed -n 's/^write_bytes: //p' "/proc/$pid/io"; }
before=$(written)
timed() { # OUTPUT COMMAND...
    output=$1
    shift
    begin=$(date +%s%N)
    "$@" >"$output"
    end=$(date +%s%N)
    echo $(((end - begin) / 1000000))
}
for _ in 1 2 3; do
    echo "@none $(timed /run/none dumpsys -l)"
    for form in -a --json; do
        milliseconds=$(timed /run/dump dumpsys storekeeper $form)
        echo "@dump $milliseconds $(stat -c %s /run/dump)"
    done
done
echo "@series $(grep -c p999_us /run/dump)"
echo "@wrote $(($(written) - before))"
awk '/^[0-9a-f]+-/ { name = $6; mode = $2 } /^Rss:/ && name ~ /libsqlite/ && mode !~ /w/ { sum += $2 }
     END { print "@library", sum + 0 }' "/proc/$pid/smaps"
