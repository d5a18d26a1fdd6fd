// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Runs vold's own code that makes a dm-crypt mapping, patched, on stubs: the function is in
// mapping.inc, as typecheck.py cuts it out. What the patch asks the kernel for is answered by
// TheKernel below.

#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <type_traits>

#include "fake_properties.h"
#include "proc_crypto.h"
#include "testing/tree.h"
#include "vold_cpp.h"

namespace {

std::string proc_crypto;          // the path of a file
std::vector<std::string> mapped;  // the ciphers that CreateDevice() was asked for
std::string refuse;               // those that begin so cannot be mapped
int dm_crypt_minor;

// Stands for the calls that only a device answers. The hooks are included after it.
FILE* Fopen(const char* path, const char* mode) {
    return fopen(std::string(path) == "/proc/crypto" ? proc_crypto.c_str() : path, mode);
}
int TakesCapi(int minor) {
    return dm_crypt_minor >= minor;
}

}  // namespace

#include "StorekeeperDmVersions.h"
#define fopen Fopen
#define storekeeper_dm_crypt_at_least TakesCapi
#define uname(kernel) (strcpy((kernel)->release, "4.14.190"), 0)
#include "mapping.inc"
#undef fopen
#undef uname

namespace android::dm {
DmTarget::~DmTarget() {}
std::string last_cipher;
DmTargetCrypt::DmTargetCrypt(uint64_t, uint64_t, const std::string& cipher, const std::string&,
                             uint64_t, const std::string&, uint64_t) {
    last_cipher = cipher;
}
void DmTargetCrypt::AllowDiscards() {}
void DmTargetCrypt::AllowEncryptOverride() {}
void DmTargetCrypt::SetIvLargeSectors() {}
void DmTargetCrypt::SetSectorSize(uint32_t) {}
bool DmTable::AddTarget(std::unique_ptr<DmTarget>&&) {
    return true;
}
DeviceMapper& DeviceMapper::Instance() {
    static DeviceMapper only;
    return only;
}
bool DeviceMapper::CreateDevice(const std::string&, const DmTable&) {
    if (mapped.empty() || mapped.back() != last_cipher) mapped.push_back(last_cipher);
    return refuse.empty() || !last_cipher.starts_with(refuse);
}
bool DeviceMapper::GetDmDevicePathByName(const std::string&, std::string* path) {
    *path = "/dev/block/dm-0";
    return true;
}
}  // namespace android::dm

namespace android::vold {
std::string cipher_of_the_volume;
const char* CryptoType::get_kernel_name() const {
    return cipher_of_the_volume.c_str();
}
size_t CryptoType::get_keysize() const {
    return 16;
}
int GetBlockDev512Sectors(const std::string&, uint64_t* sectors) {
    *sectors = 8192;
    return 0;
}
int WaitForFile(const char*, std::chrono::nanoseconds) {
    return 0;
}
bool IsFbeEnabled() {
    return true;
}
}  // namespace android::vold

bool fscrypt_is_native() {
    return true;
}
const CryptoType& get_crypto_type() {
    static CryptoType only;
    return only;
}
void convert_key_to_hex_ascii(const unsigned char*, unsigned, char* hex) {
    hex[0] = '\0';
}
void convert_key_to_hex_ascii(const KeyBuffer&, char* hex) {
    hex[0] = '\0';
}
int add_sector_size_param(DmTargetCrypt*, crypt_mnt_ftr*) {
    return 0;
}

