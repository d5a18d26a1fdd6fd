// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/disk/disk_measurement.h"

#include <memory>

#include "base/try.h"
#include "crypto/disk_request.h"
#include "crypto/driver_figures.h"
#include "crypto/inventory.h"

namespace storekeeper {
namespace {

using android::base::Result;

// What a file system's read-ahead asks a disk for, in units that dm-crypt encrypts one by one.
constexpr size_t kRequestBytes = 64 * 1024;

std::string DriverOf(const CryptoDriver* driver) {
    return driver == nullptr ? "" : driver->driver;
}

Result<void> Measure(const DiskMeasurementSeams& seams, const DiskRequest& request,
                     BenchmarkPlan plan, CryptoMeasured* to) {
    const CryptoInventory inventory =
            MakeInventory(ParseProcCrypto(TRY(seams.files.ReadTable(kProcCryptoPath))));
    to->hardware = DriverOf(inventory.BestHardware(request.name));
    to->cpu = DriverOf(inventory.BestCpu(request.name));
    const std::unique_ptr<DiskCipherCalls> calls =
            TRY(DiskCipherCalls::Open(seams.calls, request.name, request.unit_bytes));
    plan.key_bytes = request.key_bytes;
    plan.units = {kRequestBytes};
    plan.threads = {1};
    MeasureDrivers(*calls, {request.unit_bytes}, plan, to);
    for (CipherFigure& figure : to->figures) figure.unit_bytes = request.unit_bytes;
    return {};
}

}  // namespace

Result<void> RunDiskMeasurement(const DiskMeasurementSeams& seams, BenchmarkPlan plan) {
    const DiskRequest request = TRY(ParseDiskRequest(seams.property(kDiskRequestProperty)));
    CryptoMeasured measured{.name = request.name, .key_bytes = request.key_bytes};
    const Result<void> done = Measure(seams, request, std::move(plan), &measured);
    if (!done.ok()) measured.problem = done.error().message();
    return PublishDiskAnswer(request, measured, seams.set);
}

}  // namespace storekeeper
