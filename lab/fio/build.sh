#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# build.sh OUT_DIR
# Builds OUT_DIR/fio/fio from Debian's fio source package, which `lab/lab setup` unpacks below
# OUT_DIR/src. Debian's own binary needs 65 libraries (Ceph, ICU, ...); this one is static, so the
# guest gets one file. Does nothing when nothing it reads has changed.
set -eu

fail() {
    echo "fio/build.sh: $*" >&2
    exit 1
}

[ $# -eq 1 ] || { echo "usage: $0 OUT_DIR" >&2; exit 64; }
out=$(CDPATH='' cd -- "$1" && pwd) || fail "$1: no such folder; run \`lab/lab setup\` first"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

source=
for found in "$out"/src/fio-[0-9]*; do
    [ -x "$found/configure" ] && source=$found
done
[ -n "$source" ] || fail "$out/src/fio-*: missing; run \`lab/lab setup\`"
for tool in cc make; do
    command -v "$tool" >/dev/null || fail "$tool: not found; run \`lab/lab setup\`"
done

recipe=$(
    {
        cat "$here/build.sh"
        head -n 1 "$source/debian/changelog"
        cc --version
    } | sha256sum
)
stamp=$out/fio/build.stamp
if [ -e "$stamp" ] && [ -x "$out/fio/fio" ] && [ "$(cat "$stamp")" = "$recipe" ]; then
    exit 0
fi

build=$out/build/fio
log=$out/fio/build.log
rm -rf "$build" "$stamp"
mkdir -p "$build" "$out/fio"
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
        make -j "${JOBS:-$(nproc)}" fio
) >"$log" 2>&1 || {
    grep -E -A 8 'error|Error' "$log" | head -n 30 >&2
    fail "the build failed; all of its output is in $log"
}
install -s -m 755 "$build/fio" "$out/fio/fio"
echo "$recipe" >"$stamp"
