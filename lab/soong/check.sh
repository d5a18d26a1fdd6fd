#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# check.sh [TOP]
# Asks bpfmt and Soong about every Android.bp below TOP; without it, about those of this tree.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
top=$(CDPATH='' cd -- "${1:-$here/../..}" && pwd)
out=${STOREKEEPER_OUT:-$here/../../out}
mkdir -p "$out/soong"
out=$(CDPATH='' cd -- "$out" && pwd)

# Debian's compiler of the same release as its Soong; other Go's may have no GOPATH mode.
go=$(find /usr/lib/go-*/bin -name go 2>/dev/null | sort | head -n 1)
if ! command -v bpfmt >/dev/null || [ -z "$go" ]; then
    echo "soong/check.sh: bpfmt or Debian's go is missing; run \`lab/lab setup\`" >&2
    exit 69
fi

recipe=$(sha256sum "$here/check_bp.go" && "$go" version)
if [ ! -x "$out/soong/check_bp" ] || [ "$(cat "$out/soong/stamp" 2>/dev/null)" != "$recipe" ]; then
    GO111MODULE=off GOFLAGS='' GOCACHE=$out/soong/cache GOPATH=/usr/share/gocode \
        "$go" build -o "$out/soong/check_bp" "$here/check_bp.go"
    echo "$recipe" >"$out/soong/stamp"
fi

cd "$top"
unformatted=$(find . -path ./out -prune -o -name Android.bp -print | sort | xargs bpfmt -l)
if [ -n "$unformatted" ]; then
    echo "FAIL  bpfmt -w $unformatted"
    exit 1
fi
# Copies the files and prepares them as an integrator of Android 11 does.
rm -rf "$out/soong/eleven"
mkdir -p "$out/soong/eleven"
find . -path ./out -prune -o -name Android.bp -exec cp --parents {} "$out/soong/eleven" \;
"$here/../../tools/android-11" "$out/soong/eleven"
for release in before_13 since_13; do
    "$out/soong/check_bp" . "$out/soong/eleven" "$release"
done
