#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Cuts the power of a phone whose encryption is on trial:
#   trial.sh
# There is one cut for each line "MILLISECONDS HOW" of the plan beside it, MILLISECONDS after a
# choice has begun or, during a trial, its confirmation. Before a late cut a choice was complete or
# a trial still unconfirmed. The phone must come up with /data each time. Left alone at the end, it
# must end any trial. Lines for the reader:
#   @moment MILLISECONDS EARLY CHOICE   the cut, the early step's action after it, the new choice
#   @bad TEXT                           a violation
#   @held N                             checks that held
#   @end CHOICE                         mode, stage and boots at the end
set -eu

moments=/system/etc/bench/moments
late_ms=1000
held=0

check() { # WHAT, TEST'S WORDS
    what=$1
    shift
    if "$@"; then held=$((held + 1)); else echo "@bad $what: $early, $(lab-crypto choice)"; fi
}

mounted() { grep -q ' /data ' /proc/mounts; }

# The early step's action fits its result: auto if given up, otherwise a trial of at most two boots.
fits() {
    case "$early, $(lab-crypto choice)" in
    "refused:trial_failed, auto none 0") ;;
    "refused:nothing_chosen, none" | "refused:nothing_chosen, auto none 0") ;;
    "unbind, kernel trial "[12] | "unbind, kernel confirmed "[12]) ;;
    "priority, kernel trial "[12] | "priority, kernel confirmed "[12]) ;;
    *) return 1 ;;
    esac
}

boot() { # WORDS OF lab-reboot
    lab-reboot "$@"
    early=$(getprop storekeeper.crypto.early)
    check "/data is not mounted" mounted
    check "the early step and the choice do not fit" fits
}

while read -r ms how; do
    case "$(lab-crypto choice)" in
    *trial*)
        if [ "$ms" -lt $late_ms ]; then cmd storekeeper crypto confirm >/dev/null 2>&1 & fi
        ;;
    *)
        cmd storekeeper crypto choose kernel >/dev/null 2>&1 &
        if [ "$ms" -ge $late_ms ]; then wait; fi
        ;;
    esac
    busybox usleep $((ms * 1000))
    boot "$how"
    echo "@moment $ms $early $(lab-crypto choice)"
done <$moments

for _ in 1 2 3; do boot; done
case "$(lab-crypto choice)" in *trial*) echo "@bad a trial lasts: $(lab-crypto choice)" ;; esac
echo "@held $held"
echo "@end $(lab-crypto choice)"
