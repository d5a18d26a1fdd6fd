#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Ends trims of an aged card in the middle:
#   moments.sh abort | touch | unplug | kill | cut
# There is one moment for each line "MILLISECONDS HOW" of the plan beside it, MILLISECONDS after a
# trim has begun. A trim that ends before its moment is begun anew, on a card with all of it to do
# again. Lines for the reader on the host; times are seconds of CLOCK_MONOTONIC:
#   @disk START SECTORS  where the file system lies, in 512-byte sectors
#   @anew                the file system has forgotten all trimmed groups
#   @run N               a trim begins
#   @i TIME SECTOR N     a discard is issued to the card
#   @c TIME SECTOR N     the discard has ended
#   @m TIME              the moment; the action that ends the run follows
#   @b TIME              a call of storekeeperd; in aborts only
#   @f TIME BLOCK N      blocks freed in the file system since the run before
#   @end CODE            exit code of the trim's command
#   @bad TEXT            a violation afterwards
#   @held N              number of checks that held after a moment
set -eu

# shellcheck source=lab/bench/card.sh
. /system/etc/bench/card.sh

kind=$1
moments=/system/etc/bench/moments
trace=/sys/kernel/debug/tracing
queue=/sys/block/mmcblk0/queue
knobs=/sys/module/vphone/parameters
kept=/data/misc/storekeeper

queue_settings() {
    echo "$(cat $queue/discard_max_bytes) $(cat $queue/nr_requests) $(cat $queue/iosched/async_depth) $(cat $queue/wbt_lat_usec)"
}

# Traces discards in the block layer, freed blocks and, for aborts, calls of the daemon.
watch_discards() {
    echo mono >$trace/trace_clock
    echo 8192 >$trace/buffer_size_kb
    for event in issue complete; do
        echo 'rwbs ~ "*D*"' >"$trace/events/block/block_rq_$event/filter"
        echo 1 >"$trace/events/block/block_rq_$event/enable"
    done
    # ext4 forgets that a group is trimmed when blocks of it are freed.
    echo "dev == $((179 << 20 | 2))" >$trace/events/ext4/ext4_free_blocks/filter
    echo 1 >$trace/events/ext4/ext4_free_blocks/enable
    # In other kinds the time of the daemon's next action is unknown, so the moment counts.
    if [ "$kind" = abort ]; then echo 1 >$trace/events/binder/binder_transaction/enable; fi
}

# TASK-PID [CPU] FLAGS TIME: EVENT: ...
#   block_rq_issue: 179,0 D 524288 () 4096 + 1024 ...
#   binder_transaction: transaction=9 dest_node=3 dest_proc=88 ...
#   ext4_free_blocks: dev 179,2 ino 12 mode 0100600 block 4711 count 2 flags ...
# Tracing goes on afterwards, so that the next run has what happened before it.
tell_trace() {
    echo 0 >$trace/tracing_on
    awk -v daemon="dest_proc=$1" '
        function time(    i) { for (i = 2; i < 6; i++) if ($i ~ /^[0-9.]+:$/) { at = i; return $i + 0 } }
        /block_rq_(issue|complete)|tracing_mark_write|binder_transaction:|ext4_free_blocks:/ {
            t = sprintf("%.6f", time()); event = $(at + 1)
            if (event ~ /^block/)
                for (i = at + 2; i < NF; i++)
                    if ($i == "+") print (event ~ /issue/ ? "@i" : "@c"), t, $(i - 1), $(i + 1)
            if (event ~ /mark/) print "@m", t
            if (event ~ /binder/ && index($0, daemon " ")) print "@b", t
            if (event ~ /free_blocks/)
                for (i = at + 2; i < NF; i++) {
                    if ($i == "block") block = $(i + 1)
                    if ($i == "count") print "@f", t, block, $(i + 1)
                }
        }' $trace/trace
    echo >$trace/trace
    echo 1 >$trace/tracing_on
}

mount_data() { mount -t ext4 -o nosuid,nodev,noatime /dev/mmcblk0p2 /data; }

start_daemon() {
    setprop ctl.start storekeeperd
    timeout 60 cmd -w storekeeper status >/dev/null
}

stop_daemon() {
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 10
}

check_filesystem() {
    umount /data
    e2fsck -fn /dev/mmcblk0p2 >/run/fsck 2>&1 || echo "@bad e2fsck: $(head -n 3 /run/fsck)"
    mount_data
}

# Mounts anew: a mount makes the file system forget its trimmed groups.
anew() {
    stop_daemon
    check_filesystem
    start_daemon
    echo "@anew"
}

# Writes and deletes as apps do, until /run/churn is gone.
churn() {
    : >/run/churn
    while [ -e /run/churn ]; do
        # Without power all of these commands fail.
        { head -c 40000 /dev/zero >$dir/churned && fsync $dir/churned && rm $dir/churned; } || break
        usleep 30000
    done
}

