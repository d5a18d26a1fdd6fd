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

// Holds each FITRIM until it is let go on.
class Brake {
  public:
    // In the worker's thread.
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
    // For one FITRIM, or for all to come.
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
    // From now on none may begin.
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
    // `blind`: what closes a gate is hidden from the daemon. `faults`: its seams fail as these say.
    explicit Machine(bool blind, SeamFaults* faults = nullptr);

    ~Machine();

    std::string Do(const std::string& event);

    static const std::map<std::string, void (*)(Machine*)>& Events();

    // With all well again, a run is complete.
    std::string Recover();
    // What of the invariants does not hold now; "" for nothing.
    std::string Check();
    // No FITRIM is held any more.
    void Release() { brake_.Open(true); }
    Phone& phone() { return phone_; }
    // init is out of reach: what is throttled stays so. Until the next boot, which ends that.
    void ExcuseInit(bool excused) { denied_ = excused; }
    // What choices of who encrypts have returned.
    const std::vector<std::string>& errors() const { return errors_; }
    android::base::Result<CryptoChoice> ReadChoice();

  private:
    static std::string Mounts(const std::string& mode);
    void ShowEngine(bool there);
    void Start();

    // Until the run under way is within a FITRIM, or over.
    void Settle(int entered);

    // Lets the run under way come to its end; none of its steps is held.
    void Finish();

    // The next step of the run under way; without one, all gates open and a run is due.
    void Step();

    // Ends a run: the loop looks, and the step under way is killed.
    void EndRun(const MaintenanceReadings& readings);
    void Abort();
    void Touch();
    void Unplug();

    // The end of the daemon, in order or not, and of the boot.
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
    void Choose();
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
    // Last: its threads use the others.
    Phone phone_;
};

}  // namespace storekeeper
