// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/seam_faults.h"

#include <errno.h>
#include <string.h>

#include <string_view>
#include <utility>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Result;
using android::base::unique_fd;

// An error in the words of the real seams.
ResultFailure Failure(int error, const std::string& what) {
    return {what + ": " + strerror(error), error};
}

class FaultySession : public TrimSession {
  public:
    FaultySession(SeamFaults& faults, std::unique_ptr<TrimSession> session, std::string path)
          : faults_(faults), session_(std::move(session)), path_(std::move(path)) {}

    Result<TrimAnswer> Trim(const TrimRange& range, const StopSignal& stop) override {
        const int error = faults_.Fate("fitrim", path_);
        if (error != 0) return Failure(error, "FITRIM on " + path_);
        return session_->Trim(range, stop);
    }

  private:
    SeamFaults& faults_;
    const std::unique_ptr<TrimSession> session_;
    const std::string path_;
};

}  // namespace

std::string SeamFault::name() const {
    return call + "#" + std::to_string(number) + ":" + std::to_string(error) + (lasts ? ":on" : "");
}

void SeamFaults::SetRoot(const std::string& root) {
    MutexLock guard(lock_);
    root_ = root;
}

void SeamFaults::Arm(const SeamFault& fault) {
    MutexLock guard(lock_);
    fault_ = fault;
}

void SeamFaults::Disarm() {
    MutexLock guard(lock_);
    fault_ = {};
    counting_ = false;
}

int SeamFaults::Fate(const std::string& call, const std::string& object) {
    MutexLock guard(lock_);
    if (!counting_) return 0;
    std::string name = call + "@" + object;
    if (const size_t root = name.find(root_); !root_.empty() && root != std::string::npos) {
        name.erase(root, root_.size());
    }
    for (char& c : name) c = c == ' ' ? '_' : c;
    const size_t number = ++counts_[name];
    if (name != fault_.call || number < fault_.number) return 0;
    if (number > fault_.number && !fault_.lasts) return 0;
    return fault_.error;
}

std::map<std::string, size_t> SeamFaults::counts() const {
    MutexLock guard(lock_);
    return counts_;
}

SeamFault SeamFaults::fault() const {
    MutexLock guard(lock_);
    return fault_;
}

const std::vector<int>& SeamFaults::ErrorsOf(const std::string& call) {
    static const std::map<std::string_view, std::vector<int>> kErrors =
            {{"open", {EIO, ENOSPC, EROFS, EACCES, ENOENT, EMFILE}},
             {"ioctl", {EIO, EACCES, EINTR, EINVAL, ENOTTY, EOPNOTSUPP, ENODEV}},
             {"fitrim", {EIO, EROFS, EINVAL, ENOTTY, EOPNOTSUPP, EINTR, EAGAIN}},
             {"fitrim-begin", {EAGAIN, ENOMEM, ENOENT, EACCES}},
             {"read", {EIO, EAGAIN, EINTR, ENODEV}},
             {"pread", {EIO, EINTR}},
             {"pwrite", {EIO, ENOSPC, EROFS, EINTR, EBUSY}},
             {"fsync", {EIO, ENOSPC, EROFS}},
             {"fdatasync", {EIO, ENOSPC, EROFS}},
             {"ftruncate", {EIO, ENOSPC, EROFS}},
             {"fchmod", {EIO, EROFS, EPERM}},
             {"fstat", {EIO}},
             {"lstat", {EIO, EACCES}},
             {"statvfs", {EIO, EACCES, ENOENT}},
             {"access", {EIO, EACCES, EROFS}},
             {"rename", {EIO, ENOSPC, EROFS}},
             {"renameat2", {EIO, ENOSPC, EROFS, EINVAL}},
             {"unlink", {EIO, EROFS, EACCES}},
             {"alg-bind", {EAFNOSUPPORT, ENOENT, EACCES, EMFILE, ELIBBAD}},
             {"alg-setkey", {EINVAL, ENOMEM, EACCES}},
             {"alg-crypt", {EIO, EINVAL, ENOMEM, EINTR, EBADMSG}},
             {"getrandom", {EINTR, ENOSYS}},
             {"hal", {ETIMEDOUT, EIO, ENOSYS}},
             {"setprop", {EACCES}},
             {"netlink", {EPROTONOSUPPORT, EPERM, ENOENT, EIO, EBADMSG, EINTR, ENOBUFS}},
             {"dm", {EACCES, ENOENT, ENXIO, EINVAL}}};
    static const std::vector<int> kNone;
    const auto found = kErrors.find(call);
    return found == kErrors.end() ? kNone : found->second;
}

