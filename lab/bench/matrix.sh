#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Measures /data with storekeeper_bench:
#   matrix.sh MATRIX REPETITIONS
# Lines for the reader on the host:
#   @say TEXT    progress
#   @bench JSON  the result
set -eu

# Waits until storekeeperd has stored its first sample of wear.
lab-wait-property storekeeper.status.level 5 2>/dev/null || true

result=/run/result.json

echo "@say $1, $2 times, on $(sed -n 's/^[^ ]* \/data \([^ ]* [^ ]*\).*/\1/p' /proc/mounts)"
storekeeper_bench run --matrix "$1" --repeat "$2" --dir /data/media --output $result >&2
echo "@bench $(tr -d '\n' <$result)"
