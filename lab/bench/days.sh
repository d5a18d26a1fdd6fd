#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# A phone in use for $1 days, the same at every run, and storekeeperd's own actions meanwhile: it
# gets no command. Lines for the reader on the host; times are seconds since boot:
#   @say TEXT
#   @day TIME N                    a day begins, at midnight
#   @e TIME touch
#   @e TIME screen|level|ac|temp V the user or the world; temp in tenths of a degree
#   @h TIME SWITCHES TICKS WRITTEN PSS  storekeeperd so far: voluntary context switches, CPU (clock
#                                  ticks, its children's too), bytes written; PSS in KiB
#   @d FIRST LAST BYTES            the card was asked to discard, from FIRST to LAST
#   @wall TIME WALL                the wall clock
#   @run TIME WALL                 storekeeper.status.last_run has become this
set -eu

# shellcheck source=lab/bench/card.sh
. /system/etc/bench/card.sh

days=$1
knobs=/sys/module/vphone/parameters
trace=/sys/kernel/debug/tracing
last_run=
daemon=none

now() {
    read -r uptime _ </proc/uptime
    echo "$uptime"
}

set_screen() { # on|off
    if [ "$1" = on ]; then setprop debug.tracing.screen_state 2; else setprop debug.tracing.screen_state 1; fi
    echo "@e $(now) screen $1"
}

set_level() { echo "$1" >$knobs/capacity && echo "@e $(now) level $1"; }
set_ac() { echo "$1" >$knobs/ac_online && echo "@e $(now) ac $1"; }
set_temp() { echo "$1" >$knobs/temp && echo "@e $(now) temp $1"; }
touch_screen() { echo "@e $(now) touch" && echo 1 >$knobs/touch; }

# Reports the end of each hour. One process reads all, since hundreds of hours are reported.
tell_hour() {
    [ -d "/proc/$daemon" ] || daemon=$(pid_of_daemon)
    read -r uptime _ </proc/uptime
    awk -v now="$uptime" '
        function report() { if (bytes) printf "@d %.3f %.3f %.0f\n", first, last, bytes; bytes = 0 }
        /^voluntary_ctxt/ { switches += $2 }
        FILENAME ~ /\/stat$/ { ticks = $14 + $15 + $16 + $17 }
        /^write_bytes/ { written = $2 }
        /^Pss:/ { pss = $2 }
        /block_rq_issue/ {
            for (i = 2; i < 6; i++) if ($i ~ /^[0-9.]+:$/) t = $i + 0
            for (i = 6; i < NF; i++) if ($i == "+") n = $(i + 1) * 512
            if (bytes && t - last > 60) report()
            if (!bytes) first = t
            last = t; bytes += n
        }
        END { report(); print "@h", now, switches, ticks, written, pss }' \
        /proc/"$daemon"/task/*/status "/proc/$daemon/stat" "/proc/$daemon/io" \
        "/proc/$daemon/smaps_rollup" $trace/trace
    echo >$trace/trace
    run=$(getprop storekeeper.status.last_run)
    if [ "$run" != "$last_run" ]; then echo "@run $uptime $run"; fi
    last_run=$run
}

# Ten minutes of use: a picture or a download, and an older one deleted.
use() { # N
    set_screen on
    touch_screen
    busybox sleep 300
    touch_screen
    head -c 12000000 /dev/zero >"$dir/picture.$(($1 % 20))"
    rm -f "$dir/picture.$((($1 + 7) % 20))"
    sync
    busybox sleep 300
    set_screen off
}

# One hour. Off the charger the battery loses 4 %.
hour() { # DAY HOUR
    n=$(($1 * 24 + $2))
    case $2 in
    23) if [ $(($1 % 7)) != 5 ]; then set_ac 1; fi ;;
    7) set_ac 0 ;;
    esac
    read -r ac <$knobs/ac_online
    if [ "$ac" = 1 ]; then
        level=$((level + 12 > 100 ? 100 : level + 12))
    else
        level=$((level > 8 ? level - 4 : level))
    fi
    set_level "$level"
    # One night the phone is too warm on the charger.
    if [ "$1" = 24 ] && [ "$2" = 0 ]; then set_temp 480; fi
    if [ "$1" = 24 ] && [ "$2" = 9 ]; then set_temp 250; fi
    if [ "$1" -ge 9 ] && [ "$1" -lt 18 ]; then
        # On days 9 to 17 it is touched every quarter of an hour and never lies still.
        for _ in 1 2 3 4; do
            touch_screen
            busybox sleep 900
        done
    elif [ "$2" -ge 8 ] && [ "$2" -le 22 ] && [ $(($2 % 2)) = 0 ]; then
        use "$n"
        busybox sleep 3000
    else
        busybox sleep 3600
    fi
    tell_hour
}

mkdir -p "$dir"
echo boot >$trace/trace_clock
echo 'rwbs ~ "*D*"' >$trace/events/block/block_rq_issue/filter
echo 1 >$trace/events/block/block_rq_issue/enable
level=60
set_screen off
set_temp 250
set_ac 1
echo "@wall $(now) $(date +%s)"
day=0
while [ "$day" -lt "$days" ]; do
    echo "@day $(now) $day"
    h=0
    while [ "$h" -lt 24 ]; do
        hour "$day" "$h"
        h=$((h + 1))
    done
    day=$((day + 1))
    if [ $((day % 5)) = 0 ]; then say "$day days"; fi
done
