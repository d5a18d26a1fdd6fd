#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Lives of a phone with a healthy card that is new to its daemon:
#   healthy.sh
# There is one life for each line "MILLISECONDS HOW" of the plan beside it. MILLISECONDS after the
# first trim has begun it is aborted, its daemon is killed, or power is cut. Every fifth life begins
# on a full disk, every sixth is left alone. The phone restarts, the trim is repeated. Lines for the
# reader:
#   @moment MILLISECONDS CANARY   the canary's state in the repeated trim
#   @bad TEXT                     a violation
#   @held N                       checks that held
#   @end
set -eu

moments=/system/etc/bench/moments
kept=/data/misc/storekeeper
held=0
life=0

check() { # WHAT, TEST'S WORDS
    what="life $life, $1"
    shift
    if "$@"; then held=$((held + 1)); else echo "@bad $what"; fi
}

trusted() { [ -z "$(getprop storekeeper.status.trim_quarantine)" ] && ! grep -q quarantined /run/dump; }
completed() { grep -q '"outcome" : "trimmed"' /run/receipt; }

# Begins a life: forgets the chip and changes the free space.
begin() {
    setprop ctl.stop storekeeperd
    lab-wait-property init.svc.storekeeperd=stopped 20
    rm -rf ${kept:?}/*
    for file in 1 2 3 4; do
        head -c $((life * 7919 % 1500000 + 200000)) /dev/urandom >/data/local/tmp/$file.$life
    done
    rm -f /data/local/tmp/[24].*
    sync
    setprop ctl.start storekeeperd
    timeout 60 cmd -w storekeeper status >/dev/null
}

strike() { # HOW
    case $((life % 6)) in
    1 | 4) cmd storekeeper abort >/dev/null || true ;;
    2) kill -9 "$(pidof storekeeperd | tr ' ' '\n' | sort -n | head -n 1)" ;;
    3 | 5) cut=$1 ;;
    esac
}

while read -r ms how; do
    life=$((life + 1))
    cut=
    begin
    if [ $((life % 5)) = 0 ]; then busybox dd if=/dev/zero of=/data/fill bs=64k >/dev/null 2>&1 || true; fi
    cmd storekeeper trim /data >/run/pass 2>&1 &
    trim=$!
    busybox usleep $((ms * 1000))
    strike "$how"
    # shellcheck disable=SC2086  # none or one word
    if [ -z "$cut" ]; then wait $trim || true; fi
    rm -f /data/fill
    # shellcheck disable=SC2086
    lab-reboot $cut
    wait $trim || true
    timeout 60 cmd -w storekeeper status >/dev/null
    cmd storekeeper trim /data >/run/pass 2>&1 || true
    cmd storekeeper receipts -n 1 --json >/run/receipt
    dumpsys storekeeper --json >/run/dump
    check "the card is in quarantine: $(grep -m 1 '"why"' /run/dump)" trusted
    check "the trim after the restart: $(tail -n 1 /run/pass)" completed
    echo "@moment $ms $(sed -n 's/.*"canary" : "\([a-z]*\)".*/\1/p' /run/receipt | head -n 1)"
done <$moments
echo "@held $held"
echo "@end"
