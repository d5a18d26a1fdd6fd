// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "campaigns/campaign.h"

namespace storekeeper {

// Tries every sequence of up to `length` events on a phone: a step of a run, abort, a touch, the
// charger unplugged, a reboot, the daemon killed, a power cut, the clock a year ahead or back, a
// HAL that hangs or lies, /data read-only, the queue's attributes denied, the choice of an engine,
// its confirmation and rollback. Invariants after each event:
//   queue   Unless a run is under way, it has its own limits and gc_urgent is 0.
//   gates   No FITRIM begins after a gate has closed.
//   runs    There is one at a time.
//   cursor  It lies within the file system; the memory of runs is whole.
//   choice  It can be read, and was made by command.
// In the end all obstacles are removed, and a run must be complete. CampaignOptions::only is a
// sequence of events, separated by commas.
CampaignResult SequenceCampaign(const CampaignOptions& options, size_t length = 3);

// Failing calls of all seams except the files of the state, which CallCampaign() covers: ioctls,
// the worker of FITRIM, the health HAL, properties, AF_ALG, netlink. Each kind of call on each
// object fails, the first, the second and so on, with each errno that it may give; alone, and
// permanently. The scenarios are a day of the service, the early step, and the reading of an
// EXT_CSD. The invariants above hold, an engine in use is never unbound, a boot of a trial is
// counted before any change, errors name their object, and all works again once nothing fails.
CampaignResult SeamCampaign(const CampaignOptions& options);

}  // namespace storekeeper
