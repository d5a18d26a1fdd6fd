#!/system/xbin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# xperia-z: chooses a crypto backend, boots again, confirms, and reads the files written before.
# crypto_choice.sh switch MIB COUNT | unconfirmed
set -eu

file=/data/local/tmp/contents
say() { echo "$1 $2 $(getprop storekeeper.crypto.early)"; }

served() {
    cmd storekeeper crypto status --json | tr -d ' \n' |
        sed 's/.*"mount":"\/data"[^}]*"state":"\([^"]*\)".*/\1/; t; s/.*"state":"\([^"]*\)"[^}]*"mount":"\/data".*/\1/'
}

# The dd commands of make bench-crypto.
speed() { sh /tmp/crypto.sh "$2" | sed -n "s/^@fact /speed $1 /p"; }

sums() { sha256sum <$file | sed "s/^/sha256 $1 /"; }

case $1 in
switch)
    busybox dd if=/dev/urandom of=$file bs=1M count="$2" 2>/dev/null
    sync
    sums engine
    echo "state engine $(served)"
    speed engine "$3"
    cmd storekeeper crypto choose kernel
    lab-reboot
    say early kernel
    echo "state kernel $(served)"
    sums kernel
    speed kernel "$3"
    cmd storekeeper crypto confirm
    echo "confirmed $? $(lab-crypto choice)"
    cmd storekeeper crypto choose hardware
    lab-reboot
    say early hardware
    echo "state hardware $(served)"
    sums hardware
    ;;
unconfirmed)
    cmd storekeeper crypto choose kernel
    for boot in 1 2 3 4; do
        lab-reboot
        say "early" "$boot"
        echo "choice $boot $(lab-crypto choice)"
        grep -q " /data " /proc/mounts && echo "data $boot"
    done
    ;;
esac
