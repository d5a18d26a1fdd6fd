#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Cuts the power while a ledger is written, as Brad Fitzpatrick's diskchecker.pl does by a pulled
# plug: synced entries must be there afterwards. The witness here is memory that keeps its power.
#   ledger.sh
# There is one cut for each line "MILLISECONDS HOW" of the plan beside it, MILLISECONDS after the
# ledger was begun. Lines for the reader:
#   @cut MILLISECONDS REPORTED FOUND   entries whose sync had returned, and entries that are there
#   @bad TEXT                      a violation
#   @end
set -eu

moments=/system/etc/bench/moments
folder=/data/local/tmp/ledger
reported=/run/reported

# Writes entries: a block with its number. A file has sixteen of them, and its name must be synced.
write_ledger() {
    number=0
    while true; do
        page=$folder/$(printf %06d $((number / 16)))
        number=$((number + 1))
        printf '%4095d\n' $number >>"$page" && fsync "$page" || return 0
        if [ $((number % 16)) = 1 ]; then fsync $folder || return 0; fi
        echo $number >>$reported
    done
}

# Number of entries that are there, consecutive and intact.
found() {
    cat $folder/* 2>/dev/null | awk '
        length($0) != 4095 || $0 + 0 != NR { exit }
        { found = NR }
        END { print found + 0 }'
}

lab-data down
umount /cache
lab-card
lab-data open
while read -r ms how; do
    rm -rf $folder
    mkdir -p $folder
    fsync $folder
    fsync ${folder%/*}
    : >$reported
    write_ledger 2>/dev/null &
    writing=$!
    busybox usleep $((ms * 1000))
    kill -0 $writing 2>/dev/null || echo "@bad the ledger ended before its moment of $ms ms"
    echo "$how" >/sys/kernel/debug/vemmc/powercut
    wait $writing
    lab-data close
    lab-card
    if ! lab-data open 2>/run/why; then
        echo "@bad /data is gone when power goes after $ms ms: $(tail -n 1 /run/why)"
        lab-data make
        lab-data open
    fi
    echo "@cut $ms $(busybox wc -l <$reported) $(found)"
done <$moments
echo "@end"
