// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/crash_states.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace storekeeper {
namespace {

using Kind = DiskOperation::Kind;
using Content = DiskImage::Content;
using Operations = std::vector<DiskOperation>;

constexpr size_t kSector = 512;
// For more changes of names than this, only the beginnings are tried, not every choice.
constexpr size_t kMaxChoices = 5;
// For more writes or sectors than this, evenly spaced ones are tried.
constexpr size_t kMaxPlaces = 24;

// At most kMaxPlaces of the numbers from 1 to `most`, including the first and the last.
std::vector<size_t> Places(size_t most) {
    std::vector<size_t> places;
    const size_t count = std::min(most, kMaxPlaces);
    for (size_t i = 0; i < count; ++i) {
        places.push_back(count < 2 ? 1 : 1 + i * (most - 1) / (count - 1));
    }
    return places;
}

bool Touches(const DiskOperation& one, const DiskOperation& other) {
    const auto names = [](const DiskOperation& of) { return std::set{of.name, of.other}; };
    if (one.file != 0 && one.file == other.file) return true;
    for (const std::string& name : names(one)) {
        if (!name.empty() && names(other).count(name) != 0) return true;
    }
    return false;
}

// The possible choices of the changes of names that are on the disk, as bits.
std::vector<uint32_t> NameChoices(const Operations& pending) {
    std::vector<uint32_t> choices;
    const size_t count = std::min<size_t>(pending.size(), 31);
    if (count > kMaxChoices) {
        for (size_t i = 0; i <= count; ++i) choices.push_back((1U << i) - 1);
        return choices;
    }
    for (uint32_t choice = 0; choice < (1U << count); ++choice) {
        bool possible = true;
        for (size_t i = 0; i < count; ++i) {
            for (size_t before = 0; before < i; ++before) {
                possible = possible && ((choice >> i & 1) == 0 || (choice >> before & 1) == 1 ||
                                        !Touches(pending[i], pending[before]));
            }
        }
        if (possible) choices.push_back(choice);
    }
    return choices;
}

Content With(const Content& durable, const Operations& kept) {
    DiskImage image;
    image.contents[0] = durable;
    for (DiskOperation operation : kept) {
        operation.file = 0;
        Apply(operation, &image);
    }
    return image.contents[0];
}

DiskOperation Part(const DiskOperation& write, size_t from, size_t to) {
    DiskOperation part = write;
    part.offset += from;
    part.data = write.data.substr(from, to - from);
    return part;
}

// The pieces of the write, each within one sector of the disk.
Operations Sectors(const DiskOperation& write) {
    Operations sectors;
    for (size_t from = 0; from < write.data.size();) {
        const size_t in_sector = (write.offset + from) % kSector;
        const size_t to = std::min(write.data.size(), from + kSector - in_sector);
        sectors.push_back(Part(write, from, to));
        from = to;
    }
    return sectors;
}

void AddTorn(const Content& durable, const Operations& pending, size_t torn,
             std::vector<Content>* contents) {
    const Operations sectors = Sectors(pending[torn]);
    if (sectors.size() < 2) return;
    const Operations before(pending.begin(), pending.begin() + static_cast<ptrdiff_t>(torn));
    const auto add = [&](const auto& is_kept) {
        Operations kept = before;
        for (size_t i = 0; i < sectors.size(); ++i) {
            if (is_kept(i)) kept.push_back(sectors[i]);
        }
        contents->push_back(With(durable, kept));
    };
    for (const size_t place : Places(sectors.size() - 1)) {
        add([&](size_t i) { return i < place; });
        add([&](size_t i) { return i >= place; });
    }
    add([](size_t i) { return i % 2 == 0; });
    add([](size_t i) { return i % 2 == 1; });
}

// The possible contents of a file with pending writes and truncations.
std::vector<Content> ContentsOf(const Content& durable, const Operations& pending) {
    const Content all = With(durable, pending);
    std::vector<Content> contents = {durable, all};
    const size_t count = pending.size();
    for (const size_t place : Places(count)) {
        const auto at = pending.begin() + static_cast<ptrdiff_t>(place);
        contents.push_back(With(durable, Operations(pending.begin(), at)));
        contents.push_back(With(durable, {pending[place - 1]}));
        Operations others = pending;
        others.erase(others.begin() + static_cast<ptrdiff_t>(place) - 1);
        contents.push_back(With(durable, others));
    }
    AddTorn(durable, pending, count - 1, &contents);
    if (count > 1) AddTorn(durable, pending, count / 2, &contents);
    if (all->size() > durable->size()) {
        auto zeros = std::make_shared<std::string>(*durable);
        zeros->resize(all->size());
        contents.push_back(std::move(zeros));
    }
    return contents;
}

class Cuts {
  public:
    explicit Cuts(const DiskImage& begin) : durable_(begin) {}

