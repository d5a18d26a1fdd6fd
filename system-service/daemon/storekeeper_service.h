// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <aidl/org/storekeeper/BnStorekeeper.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aidl/aidl_bytes.h"
#include "daemon/access.h"
#include "daemon/answer_writer.h"
#include "daemon/daemon.h"

namespace storekeeper {

// The binder object: checks the caller first, then forwards to the Daemon.
class StorekeeperService : public aidl::org::storekeeper::BnStorekeeper {
  public:
    // `caller` returns the uid of the current call. `purge` is called after calls that leave much
    // free memory: those with text output, or with more input than CheckArguments() accepts.
    StorekeeperService(Daemon& daemon, std::function<uid_t()> caller, std::function<void()> purge)
          : daemon_(daemon), caller_(std::move(caller)), purge_(std::move(purge)) {}

    ndk::ScopedAStatus setExtCsd(const AidlBytes& bytes) override;

    // Writes one screen of text, the named sections, or with --json everything. Takes no lock that
    // a trim holds, and writes only its answer. A denied caller gets no answer.
    binder_status_t dump(int fd, const char** args, uint32_t count) override;
    binder_status_t handleShellCommand(int in, int out, int err, const char** args,
                                       uint32_t count) override;

  private:
    // `method` is an operation of the table in access.cpp.
    ndk::ScopedAStatus CheckAccess(std::string_view method) const;
    android::base::Result<void> Bounded(const std::vector<std::string>& arguments) const;

    Daemon& daemon_;
    const std::function<uid_t()> caller_;
    const std::function<void()> purge_;
    AnswerWriter writer_;
};

}  // namespace storekeeper
