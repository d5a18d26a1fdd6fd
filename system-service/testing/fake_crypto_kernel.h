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
// attributes, NETLINK_CRYPTO. It does what it is asked at once, as the kernel does, and notes it.
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

    // The one registered last stands first.
    void Register(const Algorithm& algorithm);
    void SetUsers(const std::string& driver, uint32_t refcount);
    // A device on the platform bus; with a driver once there is one.
    void AddDevice(const std::string& device);
    // The driver binds all devices; without it they wait.
    void LoadDriver();
    // What a reboot does to what was unbound; true.
    bool LoadDriverAgain();
    // What is read there is what was written, unless somebody says otherwise.
    void AddSoftwareLimit(uint32_t bytes, bool writable = true);

    // What calls fail with: by "open PATH", "unbind DEVICE", "bind DEVICE", "priority DRIVER".
    std::map<std::string, int> errors;
    bool keeps_algorithms = false;  // when unbound
    bool ignores_priorities = false;

    // Everything that was asked for and done: "unbind qcrypto.0", "priority cbc(aes-asm)=100".
    const std::vector<std::string>& calls() const { return calls_; }
    // An algorithm with a user was taken away: old kernels stop there and then.
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