Result<void> FaultySyscalls::Before(const char* call, const std::string& object) {
    const int error = faults_.Fate(call, object);
    if (error == 0) return {};
    // The caller has named request and object of an ioctl.
    const bool named = std::string_view(call) == "ioctl";
    return Failure(error, named ? object : std::string("cannot ") + call + " " + object);
}

Result<void> FaultySyscalls::Before(const char* call, borrowed_fd fd) {
    std::string path;
    {
        MutexLock guard(lock_);
        path = paths_[fd.get()];
    }
    const int error = faults_.Fate(call, path);
    // The real call does not know the path, so its caller must name it.
    if (error != 0) return Failure(error, std::string("cannot ") + call);
    return {};
}

Result<unique_fd> FaultySyscalls::Open(const std::string& path, int flags) {
    unique_fd fd = TRY(ForwardingSyscalls::Open(path, flags));
    MutexLock guard(lock_);
    paths_[fd.get()] = path;
    return fd;
}

Result<unique_fd> FaultyCiphers::Bind(const std::string& cipher) {
    const int error = faults_.Fate("alg-bind", cipher);
    if (error != 0) return Failure(error, "AF_ALG: cannot bind " + cipher);
    return calls_.Bind(cipher);
}

Result<unique_fd> FaultyCiphers::SetKey(borrowed_fd bound, const uint8_t* key, size_t size) {
    const int error = faults_.Fate("alg-setkey", std::to_string(size));
    if (error != 0) return Failure(error, "AF_ALG: cannot set a key");
    return calls_.SetKey(bound, key, size);
}

Result<void> FaultyCiphers::Crypt(borrowed_fd operation, bool encrypt, const CipherIv* iv,
                                  uint8_t* data, size_t size) {
    const int error = faults_.Fate("alg-crypt", std::to_string(size));
    if (error != 0) return Failure(error, "AF_ALG: a request failed");
    return calls_.Crypt(operation, encrypt, iv, data, size);
}

Result<void> FaultyCiphers::Random(uint8_t* bytes, size_t size) {
    const int error = faults_.Fate("getrandom", std::to_string(size));
    if (error != 0) return Failure(error, "getrandom");
    return calls_.Random(bytes, size);
}

Result<std::vector<HalStorageInfo>> FaultyHal::Storage() {
    if (const int e = faults_.Fate("hal", "storage"); e != 0) return Failure(e, "the health HAL");
    return hal_.Storage();
}

Result<std::vector<HalDiskStats>> FaultyHal::Disks() {
    if (const int e = faults_.Fate("hal", "disks"); e != 0) return Failure(e, "the health HAL");
    return hal_.Disks();
}

Result<HalBattery> FaultyHal::Battery() {
    if (const int e = faults_.Fate("hal", "battery"); e != 0) return Failure(e, "the health HAL");
    return hal_.Battery();
}

Result<std::unique_ptr<TrimSession>> FaultyFitrim::Begin(unique_fd mount, const std::string& path) {
    const int error = faults_.Fate("fitrim-begin", path);
    if (error != 0) return Failure(error, "cannot start the process that trims " + path);
    std::unique_ptr<TrimSession> session = TRY(fitrim_.Begin(std::move(mount), path));
    return std::unique_ptr<TrimSession>(
            std::make_unique<FaultySession>(faults_, std::move(session), path));
}

Result<void> FaultyPriorities::Set(const std::string& driver, uint32_t priority) {
    const int error = faults_.Fate("netlink", driver);
    if (error != 0) return Failure(error, "cannot set the priority of " + driver);
    return priorities_.Set(driver, priority);
}

InitProperties FaultyProperties(SeamFaults& faults, const InitProperties& properties) {
    return {.get = properties.get,
            .set = [&faults, set = properties.set](const std::string& name,
                                                   const std::string& value) {
                return faults.Fate("setprop", name) == 0 && set(name, value);
            }};
}

}  // namespace storekeeper
