#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Faults of vemmc, one after the other on one boot, each checked with ordinary tools. Most use the
# first MiB of the unmounted /cache, whose 256 pages have known content; pages 100 to 104 are
# discarded.
set -eu

faults=/sys/kernel/debug/vemmc/faults
parameters=/sys/module/vemmc/parameters
disk=/dev/mmcblk0p1
known=/run/known

fresh() { echo 3 >/proc/sys/vm/drop_caches; }

# Restores the known content and sets only the given faults.
arm() { # NAME=VALUE...
    echo 0 >$faults
    for line in $(cat /run/defaults) "$@"; do
        echo "${line#*=}" >"$parameters/fault_${line%%=*}"
    done
    dd if=$known of=$disk bs=4096 conv=fsync 2>/dev/null
    echo 1 >$faults
}

discard() { # FIRST COUNT, pages
    blkdiscard -o $(($1 * 4096)) -l $(($2 * 4096)) $disk
}

holds() { dd if=$disk of=/run/now bs=4096 count=256 iflag=direct 2>/dev/null; }

# Pages whose content has changed, as FIRST-LAST.
changed() {
    holds
    { cmp -l $known /run/now || true; } | awk '
        { page = int(($1 - 1) / 4096) }
        NR == 1 { first = last = page }
        page > last + 1 { printf "%d-%d ", first, last; first = page }
        { last = page }
        END { if (NR) printf "%d-%d\n", first, last; else print "none" }'
}

# Number of zero bytes in pages.
zeros() { # FIRST COUNT
    dd if=/run/now bs=4096 skip="$1" count="$2" 2>/dev/null | tr -d '\1-\377' | wc -c
}

# One I/O for each page: prints a dot if it succeeds and an x if it fails.
reads() { # COUNT
    for page in $(seq 0 $(($1 - 1))); do
        if dd if=$disk of=/dev/null bs=4096 skip="$page" count=1 iflag=direct 2>/dev/null; then
            printf .
        else
            printf x
        fi
    done
    echo
}

writes() { # COUNT
    for page in $(seq 0 $(($1 - 1))); do
        if dd if=$known of=$disk bs=4096 skip="$page" seek="$page" count=1 oflag=direct 2>/dev/null
        then
            printf .
        else
            printf x
        fi
    done
    echo
}

# Writes zeros to pages 50 to 53 with a flush and page 60 by a reliable write; then power is cut.
written_and_cut() {
    dd if=/dev/zero of=$disk bs=4096 seek=50 count=4 conv=fsync 2>/dev/null
    fio --name=one --filename=$disk --offset=$((60 * 4096)) --size=4k --bs=4k --rw=write --direct=1 \
        --sync=dsync --ioengine=psync >/dev/null
    echo 1 >/sys/kernel/debug/vemmc/powercut
    lab-card
    changed
}

counted() { sed -n "s/^$1 //p" $faults; }

stat_of() { sed -n "s/^$1 //p" /sys/kernel/debug/vemmc/stats; }

# Uptime in hundredths of a second.
uptime_cs() { cut -d' ' -f1 /proc/uptime | tr -d .; }

heading() { echo "@@ $*"; }

heading at_boot
counted armed

heading file_system
number=0
while [ $number -lt 40 ]; do
    head -c 600000 /dev/urandom >/cache/file$number
    number=$((number + 1))
done
sync
(cd /cache && sha256sum file?[13579]) >/run/sums
rm /cache/file?[02468]
sync
echo 4096 >$parameters/fault_garble
echo 1 >$faults
fstrim /cache
fresh
(cd /cache && sha256sum -c /run/sums 2>/dev/null) | grep -c FAILED || true
counted garbled_pages
echo 0 >$faults
echo 0 >$parameters/fault_garble

setprop ctl.stop storekeeperd
lab-wait-property init.svc.storekeeperd=stopped 10
umount /data /cache
for file in "$parameters"/fault_*; do
    echo "${file#*/fault_}=$(cat "$file")"
done >/run/defaults
head -c 1048576 /dev/urandom >$known

heading none
arm
discard 100 5
changed
zeros 100 5
cat $faults

heading garble
arm garble=8192
discard 100 5
changed
zeros 100 5
zeros 98 2
counted garbled_pages

heading garble_every
arm garble=1 garble_every=2
for page in 10 20 30 40; do discard $page 1; done
changed

heading garble_later
arm garble=8192 garble_later=1
discard 100 5
changed
counted pending_pages
# A rewritten page has another place on the flash.
dd if=$known of=$disk bs=4096 skip=106 seek=106 count=1 conv=fsync 2>/dev/null
counted pending_pages
lab-card
changed
counted pending_pages
counted garbled_pages

heading garble_later_cut
arm garble=4096 garble_later=1
discard 100 5
echo 1 >/sys/kernel/debug/vemmc/powercut
lab-card
changed

heading noop
arm noop=1
before=$(stat_of trimmed_pages)
discard 100 5
changed
echo $(($(stat_of trimmed_pages) - before))
counted noops

heading old
arm discarded=old
before=$(stat_of trimmed_pages)
discard 100 5
changed
echo $(($(stat_of trimmed_pages) - before))
counted unerased

heading random
arm discarded=random
discard 100 5
changed
zeros 100 5
counted unerased

heading stall
arm stall_ms=1500 stall_every=2
before=$(uptime_cs)
writes 1
discard 100 1
counted stalls
echo $(($(uptime_cs) - before))

heading read_errors
arm read_every=20 read_burst=12
reads 60
echo 0 >$faults
changed

heading read_changes
arm read_every=10 read_burst=5 read_change=1
changed
changed
counted altered_reads

heading flushed
arm
written_and_cut
counted ignored_flushes

heading flush_ignored
arm flush=1
written_and_cut
counted ignored_flushes

heading wear
arm wear=1 wear_permille=300
writes 60
arm wear_permille=300
writes 60
writes 60

heading die
arm die=2
discard 100 5
changed
if discard 200 10; then echo discarded; fi
if holds; then echo read; fi
counted died
if lab-card; then echo "there again"; fi
echo 0 >$faults
lab-card
changed
