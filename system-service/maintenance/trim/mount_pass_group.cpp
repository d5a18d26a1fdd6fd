// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Within a FITRIM nothing can be paused, and who syncs a write meanwhile waits for a discard in
// each of its steps. So a block group gets a FITRIM for each free extent.
//
// On a card that is not known an extent that may take too long is postponed, with the longer ones
// of its group: shorter ones of other groups soon show what it takes, and the queue, which the
// kernel stops for each change, needs none by a guess. If they do not, the shortest of all is cut
// first: a guess makes many discards of a long one.

#include <android-base/logging.h>
#include <errno.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "maintenance/trim/mount_pass.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::nanoseconds;

// The first pieces show whether the group is as its map says.
constexpr int kEnoughMisses = 2;
// So many pieces of all groups together are postponed: 16 KiB.
constexpr size_t kMaxPostponed = 512;
// The superblock, the group descriptors and what follows them: never free. The kernel takes a range
// seriously that reaches beyond the first data block, which is 1 with blocks of 1 KiB.
constexpr uint64_t kNeverFreeBlocks = 3;

}  // namespace

void MountPass::TrimBySlice(const std::string& why) {
    LOG(DEBUG) << selection_.path << ": " << why << "; trimming whole groups";
    by_piece_ = false;
    if (discards_.has_value()) discards_->NotByExtent();
    FitQueue();
}

Result<void> MountPass::TrimPiece(TrimSession& session, const FreePiece& piece, uint64_t longest,
                                  uint64_t* bytes) {
    // Before the short ones, once it is known: the kernel needs some of its windows of 100 ms
    // (block/blk-wbt.c) until it lets single discards through.
    const bool known = discards_.has_value() && discards_->knows_cost();
    FitQueueTo(known ? longest : piece.bytes / piece.extents);
    const bool is_noticed =
            discards_.has_value() &&
            discards_->IsNoticed(std::min(piece.bytes / piece.extents, queue_bytes_));
    if (is_noticed) {
        AwaitLull();
        watch_->BeginDiscard();
    }
    nanoseconds took{};
    const TrimAnswer answer =
            TRY(TrimWhole(session, {.start = piece.start, .length = piece.length}, &took));
    *bytes = answer.bytes;
    if (answer.bytes == 0) return {};
    if (discards_.has_value()) {
        const uint64_t length = answer.bytes / piece.extents;
        const uint64_t limit = queue_bytes_;
        largest_ = std::max(largest_, std::min(length, limit));
        // Those that were not cut show what discards of their size cost.
        uint64_t shown = limit;
        while (shown / 2 >= length) shown /= 2;
        discards_->Add({.limit_bytes = shown,
                        .discards = piece.extents * discards_->DiscardsOf(length, limit),
                        .bytes = answer.bytes,
                        .took = took,
                        .extents = piece.extents,
                        .waited = is_noticed && !watch_->WasAlone()});
    }
    Pace(took);
    return {};
}

bool MountPass::MustPostpone(uint64_t extent_bytes, const GroupWork& work) {
    if (!discards_.has_value() || !discards_->Postpones()) return false;
    if (!discards_->MustCut(extent_bytes, queue_bytes_)) return false;
    size_t pieces = work.map.pieces.size();
    for (const GroupWork& other : postponed_) pieces += other.map.pieces.size();
    if (pieces > kMaxPostponed) discards_->NothingShorter();
    if (discards_->IsPostponing()) return true;
    return std::any_of(postponed_.begin(), postponed_.end(),
                       [&](const GroupWork& other) { return other.NextLength() < extent_bytes; });
}

void MountPass::Postpone(GroupWork work) {
    work.map.pieces.shrink_to_fit();
    postponed_.push_back(std::move(work));
}

uint64_t MountPass::Done() const {
    uint64_t done = position_;
    for (const GroupWork& work : postponed_) done = std::min(done, work.group.start);
    return done;
}

Result<void> MountPass::TrimPostponed(TrimSession& session) {
    while (!postponed_.empty()) {
        const auto shortest = std::min_element(postponed_.begin(), postponed_.end(),
                                               [](const GroupWork& one, const GroupWork& other) {
                                                   return one.NextLength() < other.NextLength();
                                               });
        GroupWork work = std::move(*shortest);
        postponed_.erase(shortest);
        const Result<void> done = TrimWork(session, &work);
        if (!done.ok()) {
            // The next run begins with it.
            Postpone(std::move(work));
            return done;
        }
    }
    postponed_.shrink_to_fit();
    return {};
}

Result<void> MountPass::TrimWork(TrimSession& session, GroupWork* work) {
    watch_->BeginSlice();
    // Groups are whole since others have shown that the kernel marks them early.
    const Result<void> done = by_piece_ ? TrimMapped(session, work) : TrimMarked(session, *work);
    watch_->EndSlice();
    if (!done.ok()) NoteStop(done.error().code());
    return done;
}

// The kernel may have marked it when a part of it was trimmed.
Result<void> MountPass::TrimMarked(TrimSession& session, const GroupWork& work) {
    TRY(SetLastLength(session, work.map.longest + plan_.block_bytes));
    nanoseconds took{};
    TRY(TrimWhole(session, work.group, &took));
    ++receipt_.slices;
    return {};
}

