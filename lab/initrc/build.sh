#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# build.sh OUT_DIR
# Builds AOSP's host_init_verifier into OUT_DIR/initrc, from what `lab/lab setup` unpacked below
# OUT_DIR. Does nothing when nothing it reads has changed.
set -eu

# shellcheck source=lab/build_lib.sh
. "$(dirname -- "$0")/../build_lib.sh"

find_source 'android-platform-tools-34*' system/core/init
need cmake ninja clang++ protoc

# All that the result depends on: our files, the package versions, the compilers.
recipe=$(
    {
        find "$here" -type f -exec sha256sum {} + | sort -k 2
        sha256sum "$here/../aosp/stubs/prelude.h" "$here/../build_lib.sh"
        head -n 1 "$source/debian/changelog"
        sha256sum "$out"/sysroot/usr/lib/x86_64-linux-gnu/android/*.so
        clang++ --version
        protoc --version
        echo "$out"
    } | sha256sum
)
leave_if_built "$recipe" "$out/initrc/host_init_verifier"

{
    cmake -G Ninja -S "$here" -B "$build" -DCMAKE_CXX_COMPILER=clang++ \
        -DAOSP_SRC="$source" -DSYSROOT="$out/sysroot" &&
        ninja -C "$build" -j "${JOBS:-$(nproc)}" &&
        cp "$build/host_init_verifier" "$out/initrc/"
} >"$log" 2>&1 || tell_failure 'CMake Error|FAILED|error:' 12
echo "$recipe" >"$stamp"
