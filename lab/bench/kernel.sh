#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Scenarios that must work on each kernel, in one boot of an encrypted phone (xperia-z): health,
# abort, trim, the choice of a crypto backend, a power cut. With `confirm` the choice is confirmed
# as well, which measures ciphers once more. Lines for the reader on the host:
#   @fact booted SECONDS    uptime when this begins
#   @ok SCENARIO            the scenario holds
#   @bad SCENARIO TEXT      a violation
set -eu

# shellcheck source=/dev/null  # CRYPTO_CIPHER
. /lab/medium

confirm=${1:-}
queue=/sys/block/mmcblk0/queue
kept=/data/local/tmp/kept

# Bytes discarded, by the card's own count.
discarded() { sed -n 's/^trimmed_bytes //p' /sys/kernel/debug/vemmc/stats; }

# The queue's settings; some kernels lack some of them.
settings() {
    for file in discard_max_bytes nr_requests iosched/async_depth wbt_lat_usec; do
        if [ -e "$queue/$file" ]; then cat "$queue/$file"; fi
    done | tr '\n' ' '
}

must() { # TEXT TEST...
    text=$1
    shift
    "$@" || bad="${bad}${bad:+; }$text"
}

scenario() { # NAME
    bad=''
    "$1" >"/run/said-$1" 2>&1 || bad="${bad}${bad:+; }ended with $?: $(tail -n 2 "/run/said-$1" | tr '\n' ' ')"
    if [ "$bad" ]; then
        echo "@bad $1 $bad"
    else
        echo "@ok $1"
    fi
}

# A field of JSON that stands on a line of its own.
field() { # NAME FILE
    sed -n "s/^ *\"$1\" *: *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2" | head -n 1
}

health() {
    cmd storekeeper health --json >/run/health
    must "wear comes from $(field wear_source /run/health)" \
        [ "$(field wear_source /run/health)" = sysfs ]
    must "it is a $(field kind /run/health)" [ "$(field kind /run/health)" = emmc ]
    must "no chip" [ "$(field chip /run/health)" ]
    cmd storekeeper health >/run/health.text
    must "it reports $(head -n 1 /run/health.text)" \
        grep -q '^Storage life: 0-10 % used (90-100 % left), pre-EOL normal' /run/health.text
}

# An abort ends a trim and leaves the queue's settings unchanged.
abort() {
    was=$(settings)
    cmd storekeeper trim /data >/run/aborted 2>&1 &
    pass=$!
    lab-wait-property storekeeper.status.state=trimming 60
    usleep 300000
    cmd storekeeper abort
    code=0
    wait $pass || code=$?
    must "the trim ended with $code" [ "$code" = 72 ]
    must "the queue is $(settings), not $was" [ "$(settings)" = "$was" ]
    aborted=$(discarded)
}

# The next trim goes on until all free space has been discarded, once.
trim() {
    cmd storekeeper trim /data
    all=$(discarded)
    cmd storekeeper trim /data
    must "nothing was left of the aborted trim" [ "$all" -gt "$aborted" ]
    must "$all bytes were discarded" [ "$all" -gt $((free * 9 / 10)) ]
    # The block group of the abort is discarded anew.
    must "$((all - free)) bytes more than are free were discarded" \
        [ "$all" -le $((free + 134217728)) ]
    must "a second trim discarded $(($(discarded) - all)) bytes" [ "$(discarded)" = "$all" ]
}

one_of() { # VALUE WORD...
    value=$1
    shift
    for word; do if [ "$value" = "$word" ]; then return; fi; done
    return 1
}

served() {
    cmd storekeeper crypto status --json | tr -d ' \n' |
        sed 's/.*"mount":"\/data"[^}]*"state":"\([^"]*\)".*/\1/; t; s/.*"state":"\([^"]*\)"[^}]*"mount":"\/data".*/\1/'
}

# Fails only if a confirmation fails, whose text it leaves in $said.
switch() {
    said=''
    cmd storekeeper crypto choose kernel
    must "the choice is by $(sed -n 's/^method //p' /cache/storekeeper/crypto)" \
        grep -qx 'method af_alg' /cache/storekeeper/crypto
    must "lab-reboot fails" lab-reboot
    early=$(getprop storekeeper.crypto.early)
    must "the early part says $early" one_of "$early" unbind priority
    must "$(served) serves after" [ "$(served)" = cpu ]
    must "the data reads differently" sha256sum -c /run/sum
    [ "$confirm" ] || return 0
    said=$(cmd storekeeper crypto confirm 2>&1) || true
    choice=$(lab-crypto choice)
    expr "$choice" : "kernel confirmed" >/dev/null
}

# Switches from the engine to the CPU by the next boot; the written data must read the same. AF_ALG
# of Linux 7.3 gives no driver by its name: the choice is refused there.
crypto() {
    if [ -e /proc/sys/crypto/af_alg_restrict ]; then
        said=$(cmd storekeeper crypto choose kernel 2>&1) && bad='a choice without a measurement'
        must "the refusal is $said" expr "$said" : '.*no switch possible: AF_ALG has no '
        return
    fi
    head -c 100000 /dev/urandom >$kept
    fsync $kept
    sha256sum $kept >/run/sum
    must "$(served) serves before" [ "$(served)" = hw-offload ]
    # In use the machine's other work affects the figures, and a choice without a gain is taken
    # back.
    tries=1
    [ -z "${INSTANT:-}" ] || tries=3
    until switch; do
        tries=$((tries - 1))
        case $tries,$said in
        0,* | *,) break ;;
        *"gain below 10 %"*) must "lab-reboot fails" lab-reboot ;;
        *) break ;;
        esac
    done
    [ -z "$confirm" ] || must "the choice is $choice: $said" expr "$choice" : "kernel confirmed"
}

# Maps the partition as lab-data does, but read-only, and checks the file system.
sound() {
    sectors=$(cat /sys/class/block/mmcblk0p2/size)
    echo "0 $sectors crypt $CRYPTO_CIPHER $(cat /run/lab-data.key) 0 /dev/mmcblk0p2 0" |
        DM_DISABLE_UDEV=1 dmsetup create --readonly check
    code=0
    e2fsck -fn /dev/mapper/check || code=$?
    DM_DISABLE_UDEV=1 dmsetup remove check
    return $code
}

# Synced data is there after a power cut, the file system is intact, and the daemon works as before.
powercut() {
    for number in 1 2 3; do
        head -c 50000 /dev/urandom >"$kept.$number"
        fsync "$kept.$number"
        fsync /data/local/tmp
    done
    sha256sum "$kept".* >/run/sums
    head -c 100000 /dev/zero | tr '\0' u >$kept-unsynced
    must "lab-reboot fails" lab-reboot 1
    must "what was synced is lost" sha256sum -c /run/sums
    must "the card had no power cut" grep -q '^power_cuts 1$' /sys/kernel/debug/vemmc/stats
    before=$(discarded)
    cmd storekeeper trim /data
    must "no trim afterwards" [ "$(discarded)" -gt "$before" ]
    lab-data close
    must "the file system is not sound" sound
    must "/data does not come back" lab-data open
}

echo "@fact booted $(cut -d ' ' -f 1 /proc/uptime)"
free=$(($(stat -f -c '%f * %S' /data)))
for name in health abort trim crypto powercut; do scenario $name; done
