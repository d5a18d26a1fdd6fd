// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/qcrypto_driver.h"

#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

TEST(EngineDevicesTest, WithoutABusNothingWaits) {
    EXPECT_FALSE(HasUnloadedEngine(Tree().files()));
}

}  // namespace
}  // namespace storekeeper
