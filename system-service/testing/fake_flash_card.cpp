// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// The card below FakeFlash, with the events that a test causes.

#include <errno.h>

#include <random>

#include "base/try.h"
#include "testing/fake_flash.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

void FakeFlash::Harm(uint64_t block) {
    std::string& content = medium_[block];
    content.resize(kBlock);
    for (char& c : content) c = static_cast<char>(c ^ 0x5a);
}

void FakeFlash::HarmBeside(uint64_t begin, uint64_t end) {
    for (uint64_t i = 0; i < faults.garbled; ++i) {
        for (const uint64_t block : {begin - 1 - i, end + i}) {
            if (IsFree(block)) continue;
            if (faults.garbled_later) {
                harmed_later_.insert(block);
            } else {
                Harm(block);
            }
        }
    }
}

void FakeFlash::DoDiscard(uint64_t begin, uint64_t end) {
    for (uint64_t block = begin; block < end; ++block) medium_.erase(block);
    HarmBeside(begin, end);
}

Result<uint64_t> FakeFlash::Discard(uint64_t start, uint64_t length) {
    TRY(Begin("FITRIM"));
    uint64_t bytes = 0;
    const uint64_t last = (start + length) / kBlock;
    for (uint64_t begin = start / kBlock; begin < last; ++begin) {
        uint64_t end = begin;
        while (end < last && IsFree(end)) ++end;
        if (end == begin) continue;
        ++discards_;
        if (discards_ == faults.dies_at_discard) {
            dead_ = true;
            return Error(EIO) << "FITRIM";
        }
        DoDiscard(begin, end);
        discarded_bytes_ += (end - begin) * kBlock;
        bytes += (end - begin) * kBlock;
        begin = end;
    }
    return bytes;
}

void FakeFlash::Restart(uint64_t seed) {
    std::mt19937_64 random(seed);
    for (auto& [block, content] : unsynced_) {
        if (random() % 2 == 0) medium_[block] = content;
    }
    unsynced_.clear();
    now_ = committed_;
    used_.reset();
    open_.clear();
    for (const uint64_t block : harmed_later_) Harm(block);
    harmed_later_.clear();
    if (faults.revives) {
        dead_ = false;
        discards_ = 0;
    }
    power_off_after.reset();
    calls_ = 0;
}

void FakeFlash::RemoveFile(const std::string& name) {
    now_.names.erase(name);
    Commit();
}

void FakeFlash::Change(const std::string& name, uint64_t offset) {
    Garble(name, offset);
    now_.files[now_.names.at(name)].modified = ++time_;
    Commit();
}

void FakeFlash::Move(const std::string& name) {
    File& file = now_.files[now_.names.at(name)];
    uint64_t to = blocks / 2;
    for (auto& [page, block] : file.blocks) {
        medium_[to] = medium_[block];
        block = to++;
    }
    Commit();
}

void FakeFlash::Garble(const std::string& name, uint64_t offset) {
    Harm(now_.files[now_.names.at(name)].blocks.at(offset / kBlock));
}

void FakeFlash::Occupy(uint64_t start, uint64_t length) {
    for (uint64_t at = start; at < start + length; at += kBlock) occupied_.insert(at / kBlock);
}

}  // namespace storekeeper
