#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# check.sh [--compile] GIT_DIR
#
# Applies each series to the head of its branch in GIT_DIR (a clone of vold, bare or not), as a whole,
# then again, then each patch by itself; with --compile it also compiles the changed functions
# against stubs and runs some of them, see typecheck.py and run/run.py. Prints "BRANCH ok" or "BRANCH FAIL reason", a line each, and
# returns 1 after any FAIL. GIT_DIR is only read: everything happens in a repository that borrows
# its objects and is gone afterwards.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
compile=
if [ "${1-}" = --compile ]; then
    compile=1
    shift
fi
[ $# -eq 1 ] || { echo "usage: check.sh [--compile] GIT_DIR" >&2; exit 2; }

# GIT_DIR is named, so that git does not ask who owns it.
from=$(CDPATH='' cd -- "$1" 2>/dev/null && pwd) || { echo "check.sh: no folder $1" >&2; exit 2; }
[ ! -e "$from/.git" ] || from=$from/.git
objects=$(git --git-dir="$from" rev-parse --path-format=absolute --git-path objects 2>/dev/null) ||
    { echo "check.sh: $1 is no git repository" >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

# Neither hooks, signatures nor line ends of whoever runs this; nobody's name is needed.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_COMMITTER_NAME=check.sh GIT_COMMITTER_EMAIL=check.sh
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

tree=$scratch/vold
log=$scratch/log
git init -q "$tree"
echo "$objects" > "$tree/.git/objects/info/alternates"

head_of() {
    for ref in "refs/heads/$1" "refs/remotes/origin/$1" "refs/remotes/m/$1"; do
        git --git-dir="$from" rev-parse -q --verify "$ref^{commit}" 2>/dev/null && return
    done
    return 1
}

at_head() {
    git -C "$tree" checkout -q -f --detach "$head" && git -C "$tree" clean -q -ffdx
}

# Leaves the reason in $log.
check() {
    head=$(head_of "$1") || { echo "no such branch in $from" > "$log"; return 1; }
    at_head 2> "$log" || return 1
    "$here/apply.sh" "$tree" "$1" > "$log" 2>&1 || return 1
    applied=$(git -C "$tree" rev-parse HEAD)
    "$here/apply.sh" "$tree" "$1" > "$log" 2>&1 || return 1
    [ "$applied" = "$(git -C "$tree" rev-parse HEAD)" ] ||
        { echo "applied once more, it changed something" > "$log"; return 1; }
    if [ -n "$compile" ]; then
        "$here/typecheck.py" "$tree" "$1" > "$log" 2>&1 || return 1
        "$here/run/run.py" "$tree" "$1" > "$log" 2>&1 || return 1
    fi
    for patch in "$here/$1"/*.patch; do
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
for folder in "$here"/*/; do
    branch=$(basename "$folder")
    set -- "$folder"*.patch
    [ -e "$1" ] || continue
    if check "$branch"; then
        echo "$branch ok"
    else
        echo "$branch FAIL $(reason)"
        status=1
    fi
done
exit $status
