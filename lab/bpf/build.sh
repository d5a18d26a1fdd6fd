#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# build.sh OUT: the block layer's BPF programs and what loads them in the virtual phone, to OUT/bpf.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
out=$1/bpf
mkdir -p "$out"
# BPF's is another architecture, whose C library there is none of: hence -ffreestanding, and the
# host's asm/types.h.
clang -target bpf -O2 -g -ffreestanding -Wall -Wextra -Werror \
    -ffile-prefix-map="$top"=. -fdebug-compilation-dir=. \
    -I"/usr/include/$(uname -m)-linux-gnu" -I"$top/system-service" \
    -I"$top/system-service/latency/bpf/lab" \
    -c "$top/system-service/latency/bpf/storekeeperLatency.c" -o "$out/storekeeperLatency.o"
clang -O2 -Wall -Wextra -Werror -ffile-prefix-map="$top"=. "$top/lab/bpf/bpfload.c" \
    -o "$out/lab-bpfload" -lbpf