    void Take(const DiskOperation& operation) {
        switch (operation.kind) {
            case Kind::kCreate:
                durable_.contents.try_emplace(operation.file, std::make_shared<std::string>());
                [[fallthrough]];
            case Kind::kRename:
            case Kind::kRemove:
                names_.push_back(operation);
                break;
            case Kind::kWrite:
            case Kind::kTruncate:
                writes_[operation.file].push_back(operation);
                contents_.erase(operation.file);
                break;
            case Kind::kSync:
                durable_.contents[operation.file] =
                        With(durable_.contents.at(operation.file), writes_[operation.file]);
                writes_.erase(operation.file);
                contents_.erase(operation.file);
                break;
            case Kind::kLostSync:
                writes_.erase(operation.file);
                contents_.erase(operation.file);
                break;
            case Kind::kSyncFolder:
                for (const DiskOperation& change : names_) Apply(change, &durable_);
                names_.clear();
                break;
            case Kind::kMark:
                marks_ = operation.marks;
                break;
        }
    }

    // Returns false if `each` did.
    bool ForEach(const std::function<bool(const CrashMarks&, const DiskImage&)>& each) {
        for (const auto& [file, writes] : writes_) {
            if (contents_.count(file) == 0) {
                contents_[file] = ContentsOf(durable_.contents.at(file), writes);
            }
        }
        for (const uint32_t choice : NameChoices(names_)) {
            DiskImage named = durable_;
            for (size_t i = 0; i < names_.size() && i < 31; ++i) {
                if ((choice >> i & 1) != 0) Apply(names_[i], &named);
            }
            if (!ForEachContent(named, each)) return false;
        }
        return true;
    }

    DiskImage Last(bool unsynced_kept) const {
        DiskImage left = durable_;
        if (!unsynced_kept) return left;
        for (const DiskOperation& change : names_) Apply(change, &left);
        for (const auto& [file, writes] : writes_) {
            left.contents[file] = With(left.contents.at(file), writes);
        }
        return left;
    }

  private:
    // Varies each file, with none and with all of the others' writes.
    bool ForEachContent(const DiskImage& named,
                        const std::function<bool(const CrashMarks&, const DiskImage&)>& each) {
        DiskImage left = named;
        for (const size_t others : {0, 1}) {
            for (const auto& [file, contents] : contents_) left.contents[file] = contents[others];
            if (!each(marks_, left)) return false;
            for (const auto& [file, contents] : contents_) {
                for (const Content& content : contents) {
                    left.contents[file] = content;
                    if (!each(marks_, left)) return false;
                }
                left.contents[file] = contents[others];
            }
        }
        return true;
    }

    DiskImage durable_;
    Operations names_;
    std::map<int, Operations> writes_;
    // The possible contents of the files in writes_. The first two are none and all of the writes.
    std::map<int, std::vector<Content>> contents_;
    CrashMarks marks_;
};

}  // namespace

void ForEachCrashState(
        const DiskImage& begin, const Operations& log,
        const std::function<bool(const CrashPoint&, const CrashMarks&, const DiskImage&)>& each) {
    Cuts cuts(begin);
    CrashPoint point;
    for (const DiskOperation& operation : log) {
        cuts.Take(operation);
        ++point.cut;
        point.variant = 0;
        const bool goes_on = cuts.ForEach([&](const CrashMarks& marks, const DiskImage& left) {
            const bool wanted = each(point, marks, left);
            ++point.variant;
            return wanted;
        });
        if (!goes_on) return;
    }
}

DiskImage AfterPowerCut(const DiskImage& begin, const Operations& log, bool unsynced_kept) {
    Cuts cuts(begin);
    for (const DiskOperation& operation : log) cuts.Take(operation);
    return cuts.Last(unsynced_kept);
}

}  // namespace storekeeper
