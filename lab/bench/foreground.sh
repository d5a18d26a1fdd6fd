#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# What a trim does to somebody who uses the phone meanwhile. One case on an aged card:
#   foreground.sh alone SECONDS | fstrim | storekeeper | hurry
# Lines for the reader at the other end:
#   @say TEXT            what happens now
#   @fact NAME VALUE     begin_ns and end_ns are CLOCK_REALTIME, discarded_bytes the block layer's
# fio's logs, a line an I/O (milliseconds of CLOCK_REALTIME at its end, nanoseconds it took), are
# /run/write_lat.1.log and /run/read_lat.2.log.
set -eu

# shellcheck source=lab/bench/card.sh
. /system/etc/bench/card.sh

age_data
say "foreground and $1"
foreground >/run/fio.out &
fio=$!
# A start is no steady state.
sleep 2
before=$(discarded)
fact begin_ns "$(date +%s%N)"
quietly "$@"
fact end_ns "$(date +%s%N)"
fact discarded_bytes $(($(discarded) - before))
# An I/O that the last discard delayed comes to its end.
sleep 2
kill -TERM "$fio"
wait "$fio" || true
case $1 in
storekeeper)
    before=$(discarded)
    quietly "$@"
    fact repeat_discarded_bytes $(($(discarded) - before))
    ;;
esac