Result<MountPass::Group> MountPass::TrimPieces(TrimSession& session, GroupWork* work) {
    std::vector<FreePiece>& pieces = work->map.pieces;
    size_t next = 0;
    while (next < pieces.size()) {
        if (MustStop()) return Error(EINTR) << "stopped";
        const FreePiece& piece = pieces[next];
        const uint64_t length = piece.bytes / piece.extents;
        if (MustPostpone(length, *work)) {
            pieces.erase(pieces.begin(), pieces.begin() + static_cast<ptrdiff_t>(next));
            return Group::kPostponed;
        }
        uint64_t bytes = 0;
        // A group that was trimmed before needs no other queue: the first piece shows it.
        TRY(TrimPiece(session, piece, work->hits > 0 ? work->map.longest : length, &bytes));
        ++next;
        // Somebody may have taken one of them meanwhile.
        if (bytes == 0) ++work->misses;
        if (bytes != 0 && work->hits++ == 0) work->misses = 0;
        if (work->hits < 2 && work->misses == kEnoughMisses) break;
    }
    if (work->hits == 0) return Group::kTrimmedBefore;
    return work->hits == 1 && work->misses > 0 ? Group::kMarkedEarly : Group::kByPiece;
}

// ext4 remembers groups that were trimmed as a whole (EXT4_GROUP_INFO_WAS_TRIMMED), for what is as
// long as the shortest extent of the last FITRIM (s_last_trim_minblks): so the first call finds
// nothing that is long enough, and the second one, where nothing is ever free, sets the length
// back. What is freed meanwhile takes the mark off again, as it does within one FITRIM.
Result<void> MountPass::MarkTrimmed(TrimSession& session, const TrimRange& group,
                                    uint64_t longest) {
    nanoseconds took{};
    const TrimRange none = {.start = group.start,
                            .length = group.length,
                            .min_bytes = longest + plan_.block_bytes};
    TRY(TrimWhole(session, none, &took));
    return SetLastLength(session, 0);
}

// So that groups that are marked are taken for trimmed by FITRIMs of this length and more only.
Result<void> MountPass::SetLastLength(TrimSession& session, uint64_t bytes) {
    nanoseconds took{};
    const TrimRange never_free = {.length = kNeverFreeBlocks * plan_.block_bytes,
                                  .min_bytes = bytes};
    TRY(TrimWhole(session, never_free, &took));
    return {};
}

Result<void> MountPass::TrimGroup(TrimSession& session, const TrimRange& group) {
    TrimRange wanted = group;
    wanted.min_bytes = std::max(plan_.block_bytes, granularity_);
    Result<FreeMap> map = session.Free(wanted, stop_);
    if (!map.ok()) {
        const int code = map.error().code();
        if (code == EINTR || code == ECHILD) {
            NoteStop(code);
            return map.error();
        }
        if (code == E2BIG) {
            FitQueue();
        } else {
            TrimBySlice(map.error().message());
        }
        return TrimSlice(session, group);
    }
    // Nothing that is worth a discard: the kernel finds that out, or that the group is beyond the
    // end.
    if (map->pieces.empty()) return TrimSlice(session, group);
    if (discards_.has_value()) {
        for (const FreePiece& piece : map->pieces) {
            discards_->AddExtents(piece.extents, piece.bytes / piece.extents);
        }
        discards_->ChooseKnown();
    }
    // Shortest first: what these cost says how long the others may be.
    std::stable_sort(map->pieces.begin(), map->pieces.end(),
                     [](const FreePiece& one, const FreePiece& other) {
                         return one.bytes < other.bytes;
                     });
    GroupWork work{.group = group, .map = std::move(*map)};
    return TrimWork(session, &work);
}

Result<void> MountPass::TrimMapped(TrimSession& session, GroupWork* work) {
    const TrimRange group = work->group;
    const FreeMap& map = work->map;
    if (map.bytes == map.longest) {
        if (MustPostpone(map.longest, *work)) {
            Postpone(std::move(*work));
            return {};
        }
        uint64_t bytes = 0;
        TRY(TrimPiece(session,
                      {.start = group.start,
                       .length = group.length,
                       .bytes = map.longest,
                       .extents = 1},
                      map.longest, &bytes));
        ++receipt_.slices;
        return {};
    }
    switch (TRY(TrimPieces(session, work))) {
        case Group::kPostponed:
            Postpone(std::move(*work));
            return {};
        case Group::kByPiece:
            TRY(MarkTrimmed(session, group, map.longest));
            ++receipt_.slices;
            return {};
        case Group::kMarkedEarly:
            // Linux before 5.18 ("ext4: mark group as trimmed only if it was fully scanned").
            TrimBySlice("the kernel takes a group for trimmed once a part of it is");
            return TrimMarked(session, *work);
        case Group::kTrimmedBefore:
            break;
    }
    nanoseconds took{};
    TRY(TrimWhole(session, group, &took));
    ++receipt_.slices;
    return {};
}

}  // namespace storekeeper
