#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# check.sh [--compile] GIT_DIR...
#
# Applies each series to the head of its branch, as a whole, then again, then each patch by itself,
# and checks that each hunk fits into one place only. With --compile it also compiles the changed
# functions against stubs and runs some of them, see typecheck.py and run/run.py; with ANDROID_TREES
# in the environment it compiles whole files as well, see device.py. GIT_DIR is a clone of vold, bare
# or not, such as LineageOS's or AOSP's; of several the first that has the branch counts. Prints
# "BRANCH ok COMMIT" or "BRANCH FAIL reason", a line each, and returns 1 after any FAIL. Clones are only read: everything happens in a repository that borrows their objects and is
# removed afterwards.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
compile=
if [ "${1-}" = --compile ]; then
    compile=1
    shift
fi
[ $# -ge 1 ] || { echo "usage: check.sh [--compile] GIT_DIR..." >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Neither hooks, signatures nor line ends of whoever runs this; nobody's name is needed.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_COMMITTER_NAME=check.sh GIT_COMMITTER_EMAIL=check.sh
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

tree=$scratch/vold
log=$scratch/log
clones=$scratch/clones
git init -q "$tree"

for clone; do
    # The git directory is named, so that git does not ask who owns it.
    from=$(CDPATH='' cd -- "$clone" 2>/dev/null && pwd) ||
        { echo "check.sh: no folder $clone" >&2; exit 2; }
    [ ! -e "$from/.git" ] || from=$from/.git
    git --git-dir="$from" rev-parse --path-format=absolute --git-path objects \
        >> "$tree/.git/objects/info/alternates" 2>/dev/null ||
        { echo "check.sh: $clone is no git repository" >&2; exit 2; }
    echo "$from" >> "$clones"
done

head_of() {
    while read -r from; do
        for ref in "refs/heads/$1" "refs/remotes/origin/$1" "refs/remotes/m/$1"; do
            git --git-dir="$from" rev-parse -q --verify "$ref^{commit}" 2>/dev/null && return
        done
    done < "$clones"
    return 1
}

at_head() {
    git -C "$tree" checkout -q -f --detach "$head" && git -C "$tree" clean -q -ffdx
}

# Leaves the reason in $log.
check() {
    head=$(head_of "$1") || { echo "no clone has this branch" > "$log"; return 1; }
    at_head 2> "$log" || return 1
    "$here/places.py" "$tree" "$1" > "$log" 2>&1 || return 1
    "$here/apply.sh" "$tree" "$1" > "$log" 2>&1 || return 1
    applied=$(git -C "$tree" rev-parse HEAD)
    "$here/apply.sh" "$tree" "$1" > "$log" 2>&1 || return 1
    [ "$applied" = "$(git -C "$tree" rev-parse HEAD)" ] ||
        { echo "applied once more, it changed something" > "$log"; return 1; }
    compiled=
    if [ -n "$compile" ]; then
        "$here/typecheck.py" "$tree" "$1" > "$log" 2>&1 || return 1
        "$here/run/run.py" "$tree" "$1" > "$log" 2>&1 || return 1
        if [ -n "${ANDROID_TREES-}" ]; then
            "$here/device.py" "$tree" "$1" "$ANDROID_TREES" > "$log" 2>&1 || return 1
            compiled=$(tail -n 1 "$log")
        fi
    fi
    rm -rf "$scratch/patches"
    mkdir "$scratch/patches"
    "$here/series.py" "$1" "$scratch/patches" 2> "$log" || return 1
    for patch in "$scratch/patches"/*.patch; do
        at_head 2> "$log" || return 1
        git -C "$tree" am "$patch" > "$log" 2>&1 ||
            { echo "alone it does not apply: $(basename "$patch")" > "$log"; return 1; }
    done
}

# Git says it first, the scripts last.
reason() {
    sed -n '/^error: /p; s/^FAIL //p' "$log" | grep -m1 . || tail -n 1 "$log"
}

status=0
for branch in $("$here/series.py"); do
    if check "$branch"; then
        echo "$branch ok $(echo "$head" | cut -c 1-8)${compiled:+, compiled whole: $compiled}"
    else
        echo "$branch FAIL $(reason)"
        status=1
    fi
done
exit $status
