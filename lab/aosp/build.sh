#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# build.sh OUT_DIR
# Builds AOSP's binder userspace and the property library into OUT_DIR/aosp/{bin,lib,include}, from
# what `lab/lab setup` unpacked below OUT_DIR. Does nothing when nothing it reads has changed.
set -eu

# shellcheck source=lab/build_lib.sh
. "$(dirname -- "$0")/../build_lib.sh"

find_source 'android-platform-tools-34*' frameworks/native
[ -e "$out/sysroot/usr/include/android/android-base/result.h" ] ||
    fail "$out/sysroot: no libbase headers of Android 14 there; run \`lab/lab setup\`"
need cmake ninja clang++

# All that the result depends on: our files, the package versions, the compiler.
recipe=$(
    {
        find "$here" "$here/../properties" "$here/../power" -type f ! -name '*.md' ! -name '*.pyc' \
            ! -name '*_test.*' \
            -exec sha256sum {} + | sort -k 2
        sha256sum "$here/../build_lib.sh"
        head -n 1 "$source/debian/changelog"
        sha256sum "$out"/sysroot/usr/lib/x86_64-linux-gnu/android/*.so
        clang++ --version
        echo "$out"
    } | sha256sum
)
leave_if_built "$recipe" "$out/aosp/bin/servicemanager"

mkdir -p "$out/aosp/bin"
install -m 755 "$here/aidl.sh" "$out/aosp/bin/aidl"
{
    cmake -G Ninja -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_INSTALL_PREFIX="$out/aosp" \
        -DCMAKE_INSTALL_MESSAGE=LAZY -DAOSP_SRC="$source" -DSYSROOT="$out/sysroot" \
        -DAIDL="$out/aosp/bin/aidl" &&
        ninja -C "$build" -j "${JOBS:-$(nproc)}" &&
        cmake --install "$build" --strip
} >"$log" 2>&1 || tell_failure 'CMake Error|FAILED|error:' 12
echo "$recipe" >"$stamp"
