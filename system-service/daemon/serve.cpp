// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/serve.h"

#include <android-base/logging.h>
#include <sysexits.h>
#include <unistd.h>

namespace storekeeper {

using android::base::Result;

void ServeUntilStopped(EventLoop& loop, const ServeHooks& hooks) {
    int code = EX_OK;
    for (;;) {
        loop.DrainPowerEvents();
        const Keeper::Nap nap = hooks.turn();
        const Result<EventLoop::Event> event =
                loop.Wait(nap.deadline, nap.watch_power,
                          nap.watch_input ? hooks.input_events() : -1);
        if (!event.ok()) {
            LOG(ERROR) << "storekeeperd exits, init restarts it: " << event.error().message();
            code = EX_OSERR;
            break;
        }
        if (*event == EventLoop::Event::kStop) break;
    }
    hooks.finish();
    LOG(INFO) << "storekeeperd exits";
    _exit(code);
}

}  // namespace storekeeper