namespace {

constexpr char kLegacy[] = "aes-cbc-essiv:sha256";
constexpr char kByName[] = "capi:cbc-aes-ce-essiv:sha256";

// Calls the function with the parameters that its Android release has.
template <typename F>
int Map(F function, std::string* device) {
    if constexpr (std::is_invocable_v<F, const char*, const char*, const KeyBuffer&,
                                      std::string*>) {
        return function("private:179,3", "/dev/block/sda1", KeyBuffer(16), device);
    } else {
        const unsigned char key[16] = {};
        crypt_mnt_ftr footer = {8192, 16, {}};
        memcpy(footer.crypto_type_name, cipher_of_the_volume.c_str(),
               cipher_of_the_volume.size() + 1);
        const int result = function(&footer, key, "/dev/block/sda1", device, "private:179,3", 0);
        // The footer is written back to the disk.
        EXPECT_EQ(cipher_of_the_volume, reinterpret_cast<char*>(footer.crypto_type_name));
        return result;
    }
}

class PatchedMappingTest : public testing::Test {
  protected:
    PatchedMappingTest() {
        tree_.Write("/proc/crypto", ProcCrypto({{"cbc(aes)", "qcrypto-cbc-aes", 300},
                                                {"cbc(aes)", "cbc-aes-ce", 300},
                                                {"aes", "aes-generic", 100}}));
        proc_crypto = tree_.PathOf("/proc/crypto");
        cipher_of_the_volume = kLegacy;
        dm_crypt_minor = 18;
        refuse = "";
        *storekeeper_given_up() = 0;
    }

    // The ciphers that were tried, in order; the last one serves.
    std::vector<std::string> Mapped() {
        mapped.clear();
        std::string device;
        EXPECT_EQ(0, Map(&PATCHED_FUNCTION, &device));
        EXPECT_EQ("/dev/block/dm-0", device);
        return mapped;
    }
    void Choose() { properties_.Put("storekeeper.crypto.choice", "kernel"); }
    using Ciphers = std::vector<std::string>;

    storekeeper::Tree tree_;
    FakeProperties properties_;
};

TEST_F(PatchedMappingTest, MapsAsEverWhereNothingIsSet) {
    EXPECT_EQ(Ciphers{kLegacy}, Mapped());
    EXPECT_TRUE(properties_.all().empty());
}

TEST_F(PatchedMappingTest, NamesTheCpuWhenChosen) {
    Choose();
    EXPECT_EQ(Ciphers{kByName}, Mapped());
    EXPECT_EQ(kByName, properties_.Get("vold.storekeeper.aes.adopted"));
}

TEST_F(PatchedMappingTest, ReturnsToTheOldStringAndStaysThere) {
    Choose();
    refuse = "capi:";
    EXPECT_EQ((Ciphers{kByName, kLegacy}), Mapped());
    EXPECT_EQ("refused:mapping_failed", properties_.Get("vold.storekeeper.aes.adopted"));
    EXPECT_EQ(Ciphers{kLegacy}, Mapped());
}

TEST_F(PatchedMappingTest, FailsAsEverWhereTheOldStringFails) {
    Choose();
    refuse = "a";
    cipher_of_the_volume = "aes-cbc-essiv:sha1";
    std::string device;
    EXPECT_EQ(-1, Map(&PATCHED_FUNCTION, &device));
    refuse = "";
    cipher_of_the_volume = "xchacha12,aes-adiantum-plain64";
    EXPECT_EQ(Ciphers{cipher_of_the_volume}, Mapped());
}

TEST_F(PatchedMappingTest, AnOldDmCryptNeverSeesCapi) {
    // The engine is in use, so that Android 11 does not look for one on the machine of the test.
    tree_.Write("/proc/crypto", ProcCrypto({{"cbc(aes)", "qcrypto-cbc-aes", 300, 2},
                                            {"cbc(aes)", "cbc-aes-ce", 300},
                                            {"aes", "aes-generic", 100}}));
    Choose();
    dm_crypt_minor = 14;
    EXPECT_EQ(Ciphers{kLegacy}, Mapped());
    EXPECT_TRUE(properties_.Get("vold.storekeeper.aes.adopted").starts_with("refused:"));
}

TEST_F(PatchedMappingTest, ReportsWhatItMapped) {
    properties_.Put("ro.storekeeper.enabled", "true");
    Mapped();
    EXPECT_EQ("dm-0,crypt,512,unknown,aes-cbc-essiv:sha256",
              properties_.Get("vold.storekeeper.dm.179_3"));
}

}  // namespace
