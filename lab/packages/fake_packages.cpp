// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// A native package service that answers as its mode says: storekeeper_fake_packages MODE.

#include <aidl/android/content/pm/BnPackageManagerNative.h>
#include <sysexits.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "health/serve.h"

namespace {

using aidl::android::content::pm::BnPackageManagerNative;
using aidl::android::content::pm::IPackageChangeObserver;
using aidl::android::content::pm::IStagedApexObserver;
using aidl::android::content::pm::StagedApexInfo;
using ndk::ScopedAStatus;

constexpr char kUsage[] =
        "Usage: storekeeper_fake_packages well|wrong|short|slow|dead|failing\n"
        "  well     com.example.appUID; uid 10001 is shared, 10002 was removed\n"
        "  wrong    names that no package has\n"
        "  short    a name less than uids\n"
        "  slow     as well, after 5 seconds\n"
        "  dead     takes calls and never answers\n"
        "  failing  an exception\n"
        "Each question is a line of standard output: \"asked\" and the uids.\n";
constexpr unsigned kSlowSeconds = 5;
constexpr int32_t kSharedUid = 10001;
constexpr int32_t kRemovedUid = 10002;

class FakePackages : public BnPackageManagerNative {
  public:
    explicit FakePackages(std::string mode) : mode_(std::move(mode)) {}

    ScopedAStatus getNamesForUids(const std::vector<int32_t>& uids,
                                  std::vector<std::string>* names) override {
        std::string line = "asked";
        for (const int32_t uid : uids) line += " " + std::to_string(uid);
        puts(line.c_str());
        fflush(stdout);
        if (mode_ == "slow") sleep(kSlowSeconds);
        while (mode_ == "dead") pause();
        if (mode_ == "failing") return Unsupported();
        names->clear();
        for (const int32_t uid : uids) names->push_back(NameOf(uid));
        if (mode_ == "short") names->pop_back();
        return ScopedAStatus::ok();
    }

    ScopedAStatus getInstallerForPackage(const std::string&, std::string*) override {
        return Unsupported();
    }
    ScopedAStatus getVersionCodeForPackage(const std::string&, int64_t*) override {
        return Unsupported();
    }
    ScopedAStatus isAudioPlaybackCaptureAllowed(const std::vector<std::string>&,
                                                std::vector<bool>*) override {
        return Unsupported();
    }
    ScopedAStatus getLocationFlags(const std::string&, int32_t*) override { return Unsupported(); }
    ScopedAStatus getTargetSdkVersionForPackage(const std::string&, int32_t*) override {
        return Unsupported();
    }
    ScopedAStatus getModuleMetadataPackageName(std::string*) override { return Unsupported(); }
    ScopedAStatus getAllPackages(std::vector<std::string>*) override { return Unsupported(); }
    ScopedAStatus registerPackageChangeObserver(
            const std::shared_ptr<IPackageChangeObserver>&) override {
        return Unsupported();
    }
    ScopedAStatus unregisterPackageChangeObserver(
            const std::shared_ptr<IPackageChangeObserver>&) override {
        return Unsupported();
    }
    ScopedAStatus hasSha256SigningCertificate(const std::string&, const std::vector<uint8_t>&,
                                              bool*) override {
        return Unsupported();
    }
    ScopedAStatus isPackageDebuggable(const std::string&, bool*) override { return Unsupported(); }
    ScopedAStatus hasSystemFeature(const std::string&, int32_t, bool*) override {
        return Unsupported();
    }
    ScopedAStatus registerStagedApexObserver(const std::shared_ptr<IStagedApexObserver>&) override {
        return Unsupported();
    }
    ScopedAStatus unregisterStagedApexObserver(
            const std::shared_ptr<IStagedApexObserver>&) override {
        return Unsupported();
    }
    ScopedAStatus getStagedApexModuleNames(std::vector<std::string>*) override {
        return Unsupported();
    }
    ScopedAStatus getStagedApexInfo(const std::string&, std::optional<StagedApexInfo>*) override {
        return Unsupported();
    }

  private:
    static ScopedAStatus Unsupported() {
        return ScopedAStatus::fromExceptionCode(EX_UNSUPPORTED_OPERATION);
    }
    std::string NameOf(int32_t uid) const {
        if (mode_ == "wrong") return "../etc/passwd";
        if (uid == kRemovedUid) return "";
        if (uid == kSharedUid) return "shared:com.example.shared";
        return "com.example.app" + std::to_string(uid);
    }

    const std::string mode_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc == 2 ? argv[1] : "";
    if (mode != "well" && mode != "wrong" && mode != "short" && mode != "slow" && mode != "dead" &&
        mode != "failing") {
        fputs(kUsage, stderr);
        return EX_USAGE;
    }
    auto packages = ndk::SharedRefBase::make<FakePackages>(mode);
    return Serve(packages->asBinder().get(), "package_native");
}
