// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/syscalls.h"
#include "testing/fake_cipher_calls.h"

namespace storekeeper {

// A kernel with a RAM disk and a dm-crypt that knows the drivers a test gives it, each of which
// takes its time of `clock` and really encrypts. All else is the real kernel's.
class FakeDmCrypt : public LinuxSyscalls {
  public:
    struct Driver {
        std::string name;  // the cipher: "cbc(aes)", "xts(aes)", or "" for the null cipher
        std::chrono::nanoseconds per_unit{0};
        bool wrong_writing = false;
        bool wrong_reading = false;
    };

    explicit FakeDmCrypt(FakeCipherCalls& clock);

    std::map<std::string, Driver> drivers = {{FakeCipherCalls::kNull, {}}};
    // What a call fails with: by "open PATH" ("open alone PATH" with O_EXCL), "create", "load",
    // "resume", "remove", "read disk", "read mapping", "write disk", "write mapping".
    std::map<std::string, int> errors;
    int node_is_late = 0;      // opening the mapping's node fails so many times
    int removal_is_late = 0;   // the disk stays busy for so many openings alone after "remove"
    bool short_reads = false;  // of the mapping
    // Each request of the device mapper's, with a table's key left out, and each discard.
    std::vector<std::string> said;
    std::string table;  // the last one's parameters, with its key

    android::base::Result<android::base::unique_fd> Open(const std::string& path,
                                                         int flags) override;
    android::base::Result<int> Ioctl(android::base::borrowed_fd fd, unsigned long request,
                                     void* argument, const std::string& what) override;
    android::base::Result<size_t> Pread(android::base::borrowed_fd fd, void* buffer, size_t size,
                                        off_t offset) override;
    android::base::Result<size_t> Pwrite(android::base::borrowed_fd fd, const void* buffer,
                                         size_t size, off_t offset) override;

    static constexpr char kDisk[] = "/dev/block/ram15";
    static constexpr char kNode[] = "/dev/block/dm-5";

  private:
    struct Table {
        Driver driver;
        bool with_iv = false;
        std::vector<uint8_t> key;
        uint64_t first_unit = 0;
        size_t unit_bytes = 512;
    };
    int Load(const std::string& parameters);
    int Fate(const std::string& call) const;
    void Crypt(bool encrypt, uint8_t* data, size_t size, off_t offset);

    FakeCipherCalls& clock_;
    std::map<int, std::string> open_;
    std::vector<uint8_t> disk_ = std::vector<uint8_t>(8 << 20);
    Table loaded_;
    Table live_;
    bool removed_ = false;
};

}  // namespace storekeeper
