#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Costs of encryption to /data, and of ciphers alone:
#   crypto.sh COUNT [CIPHER:MODE:BITS...]     cbc(aes):aes-cbc:128
# The file has COUNT times 256 KiB. Lines for the reader on the host:
#   @say TEXT                 progress
#   @fact NAME VALUE          write_us, read_us: of dd, its start too; *_busy and *_ticks:
#                             /proc/stat's beside it; engine_requests: what the engine's
#                             counters say of both
#   @ours CIPHER BITS JSON    `cmd storekeeper crypto bench`
#   @theirs CIPHER BITS X Y   `cryptsetup benchmark`, MiB/s encrypted and decrypted
set -eu

# Waits until storekeeperd has stored its first sample of wear.
lab-wait-property storekeeper.status.level 5 2>/dev/null || true

file=/data/media/speed
count=$1
shift

say() { echo "@say $*"; }

# All ticks, and the busy ones. proc(5), /proc/stat: user nice system idle iowait irq softirq steal.
ticks() {
    awk '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print all, all - $5 - $6 }' /proc/stat
}

timed_dd() { # NAME DD'S WORDS
    name=$1
    shift
    # shellcheck disable=SC2046  # two words
    set -- $(ticks) "$@"
    all=$1 busy=$2
    shift 2
    begin=$(date +%s%N)
    busybox dd "$@" bs=256k count="$count" 2>/run/dd || { cat /run/dd >&2; exit 1; }
    end=$(date +%s%N)
    # shellcheck disable=SC2046  # two words
    set -- $(ticks)
    echo "@fact ${name}_us $(((end - begin) / 1000))"
    echo "@fact ${name}_ticks $(($1 - all))"
    echo "@fact ${name}_busy $(($2 - busy))"
}

say "dd, $count x 256 KiB"
before=$(lab-crypto requests)
timed_dd write if=/dev/zero of=$file conv=fsync
echo 3 >/proc/sys/vm/drop_caches
timed_dd read if=$file of=/dev/null
echo "@fact engine_requests $(($(lab-crypto requests) - before))"

for task in "$@"; do
    cipher=${task%%:*}
    bits=${task##*:}
    mode=${task#*:}
    mode=${mode%:*}
    say "$cipher, $bits bits"
    echo "@ours $cipher $bits $(cmd storekeeper crypto bench "$cipher" "$bits" --json | tr -d '\n')"
    cryptsetup benchmark -c "$mode" -s "$bits" >/run/theirs
    echo "@theirs $cipher $bits $(awk -v mode="$mode" '$1 == mode { print $3, $5 }' /run/theirs)"
done
