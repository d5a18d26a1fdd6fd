// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "campaigns/seam_faults.h"
#include "crypto/choice.h"
#include "testing/fake_hal.h"
#include "testing/phone.h"

namespace storekeeper {

// Holds each FITRIM until it is released.
class Brake {
  public:
    // Called in the worker's thread.
    void Enter() {
        std::unique_lock lock(lock_);
        if (++inside_ > 1) wrong_ = "two FITRIMs at once";
        if (closed_) wrong_ = "a FITRIM begins behind a closed gate";
        ++entered_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return permits_ > 0 || open_; });
        if (!open_) --permits_;
        --inside_;
    }
    // Releases one FITRIM; Open() releases all later ones.
    void LetOne() {
        const std::lock_guard guard(lock_);
        ++permits_;
        changed_.notify_all();
    }
    void Open(bool open) {
        const std::lock_guard guard(lock_);
        open_ = open;
        permits_ = 0;
        changed_.notify_all();
    }
    // From now on no FITRIM may begin.
    void Close(bool closed) {
        const std::lock_guard guard(lock_);
        closed_ = closed;
    }
    bool IsInside() {
        const std::lock_guard guard(lock_);
        return inside_ > 0;
    }
    int entered() {
        const std::lock_guard guard(lock_);
        return entered_;
    }
    std::string wrong() {
        const std::lock_guard guard(lock_);
        return wrong_;
    }

  private:
    std::mutex lock_;
    std::condition_variable changed_;
    int inside_ = 0;
    int entered_ = 0;
    int permits_ = 0;
    bool open_ = false;
    bool closed_ = false;
    std::string wrong_;
};

// A phone with f2fs on dm-crypt, whose engine is slower than its CPU.
class Machine {
  public:
    // `blind`: closed gates are hidden from the daemon. `faults`: faults of its seams.
    explicit Machine(bool blind, SeamFaults* faults = nullptr);

    ~Machine();

    std::string RunEvent(const std::string& event);

    static const std::map<std::string, void (*)(Machine*)>& Events();

    // Removes all obstacles and expects a complete run. Returns the problem, "" if there is none.
    std::string Recover();
    // The invariant that does not hold now; "" if all hold.
    std::string Check();
    // Releases the FITRIM under way and all later ones.
    void Release() { brake_.Open(true); }
    Phone& phone() { return phone_; }
    // While init is out of reach, a throttled queue stays so until the next boot; do not report
    // that.
    void TolerateThrottledQueue(bool tolerated) { denied_ = tolerated; }
    // Errors of choosing, confirming and rolling back an engine.
    const std::vector<std::string>& errors() const { return errors_; }
    android::base::Result<CryptoChoice> ReadChoice();

  private:
    static std::string Mounts(const std::string& mode);
    void ShowEngine(bool there);
    void Start();

    // Waits until the run under way is within a FITRIM, or over.
    void Settle(int entered);

    // Lets the run under way end without holding its steps.
    void Finish();

    // Makes the next step of the run under way. Without a run, opens all gates and makes one due.
    void Step();

    // Ends a run: the loop reads the inputs, and the step under way is killed.
    void EndRun(const MaintenanceReadings& readings);
    void Abort();
    void Touch();
    void Unplug();

    // Ends the daemon, in order or not, and possibly the boot.
    void End(bool in_order, bool boot_ends);
    std::string Stored();
    void RunEarly();
    void MoveClock(std::chrono::seconds by);
    void HangHal();
    void LieHal();
    void SetReadOnly(bool read_only);
    void DenyQueue();
    template <typename T>
    void Report(const android::base::Result<T>& result) {
        if (!result.ok()) errors_.push_back(result.error().message());
    }
    void ChooseKernel();
    void Confirm();
    void RollBack();
    Daemon::Seams Wrap(const Daemon::Seams& seams);
    const bool blind_;
    SeamFaults* const faults_;
    std::optional<FaultySyscalls> faulty_syscalls_;
    std::optional<FaultyCiphers> faulty_ciphers_;
    std::optional<FaultyHal> faulty_hal_;
    std::optional<FaultyFitrim> faulty_fitrim_;
    Brake brake_;
    FakeHal hal_;
    int boot_ = 1;
    bool denied_ = false;
    bool chosen_ = false;
    std::vector<std::string> errors_;
    // Last member: its threads use the others.
    Phone phone_;
};

}  // namespace storekeeper
