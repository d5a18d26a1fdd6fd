#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# check.sh FILE.rc...
# Asks AOSP's host_init_verifier about init scripts, with the types of our properties.
set -eu

[ $# -gt 0 ] || { echo "usage: $0 FILE.rc..." >&2; exit 64; }
top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
out=${STOREKEEPER_OUT:-$top/out}
"$top/lab/initrc/build.sh" "$out"

failed=0
for file; do
    if "$out/initrc/host_init_verifier" \
        --property-contexts="$top/sepolicy/private/property_contexts" "$file"; then
        echo "ok    $file"
    else
        echo "FAIL  $file"
        failed=1
    fi
done
exit $failed
