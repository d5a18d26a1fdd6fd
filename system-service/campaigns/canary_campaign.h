// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "campaigns/campaign.h"

namespace storekeeper {

// Simulates the lives of 500 phones whose card is healthy, and of 500 whose card does harm. Events
// are runs of the policy and by command, aborts at any moment, power cuts after any call, restarts,
// a full or fragmented disk, a canary that is removed, written or moved, another firmware, ext4 and
// f2fs, with and without `discard`.
//
// A healthy card is never in quarantine. A harmful one is, at the latest once the phone has been
// left alone, unless its canaries have used up their budget; a card whose harm shows at once is
// never verified. Until then nothing but gaps of canaries is discarded. No chip's canaries write
// more than 1 MiB. CampaignOptions::only is one life, "healthy-7".
CampaignResult CanaryCampaign(const CampaignOptions& options);

}  // namespace storekeeper
