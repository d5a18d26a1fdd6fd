// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "campaigns/campaign.h"

namespace storekeeper {

// The lives of 500 phones whose card is healthy, and of 500 whose card does harm: runs of the
// policy and of people, aborts at any moment, power cuts after any call, restarts, a full disk, one
// in pieces, a canary that is removed, written or moved, another firmware, ext4 and f2fs, with and
// without `discard`. A healthy card is never in quarantine. One that harms is, at the latest once
// the phone has been left alone, and never verified before that; nothing but gaps of canaries has
// been discarded then. No chip's canaries write more than 1 MiB. CampaignOptions::only is one life,
// "healthy-7".
CampaignResult CanaryCampaign(const CampaignOptions& options);

}  // namespace storekeeper
