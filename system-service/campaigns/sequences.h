// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "campaigns/campaign.h"

namespace storekeeper {

// Every sequence of up to `length` of what can happen to a phone: a step of a run, abort, a touch,
// the charger unplugged, a reboot, the daemon killed, a power cut, the clock a year ahead or back,
// a HAL that hangs or lies, /data read-only, the queue's attributes denied, a choice of who
// encrypts, its confirmation and rollback. After each event:
//   queue   has its own limits again unless a run is under way; f2fs collects no garbage in haste
//   gates   no FITRIM begins behind a gate that has closed
//   runs    one at a time
//   cursor  lies within the file system; the memory of runs is whole
//   choice  can be read, and is one that somebody has made
// and in the end, with all well again, a run is complete. CampaignOptions::only is a sequence, its
// events with a comma in between.
CampaignResult SequenceCampaign(const CampaignOptions& options, size_t length = 3);

// Failing calls of all seams but the files of the state, which CallCampaign() has: ioctls, the
// worker of FITRIM, the health HAL, properties, AF_ALG, netlink. Each kind of call on each object
// fails, the first, the second and so on, with each errno that it may have; alone, and for good. A
// day of the service, the step before /data and the reading of an EXT_CSD are lived through with
// it: the invariants above hold, an engine in use is never unbound, a boot of a trial is counted
// before anything is done, errors name their object, and all is well once nothing fails any more.
CampaignResult SeamCampaign(const CampaignOptions& options);

}  // namespace storekeeper
