// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <chrono>
#include <optional>
#include <string_view>

#include "base/quantity_text.h"
#include "maintenance/canary/canary.h"
#include "report/report.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

std::string BytesText(const std::optional<uint64_t>& bytes) {
    return bytes.has_value() ? SizeText(*bytes) : "an unknown number of bytes";
}

std::string TimeText(std::chrono::nanoseconds time) {
    return std::to_string(std::chrono::floor<std::chrono::milliseconds>(time).count()) + " ms";
}

// Figures of a mount that was trimmed, in parentheses.
std::string FiguresText(const MountReceipt& mount) {
    std::string text = " (" + BytesText(mount.block_layer_bytes) + " discarded on the device; " +
                       TimeText(mount.duration) + " in total, " + TimeText(mount.trimming) +
                       " in " + Counted(mount.fitrim_calls, "FITRIM call");
    if (mount.discard_bytes.has_value() && mount.discard_time.has_value()) {
        text += "; discards of at most " + SizeText(*mount.discard_bytes) +
                StringPrintf(", %.1f ms each",
                             static_cast<double>(mount.discard_time->count()) / 1e6);
    }
    text += ")\n";
    return mount.note.empty() ? text : text + "  " + mount.note + "\n";
}

// The canary's verdict on discards of this mount's chip.
std::string CanaryText(const MountReceipt& mount) {
    if (mount.canary.empty()) return "";
    std::string text = "  Canary: " + mount.canary;
    if (!mount.canary_note.empty()) text += ", " + mount.canary_note;
    if (mount.canary_written_bytes != 0) {
        text += "; " + SizeText(mount.canary_written_bytes) + " written";
    }
    return text + "\n";
}

std::string MountText(const MountReceipt& mount, bool brief) {
    if (mount.outcome != TrimOutcome::kTrimmed) return mount.reason + "\n";
    return "Trimmed " + BytesText(mount.filesystem_bytes) + " on " + mount.mount +
           (brief ? " in " + TimeText(mount.duration) + "\n" : FiguresText(mount));
}

// One line: "Defragment: done, 128 MiB are fragmented; 256 MiB written in 5400 ms".
std::string ActionText(const ActionReceipt& action) {
    std::string text = ActionTitle(action.action) + ": " + std::string(NameOf(action.outcome)) +
                       ", " + action.note;
    if (action.written_bytes != 0) {
        text += "; " + SizeText(action.written_bytes) + " written";
    }
    return text + " in " + TimeText(action.duration) + "\n";
}

std::string RunText(const TrimReceipt& run, bool brief = false) {
    std::string text =
            WallTimeText(run.started_wall) + (run.manual ? ", by command, " : ", by the policy, ") +
            std::string(OutcomeFactsOf(run.outcome).name) + ", " + TimeText(run.duration) + "\n";
    for (const MountReceipt& mount : run.mounts) {
        text += "  " + MountText(mount, brief) + (brief ? "" : CanaryText(mount));
    }
    text += MountsLeftOutText(run.mounts_left_out);
    if (run.mounts.empty()) text += "  " + run.reason + "\n";
    for (const ActionReceipt& action : run.actions) text += "  " + ActionText(action);
    return text;
}

// The lines after the gates: mounts, last runs and notes.
std::string RunsText(const KeeperStatus& status, bool brief) {
    std::string text;
    if (!status.report_only) {
        const auto& last = status.state.last_complete;
        text = "Mounts: " + android::base::Join(status.mounts, ' ') +
               "\nLast complete run: " + (last.has_value() ? WallTimeText(last->wall) : "never") +
               "\n";
    }
    if (status.last_run.has_value()) text += "Last run: " + RunText(*status.last_run, brief);
    for (const std::string& note : status.notes) text += "Note: " + note + "\n";
    return text;
}

const HealthItem* ItemOf(const HealthReport& health, std::string_view name) {
    for (const HealthItem& item : health.storage.items) {
        if (item.name == name) return &item;
    }
    return nullptr;
}

// An item's value, such as "VEMMC1"; "?" if it is not reported.
std::string ValueOf(const HealthReport& health, std::string_view name) {
    const HealthItem* item = ItemOf(health, name);
    return item == nullptr ? "?" : item->value.value_or("?");
}

std::string ExplanationOf(const HealthReport& health, std::string_view name,
                          const std::string& before) {
    const HealthItem* item = ItemOf(health, name);
    return item == nullptr || item->explanation.empty() ? "" : before + item->explanation;
}

