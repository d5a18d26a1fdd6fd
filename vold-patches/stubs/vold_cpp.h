// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Declarations of vold and Android that the patched functions of vold's C++ files use, for
// typecheck.py. libbase and libutils are the real ones. Declarations only; run/ has definitions.

#pragma once

#include <android-base/logging.h>
#include <android-base/parseint.h>
#include <android-base/properties.h>
#include <cutils/properties.h>
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <linux/fs.h>
#include <private/android_filesystem_config.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <unistd.h>
#include <utils/Errors.h>
#include <utils/Timers.h>

#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#define SLOGE(...) ((void)printf(__VA_ARGS__))
#define SLOGI(...) ((void)printf(__VA_ARGS__))

// libdm/dm.h
namespace android::dm {
struct DmTarget {
    virtual ~DmTarget();
};
struct DmTargetCrypt : DmTarget {
    DmTargetCrypt(uint64_t start, uint64_t length, const std::string& cipher,
                  const std::string& key, uint64_t iv_offset, const std::string& device,
                  uint64_t device_sector);
    void AllowDiscards();
    void AllowEncryptOverride();
    void SetIvLargeSectors();
    void SetSectorSize(uint32_t size);
};
struct DmTargetDefaultKey : DmTarget {
    DmTargetDefaultKey(uint64_t start, uint64_t length, const std::string& cipher,
                       const std::string& key, const std::string& device, uint64_t start_sector);
    void SetUseLegacyOptionsFormat();
    void SetSetDun();
    void SetWrappedKeyV0();
};
struct DmTable {
    bool AddTarget(std::unique_ptr<DmTarget>&& target);
};
enum class DmDeviceState { INVALID, SUSPENDED, ACTIVE };
struct DeviceMapper {
    static DeviceMapper& Instance();
    bool CreateDevice(const std::string& name, const DmTable& table);
    bool CreateDevice(const std::string& name, const DmTable& table, std::string* path,
                      const std::chrono::milliseconds& timeout);
    DmDeviceState GetState(const std::string& name) const;
    bool LoadTableAndActivate(const std::string& name, const DmTable& table);
    bool WaitForDevice(const std::string& name, const std::chrono::milliseconds& timeout,
                       std::string* path);
    bool GetDmDevicePathByName(const std::string& name, std::string* path);
};
}  // namespace android::dm

// The functions of the framework that vold calls.
namespace android {
struct String16 {
    explicit String16(const char* text);
};
template <typename T>
struct sp {
    sp(std::nullptr_t);
    explicit sp(T* pointer) : pointer_(pointer) {}
    T* operator->() const;
    explicit operator bool() const;

  private:
    T* pointer_;
};
namespace os {
struct PersistableBundle {
    void putString(const String16& key, const String16& value);
    void putLong(const String16& key, int64_t value);
};
struct IVoldTaskListener {
    void onStatus(int32_t status, const PersistableBundle& extras);
    void onFinished(int32_t status, const PersistableBundle& extras);
};
}  // namespace os
namespace wakelock {
struct WakeLock {
    explicit WakeLock(const std::string& name);
    ~WakeLock();
    struct Perhaps {
        bool has_value() const;
    };
    static Perhaps tryGet(const std::string& name);
};
}  // namespace wakelock
}  // namespace android
enum { PARTIAL_WAKE_LOCK = 1 };
int acquire_wake_lock(int lock, const char* id);
int release_wake_lock(const char* id);

// vold's own.
namespace android::vold {
using KeyBuffer = std::vector<char>;
struct CryptoType {
    const char* get_kernel_name() const;
    size_t get_keysize() const;
};
struct CryptoOptions {
    CryptoType cipher;
    bool use_legacy_options_format;
    bool set_dun;
    bool use_hw_wrapped_key;
};
int GetBlockDev512Sectors(const std::string& path, uint64_t* sectors);
int WaitForFile(const char* path, std::chrono::nanoseconds timeout);
int StrToHex(const KeyBuffer& key, KeyBuffer& hex);
bool exportWrappedStorageKey(const KeyBuffer& key, KeyBuffer* exported);
bool get_number_of_sectors(const std::string& device, uint64_t* sectors);
bool IsFbeEnabled();
extern const std::string kDmNameUserdata, kDmNameUserdataZoned;
enum class PathTypes { kMountPoint = 1, kBlkDevice };
enum class IdleMaintStats { kStopped = 1, kRunning, kAbort };
extern const char* kWakeLock;
extern IdleMaintStats idle_maint_stat;
extern std::condition_variable cv_abort, cv_stop;
extern std::mutex cv_m;
void addFromFstab(std::list<std::string>* paths, PathTypes type, bool only_data = false);
void addFromVolumeManager(std::list<std::string>* paths, PathTypes type);
bool waitForGc(const std::list<std::string>& paths);
int startGc(const std::list<std::string>& paths);
int stopGc(const std::list<std::string>& paths);
void runDevGc();
int32_t GetStorageLifeTime();
int32_t GetStorageRemainingLifetime();
namespace binder {
struct Status {};
}  // namespace binder
struct VoldNativeService {
    binder::Status getStorageLifeTime(int32_t* used);
    binder::Status getStorageRemainingLifetime(int32_t* remaining);
};
inline binder::Status Ok() {
    return {};
}
void notifyResult(const std::string& path, int64_t bytes, int64_t delta);
void BenchmarkPrivate(const std::string& path);
struct TrimTask {
    enum Flags { kBenchmarkAfter = 1, kDeepTrim = 2 };
    explicit TrimTask(int flags);
    void start();
    void run();
    int mFlags;
    std::list<std::string> mPaths;
};
}  // namespace android::vold

#define FIDTRIM FITRIM
#define ENFORCE_SYSTEM_OR_ROOT
#define ACQUIRE_LOCK
#define BENCHMARK_ENABLED 1
#define TABLE_LOAD_RETRIES 10
#define MAX_KEY_LEN 64
#define CREATE_CRYPTO_BLK_DEV_FLAGS_ALLOW_ENCRYPT_OVERRIDE 1u
struct crypt_mnt_ftr {
    unsigned long long fs_size;
    unsigned keysize;
    unsigned char crypto_type_name[64];
};
bool fscrypt_is_native();
const android::vold::CryptoType& get_crypto_type();
void convert_key_to_hex_ascii(const unsigned char* key, unsigned size, char* hex);
void convert_key_to_hex_ascii(const android::vold::KeyBuffer& key, char* hex);
#define DM_CRYPT_BUF_SIZE 4096
void ioctl_init(dm_ioctl* io, size_t size, const char* name, unsigned flags);
int is_hw_disk_encryption(const char* type);
int is_ice_enabled();
int load_crypto_mapping_table(crypt_mnt_ftr* footer, const unsigned char* key, const char* device,
                              const char* name, int fd, const char* params);
int add_sector_size_param(android::dm::DmTargetCrypt* target, crypt_mnt_ftr* footer);

struct ResponseCode {
    enum { CommandNoPermission, CommandSyntaxError };
};
struct SocketClient {
    uid_t getUid() const;
    int sendMsg(int code, const char* text, bool add_errno);
};
struct VolumeManager {
    static VolumeManager* Instance();
    std::mutex& getLock();
};
struct CommandListener {
    static int sendGenericOkFail(SocketClient* client, int condition);
    struct FstrimCmd {
        int runCommand(SocketClient* client, int argc, char** argv);
    };
};

using android::base::ParseUint;
using namespace android::dm;
using namespace android::vold;
using namespace std::chrono_literals;
