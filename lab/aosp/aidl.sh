#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Runs the unpacked aidl with the C library it was linked against, which may be newer than this
# machine's. Installed as out/aosp/bin/aidl; everything is found relative to this file.
set -eu

out=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
root=$out/aidl
lib=$root/usr/lib/x86_64-linux-gnu
loader=$root/usr/lib64/ld-linux-x86-64.so.2
[ -e "$loader" ] || loader=$root/lib64/ld-linux-x86-64.so.2
[ -e "$loader" ] || loader=$lib/ld-linux-x86-64.so.2
bin=$root/usr/lib/android-sdk/build-tools/debian/aidl
[ -e "$bin" ] || bin=$root/usr/bin/aidl

for need in "$loader" "$bin"; do
    if [ ! -e "$need" ]; then
        echo "aidl: $need is missing; run \`lab/lab setup\`" >&2
        exit 1
    fi
done
exec "$loader" --library-path "$lib:$lib/android:$root/lib/x86_64-linux-gnu" "$bin" "$@"
