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

// The binder object: checks the caller before anything else, then hands over to the Keeper.
class StorekeeperService : public aidl::org::storekeeper::BnStorekeeper {
  public:
    // `caller` answers the uid of the call being served. `purge` is called where a call
    // leaves much that is free again: it handed in more than CheckArguments() takes, or got text.
    StorekeeperService(Daemon& daemon, std::function<uid_t()> caller, std::function<void()> purge)
          : daemon_(daemon), caller_(std::move(caller)), purge_(std::move(purge)) {}

    ndk::ScopedAStatus setExtCsd(const AidlBytes& bytes) override;
    ndk::ScopedAStatus chooseCrypto(const std::string& mode) override;
    ndk::ScopedAStatus confirmCrypto() override;

    // Text of one screen or of the sections that are named, or with --json everything. Takes no
    // lock a trim holds and writes nothing but its answer; to a caller that may not ask, nothing.
    binder_status_t dump(int fd, const char** args, uint32_t count) override;
    binder_status_t handleShellCommand(int in, int out, int err, const char** args,
                                       uint32_t count) override;

  private:
    // `method` as in the table of access.cpp.
    ndk::ScopedAStatus CheckAccess(std::string_view method) const;
    ndk::ScopedAStatus Crypto(const std::vector<std::string>& words);
    android::base::Result<void> Bounded(const std::vector<std::string>& arguments) const;

    Daemon& daemon_;
    const std::function<uid_t()> caller_;
    const std::function<void()> purge_;
    AnswerWriter writer_;
};

}  // namespace storekeeper
