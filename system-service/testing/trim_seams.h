// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <gtest/gtest.h>

#include "base/record_file.h"
#include "maintenance/trim/trim_pass.h"
#include "testing/fake_clock.h"
#include "testing/fake_fitrim.h"
#include "testing/fake_init.h"
#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {

// The services that a trim uses, on a tree of its own.
class TrimSeamsTest : public testing::Test {
  protected:
    Tree tree_;
    FileReader files_ = tree_.files();
    FakeClock clock_;
    FakeSyscalls syscalls_;
    FakeInit init_{tree_};
    FakeFitrim fitrim_{syscalls_, clock_};
    FakePauser pauser_{clock_};
    QueueControl queue_{files_, pauser_, init_.properties()};
    RecordFile records_{RealCalls(), tree_.PathOf("/state.log")};
    ChipGuard chips_{{.syscalls = syscalls_, .files = files_, .clock = clock_, .records = records_},
                     {.canary = tree_.PathOf("/canary")}};
    const TrimSeams seams_{.syscalls = syscalls_,
                           .files = files_,
                           .clock = clock_,
                           .fitrim = fitrim_,
                           .pauser = pauser_,
                           .queue = queue_,
                           .records = records_,
                           .chips = chips_};
};

}  // namespace storekeeper