# Makes the policy begin runs, which a touch or the charger ends. The limits make one begin at once.
let_policy_run() {
    setprop debug.tracing.screen_state 1
    echo 60 >$knobs/capacity
    echo 1 >$knobs/ac_online
    for limit in "interval 5" "written 0" "retry 0" "untouched 5" "storage 100"; do
        # shellcheck disable=SC2086  # gate and value
        cmd storekeeper set-gate-override $limit >/dev/null
    done
}

by_policy() { case $kind in touch | unplug) true ;; *) false ;; esac; }

begin_trim() { # N
    echo "@run $1"
    daemon=$(pid_of_daemon)
    if by_policy; then
        lab-wait-property storekeeper.status.state=trimming 7200
    else
        cmd storekeeper trim /data >/run/pass 2>&1 &
        trim=$!
    fi
}

is_trimming() {
    if by_policy; then
        [ "$(getprop storekeeper.status.state)" = trimming ]
    else
        kill -0 "$trim" 2>/dev/null
    fi
}

# Waits for the trim and sets code to its exit code.
await_end() {
    code=0
    if by_policy; then
        lab-wait-property storekeeper.status.state=idle 60 || code=$?
    else
        wait "$trim" || code=$?
    fi
}

# Cuts the power, then restores it.
power_cut() { # HOW
    echo "$1" >/sys/kernel/debug/vemmc/powercut
    kill -9 "$daemon"
    stop_daemon
    rm -f /run/churn
    wait
    # The FITRIM process has /data open until its last discard has failed.
    while pidof storekeeperd >/dev/null; do usleep 1000; done
    umount /cache 2>/dev/null || true
    umount /data
    lab-card
    # Mounting replays the journal.
    mount_data
    check_filesystem
    start_daemon
    echo "@anew"
}

strike() { # HOW
    case $kind in
    abort) cmd storekeeper abort >/dev/null ;;
    touch) echo 1 >$knobs/touch ;;
    unplug) echo 0 >$knobs/ac_online ;;
    kill) kill -9 "$daemon" ;;
    cut) power_cut "$1" ;;
    esac
}

held=0
must() { # WHAT TEST...
    what=$1
    shift
    if "$@"; then held=$((held + 1)); else echo "@bad $what"; fi
}

no_set_aside() { [ -z "$(find $kept -name '*corrupt*' -o -name '*.bad' -o -name '*aside*')" ]; }
gc_is_off() { for f in /sys/fs/f2fs/*/gc_urgent; do [ ! -e "$f" ] || [ "$(cat "$f")" = 0 ]; done; }
# The queue's settings are back: at once after a stopped run, otherwise once the disk is idle.
queue_is_back() {
    lab-wait-property storekeeper.queue.saved.nr_requests= 15 && [ "$(queue_settings)" = "$1" ]
}
state_is_readable() { cmd storekeeper status --json >/run/status && ! grep -q 'was lost' /run/status; }

check_after() {
    timeout 60 cmd -w storekeeper status >/dev/null
    must "queue is $(queue_settings), not $settings" queue_is_back "$settings"
    must "gc_urgent is on" gc_is_off
    must "the memory of runs was set aside" no_set_aside
    must "the memory of runs was lost" state_is_readable
}

# Completes the interrupted trim.
finish_trim() { # N
    begin_trim "$1"
    await_end
    tell_trace "$daemon"
    echo "@end $code"
    must "the next run ended with $code: $(tail -n 1 /run/pass)" [ "$code" = 0 ]
}

at_moment() { # N MILLISECONDS HOW
    begin_trim "$1"
    usleep "$(($2 * 1000))"
    if ! is_trimming; then
        await_end
        tell_trace "$daemon"
        echo "@end 0"
        anew
        at_moment "$@"
        return
    fi
    echo moment >$trace/trace_marker
    strike "$3"
    await_end
    # Discards in flight end within this time.
    usleep 700000
    tell_trace "$daemon"
    echo "@end $code"
}

make_foreground_files
# Maps every page of /data in the card.
free=$(df -k /data | awk 'END { print int($4 / 1024) - 4 }')
fio_run --name=map --filename="$dir/map" --rw=write --bs=512k --size="${free}m" >/dev/null
rm "$dir/map"
sync
age_data
stop_daemon
start_daemon
watch_discards
if by_policy; then let_policy_run; fi
settings=$(queue_settings)
echo "@disk $(cat /sys/block/mmcblk0/mmcblk0p2/start) $(cat /sys/block/mmcblk0/mmcblk0p2/size)"
echo "@anew"
n=0
while read -r ms how; do
    n=$((n + 1))
    case $kind in kill | cut) churn & ;; esac
    at_moment "$n" "$ms" "$how"
    rm -f /run/churn
    check_after
    # After this line the policy may begin the next run.
    if [ "$kind" = unplug ]; then echo 1 >$knobs/ac_online; fi
    case $kind in
    kill | cut)
        finish_trim "$n"
        anew
        ;;
    esac
    if [ $((n % 10)) = 0 ]; then say "$kind: $n moments"; fi
done <"$moments"
anew
echo "@held $held"
