// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/bpf_latency.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// As bpfloader names its pins: kind, object, and map or section.
constexpr char kMap[] = "/sys/fs/bpf/map_storekeeperLatency_";
constexpr char kProgram[] = "/sys/fs/bpf/prog_storekeeperLatency_tracepoint_block_";
constexpr char kLatencyMap[] = "latency_map";
constexpr char kDiskMap[] = "disk_map";
constexpr char kEvents[] = "/sys/kernel/tracing/events/block/";
// Where tracefs has no mount of its own: before 4.1, and where debugfs brings it.
constexpr char kDebugEvents[] = "/sys/kernel/debug/tracing/events/block/";
// MINORBITS of include/linux/kdev_t.h.
constexpr unsigned kMinorBits = 20;

static_assert(static_cast<int>(IoKind::kRead) == STOREKEEPER_READ);
static_assert(static_cast<int>(IoKind::kWrite) == STOREKEEPER_WRITE);
static_assert(static_cast<int>(IoKind::kFlush) == STOREKEEPER_FLUSH);
static_assert(static_cast<int>(IoKind::kDiscard) == STOREKEEPER_DISCARD);

uint64_t AddressOf(const void* object) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(object));
}

// The kernel asks for zeros behind what a command has; braces promise them for one member alone.
bpf_attr Nothing() {
    bpf_attr attributes = {};
    memset(&attributes, 0, sizeof(attributes));
    return attributes;
}

bpf_attr Element(borrowed_fd map, const uint32_t* key, const void* value) {
    bpf_attr attributes = Nothing();
    attributes.map_fd = static_cast<uint32_t>(map.get());
    attributes.key = AddressOf(key);
    attributes.value = AddressOf(value);
    return attributes;
}

}  // namespace

Result<unique_fd> BpfLatency::OpenPin(const std::string& path) const {
    bpf_attr attributes = Nothing();
    attributes.pathname = AddressOf(path.c_str());
    Result<int> fd = syscalls_.Bpf(BPF_OBJ_GET, &attributes, "cannot open " + path);
    if (fd.ok()) return unique_fd(*fd);
    if (fd.error().code() != ENOENT) return fd.error();
    return Error() << fd.error() << ": the build has no storekeeperLatency.o, or bpfloader did not "
                   << "take it";
}

Result<unique_fd> BpfLatency::OpenMap(const std::string& name, size_t value_size) const {
    unique_fd map = TRY(OpenPin(kMap + name));
    // The kernel writes a whole value wherever we ask it to.
    bpf_map_info info = {};
    bpf_attr attributes = Nothing();
    attributes.info.bpf_fd = static_cast<uint32_t>(map.get());
    attributes.info.info_len = sizeof(info);
    attributes.info.info = AddressOf(&info);
    TRY(syscalls_.Bpf(BPF_OBJ_GET_INFO_BY_FD, &attributes, "cannot identify what " + name + " is"));
    if (info.value_size != value_size) {
        return Error() << name << " has values of " << info.value_size << " bytes and not of "
                       << value_size << ": storekeeperLatency.o is of another version";
    }
    return map;
}

Result<unique_fd> BpfLatency::Run(const std::string& event) const {
    const unique_fd program = TRY(OpenPin(kProgram + event));
    const std::string id = kEvents + event + "/id";
    perf_event_attr attributes = {};
    attributes.type = PERF_TYPE_TRACEPOINT;
    attributes.size = sizeof(attributes);
    attributes.config =
            TRY(ReadNumber(files_, files_.Exists(id) ? id : kDebugEvents + event + "/id"));
    unique_fd perf = TRY(syscalls_.PerfEventOpen(&attributes, "cannot watch " + event));
    // The ioctl takes the descriptor itself for its argument.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    void* argument = reinterpret_cast<void*>(static_cast<intptr_t>(program.get()));
    TRY(syscalls_.Ioctl(perf, PERF_EVENT_IOC_SET_BPF, argument, "cannot attach to " + event));
    TRY(syscalls_.Ioctl(perf, PERF_EVENT_IOC_ENABLE, nullptr, "cannot start " + event));
    return perf;
}

Result<void> BpfLatency::Attach(dev_t disk) {
    unique_fd latency = TRY(OpenMap(kLatencyMap, sizeof(storekeeper_latency)));
    const unique_fd disk_map = TRY(OpenMap(kDiskMap, sizeof(uint32_t)));
    const uint32_t key = 0;
    const uint32_t number = major(disk) << kMinorBits | minor(disk);
    bpf_attr attributes = Element(disk_map, &key, &number);
    TRY(syscalls_.Bpf(BPF_MAP_UPDATE_ELEM, &attributes, "cannot name the disk"));
    // Requests already under way end uncounted.
    unique_fd complete = TRY(Run("block_rq_complete"));
    unique_fd issue = TRY(Run("block_rq_issue"));
    latency_ = std::move(latency);
    complete_ = std::move(complete);
    issue_ = std::move(issue);
    return {};
}

Result<std::vector<storekeeper_latency>> BpfLatency::Read() const {
    if (!latency_.ok()) return Error() << "the BPF histograms are not attached";
    std::vector<storekeeper_latency> kinds(STOREKEEPER_KINDS);
    for (uint32_t kind = 0; kind < STOREKEEPER_KINDS; ++kind) {
        bpf_attr attributes = Element(latency_, &kind, &kinds[kind]);
        TRY(syscalls_.Bpf(BPF_MAP_LOOKUP_ELEM, &attributes, "cannot read a histogram"));
    }
    return kinds;
}

std::vector<LatencySample> BpfSamples(const std::vector<storekeeper_latency>& before,
                                      const std::vector<storekeeper_latency>& after, WallTime wall,
                                      std::chrono::seconds span) {
    static const storekeeper_latency kNothing = {};
    std::vector<LatencySample> samples;
    for (const IoKind kind : kIoKinds) {
        const auto at = static_cast<size_t>(kind);
        if (at >= after.size()) break;
        const storekeeper_latency& now = after[at];
        const storekeeper_latency& then = at < before.size() ? before[at] : kNothing;
        LatencySample sample = {.wall = wall,
                                .span = span,
                                .source = LatencySource::kBpf,
                                .kind = kind};
        for (uint32_t bucket = 0; bucket < STOREKEEPER_BUCKETS; ++bucket) {
            sample.histogram.AddToBucket(bucket, Growth(then.buckets[bucket], now.buckets[bucket]));
        }
        sample.count = sample.histogram.count();
        sample.total = std::chrono::nanoseconds(
                std::min<uint64_t>(Growth(then.total_ns, now.total_ns), INT64_MAX));
        if (sample.count != 0) samples.push_back(std::move(sample));
    }
    return samples;
}

}  // namespace storekeeper
