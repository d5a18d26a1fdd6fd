#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# build.sh OUT_DIR
# Builds OUT_DIR/fio/fio from Debian's fio source package, which `lab/lab setup` unpacks below
# OUT_DIR/src. Debian's own binary needs 65 libraries (Ceph, ICU, ...); this one is static, so the
# guest gets one file. Does nothing when nothing it reads has changed.
set -eu

# shellcheck source=lab/build_lib.sh
. "$(dirname -- "$0")/../build_lib.sh"

find_source 'fio-[0-9]*' configure
need cc make

recipe=$(
    {
        cat "$here/build.sh" "$here/../build_lib.sh"
        head -n 1 "$source/debian/changelog"
        cc --version
    } | sha256sum
)
leave_if_built "$recipe" "$out/fio/fio"

rm -rf "$build"
mkdir -p "$build"
# fio builds in its source folder only, and that one is not ours to change.
cp -R "$source/." "$build"
# --disable-native: the guest's processor is not this machine's. --disable-lex, -shm: not needed, and
# no flex or bison is. A pkg-config that finds nothing keeps the result the same whatever
# development packages this machine has.
(
    cd "$build"
    mkdir no-packages
    PKG_CONFIG_LIBDIR=$build/no-packages ./configure --build-static --disable-native \
        --disable-lex --disable-numa --disable-rdma --disable-rados --disable-rbd --disable-http \
        --disable-gfapi --disable-pmem --disable-libzbc --disable-xnvme --disable-libnfs \
        --disable-tcmalloc --disable-dfs \
        --extra-cflags="-w -ffile-prefix-map=$build=fio" &&
        # It has no option for that: machines with Valgrind's headers would have another fio.
        sed -i '/CONFIG_VALGRIND_DEV/d' config-host.h config-host.mak &&
        make -j "${JOBS:-$(nproc)}" fio
) >"$log" 2>&1 || tell_failure 'error|Error' 8
install -s -m 755 "$build/fio" "$out/fio/fio"
echo "$recipe" >"$stamp"
