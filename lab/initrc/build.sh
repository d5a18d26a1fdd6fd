#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# build.sh OUT_DIR
# Builds AOSP's host_init_verifier into OUT_DIR/initrc, from what `lab/lab setup` unpacked below
# OUT_DIR. Does nothing when nothing it reads has changed.
set -eu

fail() {
    echo "initrc/build.sh: $*" >&2
    exit 1
}

[ $# -eq 1 ] || { echo "usage: $0 OUT_DIR" >&2; exit 64; }
out=$(CDPATH='' cd -- "$1" && pwd) || fail "$1: no such folder; run \`lab/lab setup\` first"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

source=
for found in "$out"/src/android-platform-tools-34*; do
    [ -d "$found/system/core/init" ] && source=$found
done
[ -n "$source" ] || fail "$out/src/android-platform-tools-34.*: missing; run \`lab/lab setup\`"
for tool in cmake ninja clang++ protoc; do
    command -v "$tool" >/dev/null || fail "$tool: not found; run \`lab/lab setup\`"
done

# All that the result depends on: our files, the package versions, the compilers.
recipe=$(
    {
        find "$here" -type f -exec sha256sum {} + | sort -k 2
        sha256sum "$here/../aosp/stubs/prelude.h"
        head -n 1 "$source/debian/changelog"
        sha256sum "$out"/sysroot/usr/lib/x86_64-linux-gnu/android/*.so
        clang++ --version
        protoc --version
        echo "$out"
    } | sha256sum
)
stamp=$out/initrc/build.stamp
if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$recipe" ]; then
    exit 0
fi

mkdir -p "$out/initrc"
rm -f "$stamp"
build=$out/build/initrc
log=$out/initrc/build.log
{
    cmake -G Ninja -S "$here" -B "$build" -DCMAKE_CXX_COMPILER=clang++ \
        -DAOSP_SRC="$source" -DSYSROOT="$out/sysroot" &&
        ninja -C "$build" -j "${JOBS:-$(nproc)}" &&
        cp "$build/host_init_verifier" "$out/initrc/"
} >"$log" 2>&1 || {
    grep -E -A 12 'CMake Error|FAILED|error:' "$log" | head -n 40 >&2
    fail "the build failed; all of its output is in $log"
}
echo "$recipe" >"$stamp"
