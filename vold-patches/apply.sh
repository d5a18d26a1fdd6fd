#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# apply.sh TREE [BRANCH]
#
# Puts the series for BRANCH onto the vold that is checked out in TREE (or in TREE/system/vold, if
# TREE is all of Android). Patches that the history already has, identified by their Change-Id, are left
# out. All or nothing: where one does not apply, TREE is as it was before. Nothing is ever reset or
# cleaned. Without BRANCH it is the one checked out, or the one that repo tracks.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

fail() {
    echo "apply.sh: $*" >&2
    exit 1
}

in_tree() {
    git -C "$tree" "$@"
}

list() {
    echo "$branches" | paste -sd' '
}

# A project synced by repo has a detached HEAD; repo keeps the manifest's branch as m/NAME.
find_branch() {
    for name in $(in_tree symbolic-ref -q --short HEAD || true) \
                $(in_tree for-each-ref --format='%(refname:lstrip=3)' 'refs/remotes/m/'); do
        if echo "$branches" | grep -qxF -- "$name"; then
            echo "$name"
            return
        fi
    done
    fail "$tree is on none of: $(list); name one of them"
}

{ [ $# -eq 1 ] || [ $# -eq 2 ]; } || fail "usage: apply.sh TREE [BRANCH]"
tree=$1
branches=$("$here/series.py")
[ ! -e "$tree/system/vold" ] || tree=$tree/system/vold
top=$(in_tree rev-parse --show-toplevel 2>/dev/null) || fail "$tree is no git work tree"
[ "$top" = "$(CDPATH='' cd -- "$tree" && pwd -P)" ] ||
    fail "$tree lies inside the work tree $top; give vold's own"
branch=${2-$(find_branch)}
echo "$branches" | grep -qxF -- "$branch" || fail "no series for '$branch'; there are: $(list)"

git_dir=$(in_tree rev-parse --absolute-git-dir)
for state in rebase-apply rebase-merge MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD; do
    [ ! -e "$git_dir/$state" ] || fail "$tree is in the middle of something ($state); end that first"
done
[ -z "$(in_tree status --porcelain --untracked-files=no)" ] ||
    fail "$tree has changes that are not committed; commit or stash them first"

known=$(in_tree log --format=%B | sed -n 's/^Change-Id: //p')
patches=$(mktemp -d)
trap 'rm -rf "$patches"' EXIT
trap 'exit 1' HUP INT TERM
"$here/series.py" "$branch" "$patches"
set --
for patch in "$patches"/*.patch; do
    id=$(sed -n 's/^Change-Id: //p' "$patch")
    echo "$known" | grep -qxF -- "$id" || set -- "$@" "$patch"
done
if [ $# -eq 0 ]; then
    echo "$branch: all there already"
    exit 0
fi

if ! said=$(in_tree am --3way --keep-cr "$@" 2>&1); then
    # Undoes only the changes of this run.
    [ ! -e "$git_dir/rebase-apply" ] || in_tree am --abort
    echo "$said" >&2
    fail "$branch does not apply to $tree, which is as it was"
fi
echo "$branch: $# applied"
