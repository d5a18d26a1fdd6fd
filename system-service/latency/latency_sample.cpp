// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/latency_sample.h"

namespace storekeeper {

const char* IoKindName(IoKind kind) {
    switch (kind) {
        case IoKind::kRead:
            return "read";
        case IoKind::kWrite:
            return "write";
        case IoKind::kFlush:
            return "flush";
        case IoKind::kDiscard:
            return "discard";
    }
}

const char* LatencySourceName(LatencySource source) {
    switch (source) {
        case LatencySource::kDiskstats:
            return "diskstats";
        case LatencySource::kProbe:
            return "probe";
        case LatencySource::kBpf:
            return "bpf";
    }
}

}  // namespace storekeeper
