// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/device_hal.h"
#include "base/mutex.h"
#include "crypto/cipher_calls.h"
#include "crypto/early/crypto_priorities.h"
#include "maintenance/trim/fitrim.h"
#include "maintenance/trim/queue_control.h"
#include "testing/forwarding_syscalls.h"

namespace storekeeper {

// The call that fails: the n-th one that does the same to the same object. If it lasts, later ones
// fail as well.
struct SeamFault {
    std::string call;  // "open@/data/misc/storekeeper/state.log"
    size_t number = 1;
    int error = 0;
    bool lasts = false;

    std::string name() const;
};

// Counts the calls of all seams and decides which fail. A call is identified by its kind and
// object, so the order of threads does not matter.
class SeamFaults {
  public:
    // Paths below this root are named without it.
    void SetRoot(const std::string& root) EXCLUDES(lock_);
    void Arm(const SeamFault& fault) EXCLUDES(lock_);
    // From now on no call fails or is counted.
    void Disarm() EXCLUDES(lock_);
    // Counts this call. Returns 0 or its errno.
    int Fate(const std::string& call, const std::string& object) EXCLUDES(lock_);
    // Number of times that each call was made.
    std::map<std::string, size_t> counts() const EXCLUDES(lock_);
    SeamFault fault() const EXCLUDES(lock_);

    // The errors that a call of this name may give.
    static const std::vector<int>& ErrorsOf(const std::string& call);

  private:
    mutable Mutex lock_;
    std::string root_ GUARDED_BY(lock_);
    SeamFault fault_ GUARDED_BY(lock_);
    bool counting_ GUARDED_BY(lock_) = true;
    std::map<std::string, size_t> counts_ GUARDED_BY(lock_);
};

// Seams that fail as SeamFaults says, and pass other calls on.
class FaultySyscalls : public ForwardingSyscalls {
  public:
    FaultySyscalls(SeamFaults& faults, Syscalls& calls)
          : ForwardingSyscalls(calls), faults_(faults) {}

    Result<unique_fd> Open(const std::string& path, int flags) override EXCLUDES(lock_);

  protected:
    Result<void> Before(const char* call, const std::string& object) override;
    Result<void> Before(const char* call, borrowed_fd fd) override EXCLUDES(lock_);

  private:
    SeamFaults& faults_;
    Mutex lock_;
    std::map<int, std::string> paths_ GUARDED_BY(lock_);
};

class FaultyCiphers : public CipherCalls {
  public:
    FaultyCiphers(SeamFaults& faults, CipherCalls& calls) : faults_(faults), calls_(calls) {}

    android::base::Result<android::base::unique_fd> Bind(const std::string& cipher) override;
    android::base::Result<android::base::unique_fd> SetKey(android::base::borrowed_fd bound,
                                                           const uint8_t* key,
                                                           size_t size) override;
    android::base::Result<void> Crypt(android::base::borrowed_fd operation, bool encrypt,
                                      const CipherIv* iv, uint8_t* data, size_t size) override;
    android::base::Result<void> Random(uint8_t* bytes, size_t size) override;
    std::chrono::nanoseconds Raw() const override { return calls_.Raw(); }
    std::chrono::nanoseconds ProcessCpu() const override { return calls_.ProcessCpu(); }
    unsigned Processors() const override { return calls_.Processors(); }

  private:
    SeamFaults& faults_;
    CipherCalls& calls_;
};

class FaultyHal : public DeviceHal {
  public:
    FaultyHal(SeamFaults& faults, DeviceHal& hal) : faults_(faults), hal_(hal) {}

    android::base::Result<std::vector<HalStorageInfo>> Storage() override;
    android::base::Result<std::vector<HalDiskStats>> Disks() override;
    android::base::Result<HalBattery> Battery() override;

  private:
    SeamFaults& faults_;
    DeviceHal& hal_;
};

class FaultyFitrim : public FitrimRunner {
  public:
    FaultyFitrim(SeamFaults& faults, FitrimRunner& fitrim) : faults_(faults), fitrim_(fitrim) {}

    android::base::Result<std::unique_ptr<TrimSession>> Begin(android::base::unique_fd mount,
                                                              const std::string& path) override;

  private:
    SeamFaults& faults_;
    FitrimRunner& fitrim_;
};

class FaultyPriorities : public CryptoPriorities {
  public:
    FaultyPriorities(SeamFaults& faults, CryptoPriorities& priorities)
          : faults_(faults), priorities_(priorities) {}

    android::base::Result<void> Set(const std::string& driver, uint32_t priority) override;

  private:
    SeamFaults& faults_;
    CryptoPriorities& priorities_;
};

// Properties that cannot be set if SeamFaults says so; reads are passed on.
InitProperties FaultyProperties(SeamFaults& faults, const InitProperties& properties);

}  // namespace storekeeper
