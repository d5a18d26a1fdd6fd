// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Runs vold's own Trim(), RunIdleMaint() and AbortIdleMaint(), patched, on stubs. The functions are
// in idle_maint.inc, as typecheck.py cuts them out.

#include <gtest/gtest.h>
#include <time.h>

#include <type_traits>

#include "fake_properties.h"
#include "vold_cpp.h"

namespace {

int trims;           // FITRIMs
int collections;     // runs of the device's garbage collection
int finished;        // calls of onFinished()
bool no_wake_locks;  // tryGet() fails

int Ioctl(int, unsigned long, fstrim_range* range) {
    trims++;
    range->len = 4096;
    return 0;
}

}  // namespace

#define ioctl Ioctl
#include "idle_maint.inc"
#undef ioctl

nsecs_t systemTime(int) {
    timespec now = {};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

namespace android {
String16::String16(const char*) {}
template <typename T>
sp<T>::sp(std::nullptr_t) : pointer_(nullptr) {}
template <typename T>
T* sp<T>::operator->() const {
    return pointer_;
}
template <typename T>
sp<T>::operator bool() const {
    return pointer_ != nullptr;
}
namespace os {
void PersistableBundle::putString(const String16&, const String16&) {}
void PersistableBundle::putLong(const String16&, int64_t) {}
void IVoldTaskListener::onStatus(int32_t, const PersistableBundle&) {}
void IVoldTaskListener::onFinished(int32_t, const PersistableBundle&) {
    finished++;
}
}  // namespace os
namespace wakelock {
WakeLock::WakeLock(const std::string&) {}
WakeLock::~WakeLock() {}
bool WakeLock::Perhaps::has_value() const {
    return !no_wake_locks;
}
WakeLock::Perhaps WakeLock::tryGet(const std::string&) {
    return {};
}
}  // namespace wakelock
namespace vold {
const char* kWakeLock = "stub";
IdleMaintStats idle_maint_stat = IdleMaintStats::kStopped;
std::condition_variable cv_abort, cv_stop;
std::mutex cv_m;
void addFromFstab(std::list<std::string>* paths, PathTypes type, bool) {
    if (type == PathTypes::kMountPoint) paths->push_back("/");
}
void addFromVolumeManager(std::list<std::string>*, PathTypes) {}
bool waitForGc(const std::list<std::string>&) {
    return false;
}
int startGc(const std::list<std::string>&) {
    return 0;
}
int stopGc(const std::list<std::string>&) {
    return 0;
}
void runDevGc() {
    collections++;
}
}  // namespace vold
}  // namespace android

namespace {

using Listener = android::sp<android::os::IVoldTaskListener>;

// Android 11 and 12 have no choice of collecting garbage.
constexpr bool kOld = std::is_invocable_v<decltype(&RunIdleMaint), const Listener&>;

template <typename F>
int Maintain(F function, const Listener& listener) {
    if constexpr (kOld) {
        return function(listener);
    } else {
        return function(true, listener);
    }
}

class PatchedIdleMaintTest : public testing::Test {
  protected:
    PatchedIdleMaintTest() {
        trims = collections = finished = 0;
        no_wake_locks = false;
    }

    void Own(long ago_s) {
        timespec now = {};
        clock_gettime(CLOCK_BOOTTIME, &now);
        properties_.Put("storekeeper.trim.owner", "storekeeper");
        properties_.Put("storekeeper.trim.beat", std::to_string(now.tv_sec - ago_s));
    }

    FakeProperties properties_;
    android::os::IVoldTaskListener somebody_;
    const Listener listener_{&somebody_};
};

TEST_F(PatchedIdleMaintTest, TrimsAsEverWhereNothingIsSet) {
    EXPECT_EQ(android::OK, Maintain(RunIdleMaint, listener_));
    EXPECT_EQ(1, trims);
    EXPECT_EQ(1, collections);
    EXPECT_EQ(1, finished);
    EXPECT_TRUE(properties_.all().empty());
}

TEST_F(PatchedIdleMaintTest, LeavesTheTrimToALivingOwnerAndDoesTheRest) {
    Own(0);
    EXPECT_EQ(android::OK, Maintain(RunIdleMaint, listener_));
    EXPECT_EQ(0, trims);
    EXPECT_EQ(1, collections);
    EXPECT_EQ(1, finished);
    EXPECT_EQ(IdleMaintStats::kStopped, idle_maint_stat);
    // Somebody asked for this one.
    Trim(listener_);
    EXPECT_EQ(1, trims);
    EXPECT_EQ(2, finished);
}

TEST_F(PatchedIdleMaintTest, TrimsWhenTheOwnerIsDead) {
    Own(90000);
    EXPECT_EQ(android::OK, Maintain(RunIdleMaint, listener_));
    EXPECT_EQ(1, trims);
}

TEST_F(PatchedIdleMaintTest, IsNotStuckWithoutAWakeLock) {
    if (!WAKE_LOCK_CAN_FAIL) GTEST_SKIP() << "its wake locks cannot fail";
    no_wake_locks = true;
    EXPECT_NE(android::OK, Maintain(RunIdleMaint, listener_));
    EXPECT_EQ(0, trims);
    no_wake_locks = false;
    alarm(10);  // it waits for ever where the patch is missing
    EXPECT_EQ(android::OK, AbortIdleMaint(listener_));
    alarm(0);
    EXPECT_EQ(android::OK, Maintain(RunIdleMaint, listener_));
    EXPECT_EQ(1, trims);
}

}  // namespace
