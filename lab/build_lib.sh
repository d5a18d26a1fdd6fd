# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
# shellcheck shell=sh disable=SC2034
#
# Sourced by the build.sh in aosp, fio and initrc: each builds one thing into OUT_DIR, from what
# `lab/lab setup` unpacked there, and only when something it reads has changed.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
part=${here##*/}

fail() {
    echo "$part/build.sh: $*" >&2
    exit 1
}

[ $# -eq 1 ] || { echo "usage: $0 OUT_DIR" >&2; exit 64; }
out=$(CDPATH='' cd -- "$1" && pwd) || fail "$1: no such folder; run \`lab/lab setup\` first"
build=$out/build/$part
log=$out/$part/build.log
stamp=$out/$part/build.stamp

# find_source GLOB FILE: the unpacked source package that has FILE, as $source.
find_source() {
    source=
    for found in "$out/src/"$1; do
        [ -e "$found/$2" ] && source=$found
    done
    [ -n "$source" ] || fail "$out/src/$1: missing; run \`lab/lab setup\`"
}

need() {
    for tool; do
        command -v "$tool" >/dev/null || fail "$tool: not found; run \`lab/lab setup\`"
    done
}

# leave_if_built RECIPE RESULT: all that the result depends on is as it was when it was built.
leave_if_built() {
    if [ -e "$2" ] && [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$1" ]; then
        exit 0
    fi
    mkdir -p "$out/$part"
    rm -f "$stamp"
}

# tell_failure PATTERN LINES: what a reader of the log looks for first.
tell_failure() {
    grep -E -A "$2" "$1" "$log" | head -n 40 >&2
    fail "the build failed; all of its output is in $log"
}
