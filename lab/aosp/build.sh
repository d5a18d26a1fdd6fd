#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# build.sh OUT_DIR
# Builds AOSP's binder userspace and the property library into OUT_DIR/aosp/{bin,lib,include}, from
# what `lab/lab setup` unpacked below OUT_DIR. Does nothing when nothing it reads has changed.
set -eu

fail() {
    echo "aosp/build.sh: $*" >&2
    exit 1
}

[ $# -eq 1 ] || { echo "usage: $0 OUT_DIR" >&2; exit 64; }
out=$(CDPATH='' cd -- "$1" && pwd) || fail "$1: no such folder; run \`lab/lab setup\` first"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

source=
for found in "$out"/src/android-platform-tools-34*; do
    [ -d "$found/frameworks/native" ] && source=$found
done
[ -n "$source" ] || fail "$out/src/android-platform-tools-34.*: missing; run \`lab/lab setup\`"
[ -e "$out/sysroot/usr/include/android/android-base/result.h" ] ||
    fail "$out/sysroot: no libbase headers of Android 14 there; run \`lab/lab setup\`"
for tool in cmake ninja clang++; do
    command -v "$tool" >/dev/null || fail "$tool: not found; run \`lab/lab setup\`"
done

# All that the result depends on: our files, the package versions, the compiler.
recipe=$(
    {
        find "$here" "$here/../properties" "$here/../power" -type f ! -name '*.md' ! -name '*.pyc' \
            ! -name '*_test.*' \
            -exec sha256sum {} + | sort -k 2
        head -n 1 "$source/debian/changelog"
        sha256sum "$out"/sysroot/usr/lib/x86_64-linux-gnu/android/*.so
        clang++ --version
        echo "$out"
    } | sha256sum
)
stamp=$out/aosp/build.stamp
if [ -x "$out/aosp/bin/servicemanager" ] && [ -e "$stamp" ] &&
    [ "$(cat "$stamp")" = "$recipe" ]; then
    exit 0
fi

mkdir -p "$out/aosp/bin"
rm -f "$stamp"
install -m 755 "$here/aidl.sh" "$out/aosp/bin/aidl"
build=$out/build/aosp
log=$out/aosp/build.log
{
    cmake -G Ninja -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_INSTALL_PREFIX="$out/aosp" \
        -DCMAKE_INSTALL_MESSAGE=LAZY -DAOSP_SRC="$source" -DSYSROOT="$out/sysroot" \
        -DAIDL="$out/aosp/bin/aidl" &&
        ninja -C "$build" -j "${JOBS:-$(nproc)}" &&
        cmake --install "$build" --strip
} >"$log" 2>&1 || {
    grep -E -A 12 'CMake Error|FAILED|error:' "$log" | head -n 40 >&2
    fail "the build failed; all of its output is in $log"
}
echo "$recipe" >"$stamp"
