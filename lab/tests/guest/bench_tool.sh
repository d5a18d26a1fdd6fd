#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# Runs storekeeper_bench on a truthful phone and on a lying one. Leaves results as /run/NAME.json.
# Prints "@exit NAME CODE" and the files left in the folder, "@left NAME FILE...".
# Usage: bench_tool.sh REPETITIONS
set -u

bench=storekeeper_bench
dir=/data/local/tmp
mkdir -p $dir

left() { echo "@left $1 $(cd $dir && echo storekeeper*)"; }

run() { # NAME REPETITIONS JOBS
    $bench run --dir $dir --matrix "$3" --repeat "$2" --output "/run/$1.json" >"/run/$1.txt" 2>&1
    echo "@exit $1 $?"
    left "$1"
}

run honest "$1" /tmp/honest.fio

# fio itself runs the same jobs.
cd $dir || exit 1
for job in seq-write rand-read sync-write; do
    fio --output-format=json+ --output="/run/hand-$job.json" --section=$job /tmp/honest.fio
done
rm storekeeper_bench.data

# Slows CLOCK_MONOTONIC, which fio uses, to 0.9 of its rate.
/system/xbin/busybox adjtimex -t 9000 >/dev/null
run stretched 1 /tmp/honest.fio
/system/xbin/busybox adjtimex -t 10000 >/dev/null

run cached 1 /tmp/cached.fio

# Without refill_buffers fio fills its buffer once.
sed '/refill_buffers/d; /^\[rand-read\]/,$d' /tmp/honest.fio >/tmp/repeated.fio
run repeated 1 /tmp/repeated.fio

mount -o remount,nobarrier /data
run swallowed 1 /tmp/honest.fio
mount -o remount,barrier /data

# The tool is stopped in the middle: reports the time to stop and the files left. Then it is killed;
# the next start cleans up.
$bench age --dir $dir --until-free 4M >/dev/null 2>&1 &
busybox usleep 1000000
begin=$(date +%s%N)
kill -INT $!
wait $!
echo "@exit stopped $?"
echo "@took stopped $((($(date +%s%N) - begin) / 1000000))"
left stopped
timeout -s KILL 1 $bench age --dir $dir --until-free 4M >/dev/null 2>&1
left killed
free_kib=$(df -k /data | awk 'END { print $4 }')
$bench age --dir $dir --until-free $((free_kib - 16384))K --churn 200 --json \
    >/run/age.json 2>/dev/null
echo "@exit age $?"
left after

reported() { # NAME CODE
    echo "@exit $1 $2"
    echo "@said $1 $(busybox wc -l </run/said) $(busybox head -n 1 /run/said)"
}

# Runs WORDS, which must end with one line of error.
fails() {
    name=$1
    shift
    $bench run --dir $dir --repeat 1 "$@" >/dev/null 2>/run/said
    reported "$name" $?
}

# shellcheck disable=SC2016  # the other shell's
fake() { # VERSION END
    printf '#!/bin/sh\nif [ "$1" = --version ]; then echo %s; exit; fi\n%s\n' "$1" "$2" >/tmp/fake
    chmod 755 /tmp/fake
}

mkfifo /tmp/pipe
fails pipe --matrix /tmp/pipe
fails nowhere --matrix ../../../nowhere/x
printf '[a]\nfilename=/dev/block/mmcblk0\nrw=write\n' >/tmp/hostile.fio
fails hostile --matrix /tmp/hostile.fio
fake fio-2.21 ''
fails version --matrix /tmp/honest.fio --fio /tmp/fake
# shellcheck disable=SC2016  # the other shell's
fake fio-3.33 'kill -9 $$'
fails fio --matrix /tmp/honest.fio --fio /tmp/fake
cd /tmp || exit 1
fails relative --matrix honest.fio --fio ./fake
fails nofio --matrix honest.fio --fio ./none
fails output --matrix honest.fio --fio ./fake --output /nowhere/x
# This result has too few repetitions of any figure.
$bench compare /run/cached.json /run/cached.json >/dev/null 2>/run/said
reported compare $?
$bench compare /run/cached.json /run/cached.json >/dev/full 2>/run/said
reported stdout $?
busybox dd if=/dev/zero of=/data/full bs=64k 2>/dev/null
fails full --matrix /tmp/honest.fio
rm /data/full
left errors

setprop ctl.stop storekeeperd
lab-wait-property init.svc.storekeeperd=stopped 30
mount -o remount,ro /data
fails readonly --matrix /tmp/honest.fio
mount -o remount,rw /data

# The card vanishes in the middle of a run.
$bench run --dir $dir --matrix /tmp/honest.fio --repeat 50 >/dev/null 2>/run/said &
busybox usleep 1500000
echo vemmc.0 >/sys/bus/platform/drivers/vemmc/unbind
wait $!
reported vanished $?
