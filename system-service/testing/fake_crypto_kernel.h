// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "crypto/early/crypto_priorities.h"
#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {

// The crypto part of a kernel on a tree: /proc/crypto, Qualcomm's driver with its devices and
// attributes, and NETLINK_CRYPTO. It executes each request at once, as the kernel does, and notes
// it.
class FakeCryptoKernel : public FakeSyscalls, public CryptoPriorities {
  public:
    struct Algorithm {
        std::string name;
        std::string driver;
        int priority = 100;
        uint32_t refcount = 1;
        std::string type = "ablkcipher";
    };

    explicit FakeCryptoKernel(Tree& tree);

    // Adds an algorithm at the beginning of /proc/crypto.
    void Register(const Algorithm& algorithm);
    void SetUsers(const std::string& driver, uint32_t refcount);
    // Adds a device to the platform bus; it has no driver yet.
    void AddDevice(const std::string& device);
    // Loads the driver, which binds all devices.
    void LoadDriver();
    // Binds the unbound devices again, as a reboot does. False if one cannot be bound.
    bool LoadDriverAgain();
    // Adds the attribute. It keeps written values only if `writable`.
    void AddSoftwareLimit(uint32_t bytes, bool writable = true);

    // The errno of failing calls, by "open PATH", "unbind DEVICE", "bind DEVICE" or "priority
    // DRIVER".
    std::map<std::string, int> errors;
    bool keeps_algorithms = false;  // the algorithms stay when the last device is unbound
    bool ignores_priorities = false;

    // All requests that were executed: "unbind qcrypto.0", "priority cbc(aes-asm)=100".
    const std::vector<std::string>& calls() const { return calls_; }
    // True if an algorithm in use was removed, which is a BUG() in old kernels.
    bool bug() const { return bug_; }
    std::string proc_crypto() const;

    android::base::Result<void> Set(const std::string& driver, uint32_t priority) override;
    android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                         int flags) override;
    android::base::Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer,
                                         size_t size, off_t offset) override;

  private:
    void Publish();
    int Unbind(const std::string& device);
    int Bind(const std::string& device);

    Tree& tree_;
    std::vector<Algorithm> algorithms_;
    std::vector<Algorithm> taken_away_;
    std::set<std::string> devices_;
    std::set<std::string> bound_;
    bool driver_ = false;
    bool limit_writable_ = true;
    bool bug_ = false;
    std::vector<std::string> calls_;
    std::map<int, std::string> attributes_;
};

}  // namespace storekeeper
