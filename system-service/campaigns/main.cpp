// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Tries the product against power cuts, failing calls and sequences of events, in memory, and
// against power cuts on real file systems, on the virtual phone:
//   storekeeper_campaigns crash|calls|canary|sequences [--stride N] [--only NAME] [--flaw FLAW]
//   storekeeper_campaigns replay-ext4|replay-f2fs [--seed N] and the same options
// It prints {"tried", "failures", "scenarios"} as JSON, and each failure as a line "NAME  problem"
// to stderr. Exit codes: 0 no failure, 1 at least one, 64 usage.

#include <android-base/logging.h>
#include <android-base/parseint.h>
#include <json/writer.h>
#include <stdio.h>
#include <sysexits.h>

#include <functional>
#include <map>
#include <string>

#include "campaigns/campaign.h"
#include "campaigns/canary_campaign.h"
#include "campaigns/replay.h"
#include "campaigns/sequences.h"

namespace {

using storekeeper::CampaignOptions;
using storekeeper::CampaignResult;
using storekeeper::Flaw;

constexpr char kUsage[] =
        "usage: storekeeper_campaigns crash|calls|canary|sequences|replay-ext4|replay-f2fs "
        "[--stride N] [--only NAME] [--flaw FLAW] [--seed N]\n"
        "FLAW: no-file-sync, no-folder-sync, trusted-log, late-count, blind-loop\n";

const std::map<std::string, std::function<CampaignResult(const CampaignOptions&)>> kCampaigns =
        {{"crash", storekeeper::CrashCampaign},
         {"calls",
          [](const CampaignOptions& options) {
              CampaignResult result = storekeeper::CallCampaign(options);
              result.Add(storekeeper::SeamCampaign(options));
              return result;
          }},
         {"canary", storekeeper::CanaryCampaign},
         {"replay-ext4",
          [](const CampaignOptions& options) {
              return storekeeper::ReplayCampaign("ext4", options);
          }},
         {"replay-f2fs",
          [](const CampaignOptions& options) {
              return storekeeper::ReplayCampaign("f2fs", options);
          }},
         {"sequences",
          [](const CampaignOptions& options) { return storekeeper::SequenceCampaign(options); }}};
const std::map<std::string, Flaw> kFlaws = {{"no-file-sync", Flaw::kNoFileSync},
                                            {"no-folder-sync", Flaw::kNoFolderSync},
                                            {"trusted-log", Flaw::kTrustedLog},
                                            {"late-count", Flaw::kLateCount},
                                            {"blind-loop", Flaw::kBlindLoop}};

int Usage(const std::string& why) {
    fprintf(stderr, "storekeeper_campaigns: %s\n%s", why.c_str(), kUsage);
    return EX_USAGE;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || kCampaigns.count(argv[1]) == 0) return Usage("no campaign is named");
    CampaignOptions options;
    for (int i = 2; i < argc; i += 2) {
        const std::string option = argv[i];
        if (i + 1 == argc) return Usage(option + " wants a value");
        const std::string value = argv[i + 1];
        if (option == "--stride") {
            if (!android::base::ParseUint(value, &options.stride) || options.stride == 0) {
                return Usage("--stride: '" + value + "' is no number from 1 on");
            }
        } else if (option == "--seed") {
            if (!android::base::ParseUint(value, &options.seed)) {
                return Usage("--seed: '" + value + "' is no number");
            }
        } else if (option == "--only") {
            options.only = value;
        } else if (option == "--flaw") {
            const auto flaw = kFlaws.find(value);
            if (flaw == kFlaws.end()) return Usage("--flaw: '" + value + "' is none");
            options.flaw = flaw->second;
        } else {
            return Usage(option + " is no option");
        }
    }
    // The product logs each file that it sets aside, which happens thousands of times.
    android::base::SetMinimumLogSeverity(android::base::FATAL_WITHOUT_ABORT);
    const CampaignResult result = kCampaigns.at(argv[1])(options);
    for (const std::string& failure : result.failures) fprintf(stderr, "%s\n", failure.c_str());
    Json::Value json;
    json["tried"] = Json::UInt64(result.total());
    json["failures"] = Json::UInt64(result.failures.size());
    for (const auto& [name, count] : result.tried) json["scenarios"][name] = Json::UInt64(count);
    printf("%s\n", Json::writeString(Json::StreamWriterBuilder(), json).c_str());
    return result.failures.empty() ? 0 : 1;
}
