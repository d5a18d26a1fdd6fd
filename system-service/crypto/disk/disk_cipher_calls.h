// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/pages.h"
#include "base/syscalls.h"
#include "crypto/cipher_calls.h"
#include "crypto/disk/device_mapper.h"

namespace storekeeper {

// The kernel's ciphers as its disks use them: dm-crypt, with the driver's name, on the RAM disk
// ram15, which must have no other user. For kernels whose AF_ALG takes no driver's name (7.3, and
// 7.2 no engine's). There is one mapping, without a name that anybody looks for, and the kernel
// removes it when the process ends, whatever ends it.
//
// A request is one I/O of whole units, each of which the cipher begins anew; one that is shorter
// than a unit is filled up. Of an IV for xts(aes) the first 6 bytes count, as the number of the
// first unit, as dm-crypt's plain64 has it; one for cbc(aes) is that of the first unit, and the
// others have 0. For one thread. Needs CAP_SYS_ADMIN.
class DiskCipherCalls : public CipherCalls {
  public:
    struct Seams {
        Syscalls& syscalls;
        CipherCalls& machine;  // clocks and randomness
        // 10 ms, while ueventd makes a node or the kernel removes a mapping.
        std::function<void()> pause;
    };
    // `name` is "cbc(aes)" or "xts(aes)", `unit_bytes` 512 or 4096.
    static android::base::Result<std::unique_ptr<DiskCipherCalls>> Open(const Seams& seams,
                                                                        const std::string& name,
                                                                        size_t unit_bytes);
    // Waits until the kernel has removed the mapping, for 2 s at most, so that the next process may
    // have the RAM disk; its memory is given back.
    ~DiskCipherCalls() override;

    // ENOENT: dm-crypt finds no such cipher, or passes over it.
    android::base::Result<android::base::unique_fd> Bind(const std::string& cipher) override;
    android::base::Result<android::base::unique_fd> SetKey(android::base::borrowed_fd bound,
                                                           const uint8_t* key,
                                                           size_t size) override;
    android::base::Result<void> Crypt(android::base::borrowed_fd operation, bool encrypt,
                                      const CipherIv* iv, uint8_t* data, size_t size) override;
    android::base::Result<void> Random(uint8_t* bytes, size_t size) override {
        return seams_.machine.Random(bytes, size);
    }
    std::chrono::nanoseconds Raw() const override { return seams_.machine.Raw(); }
    std::chrono::nanoseconds ProcessCpu() const override { return seams_.machine.ProcessCpu(); }
    unsigned Processors() const override { return 1; }

  private:
    struct Session {
        std::string driver;
        std::unique_ptr<SecretBytes> key;
        uint64_t first_unit = 0;  // of the mapping
    };

    DiskCipherCalls(const Seams& seams, bool xts, size_t unit_bytes, android::base::unique_fd disk);
    // A descriptor that stands for it, and nothing more.
    android::base::Result<android::base::unique_fd> Add(Session session);
    android::base::Result<void> Map(int session);
    android::base::Result<android::base::unique_fd> OpenNode(const MappedDevice& device);
    void WaitUntilUnmapped() const;

    const Seams seams_;
    const bool xts_;
    const size_t unit_bytes_;
    const android::base::unique_fd disk_;
    const AlignedPages pages_;
    std::optional<MappedDevice> device_;
    android::base::unique_fd mapping_;
    std::map<int, Session> sessions_;
    int mapped_ = -1;
};

}  // namespace storekeeper