std::string ChipText(const HealthReport& health) {
    if (health.storage.device.empty()) return "";
    const std::string text = "Chip: " + health.storage.device + ", ";
    if (health.storage.kind == StorageHealth::Kind::kUfs) {
        return text + ValueOf(health, "product_name") + " by " +
               ValueOf(health, "manufacturer_name") + ", firmware " +
               ValueOf(health, "product_revision") +
               ExplanationOf(health, "specification_version", ", ") + "\n";
    }
    return text + ValueOf(health, "name") + ExplanationOf(health, "manfid", " by ") +
           ", firmware " + ValueOf(health, "fwrev") + ExplanationOf(health, "rev", ", ") +
           ", made " + ValueOf(health, "date") + "\n";
}

std::string ItemText(const HealthItem& item) {
    const std::string name = StringPrintf("  %-20s ", item.name.c_str());
    if (item.value.has_value()) {
        return name + *item.value +
               (item.explanation.empty() ? "" : "  (" + item.explanation + ")") + "\n";
    }
    return name + (item.problem.empty() ? "not reported" : "could not be read: " + item.problem) +
           "\n";
}

// Source and age of the wear figures, and the problems of other sources.
std::string SourcesText(const HealthReport& health) {
    std::string text;
    for (const WearSource& source : health.sources) {
        if (source.name == health.wear_source) {
            text += "Wear from " + source.name + ": " + source.age + "\n";
        } else if (!source.problem.empty()) {
            text += source.name + ": wear not available: " + source.problem + "\n";
        }
    }
    return text;
}

}  // namespace

std::string WrapText(const std::string& text, std::optional<size_t> indent) {
    std::string wrapped;
    for (std::string line : android::base::Split(text, "\n")) {
        line.erase(line.find_last_not_of(' ') + 1);
        if (line.empty()) continue;
        const size_t first = line.find_first_not_of(' ');
        const std::string blanks(indent.value_or(first + 4), ' ');
        size_t begin = first;
        while (line.size() > kScreenColumns) {
            size_t end = line.rfind(' ', kScreenColumns);
            // A word longer than a line is not broken.
            if (end == std::string::npos || end < begin) end = line.find(' ', begin);
            if (end == std::string::npos) break;
            wrapped += line.substr(0, line.find_last_not_of(' ', end) + 1) + "\n";
            line = blanks + line.substr(line.find_first_not_of(' ', end));
            begin = blanks.size();
        }
        wrapped += line + "\n";
    }
    return wrapped;
}

std::string ReceiptText(const TrimReceipt& receipt) {
    std::string text;
    for (const MountReceipt& mount : receipt.mounts) {
        if (mount.outcome == TrimOutcome::kTrimmed) {
            text += MountText(mount, false) + CanaryText(mount);
        }
    }
    for (const ActionReceipt& action : receipt.actions) text += ActionText(action);
    return text;
}

std::string ReceiptsText(const std::vector<TrimReceipt>& receipts) {
    if (receipts.empty()) return "No run yet.\n";
    std::string text;
    for (const TrimReceipt& receipt : receipts) text += RunText(receipt);
    return text;
}

std::string WarningsText(const KeeperStatus& status) {
    std::string text;
    for (const ChipTrust& trust : status.chips) {
        if (trust.state == ChipTrust::State::kQuarantined) {
            text += "Warning: " + QuarantineText(trust) + "\n";
        }
    }
    return status.state_problem.empty() ? text : text + "Warning: " + status.state_problem + "\n";
}

std::string StatusText(const KeeperStatus& status) {
    return WhyText(status) + RunsText(status, false);
}

std::string StatusBrief(const KeeperStatus& status) {
    return WhyBrief(status) + RunsText(status, true);
}

std::string HealthText(const HealthReport& health) {
    std::string text = health.verdict.line + "\n" + ChipText(health);
    for (const HealthItem& item : health.storage.items) {
        if (!item.detail) text += ItemText(item);
    }
    text += SourcesText(health);
    if (health.ext_csd.has_value()) {
        text += "  EXT_CSD              received from storekeeper_extcsd, see --json\n";
    }
    return text;
}

std::string HealthBrief(const HealthReport& health) {
    std::string text = health.verdict.line + "\n" + ChipText(health);
    for (const HealthItem& item : health.storage.items) {
        if (!item.detail && !item.problem.empty())
            text += "  could not be read: " + item.problem + "\n";
    }
    return text;
}

}  // namespace storekeeper
