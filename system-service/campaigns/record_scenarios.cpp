// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include "base/record_file.h"
#include "campaigns/scenario.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kName[] = "state.log";
// Kinds of which one record is in force. The other such kinds take the same path as these.
constexpr RecordKind kSingle[] = {RecordKind::kState, RecordKind::kCursors, RecordKind::kAlerts};

std::string Payload(int64_t step) {
    return "step " + std::to_string(step);
}

// -1 if the payload is no step.
int64_t StepOf(const std::string& payload) {
    int64_t step = -1;
    if (!payload.starts_with("step ")) return -1;
    const size_t end = payload.find(' ', 5);
    return android::base::ParseInt(payload.substr(5, end - 5), &step, int64_t{0}) ? step : -1;
}

// Stores the memory of runs, the cursors, the alerts and the receipts, as a run does.
class Records : public Scenario {
  public:
    Records(std::string name, int64_t before, int64_t steps, size_t receipt_bytes)
          : name_(std::move(name)), before_(before), steps_(steps), receipt_bytes_(receipt_bytes) {}

    std::string name() const override { return name_; }

    DiskImage Begin() override {
        CrashDisk disk;
        CrashMarks marks;
        std::vector<std::string> errors;
        if (before_ > 0) Steps(&disk, 1, before_, &marks, &errors);
        return disk.image();
    }

    std::vector<std::string> Work(ScenarioDisk* disk) override {
        std::vector<std::string> errors;
        CrashMarks marks{.begun = before_, .kept = before_};
        disk->Mark(marks);
        Steps(disk, before_ + 1, before_ + steps_, &marks, &errors);
        return errors;
    }

    std::string Check(ScenarioDisk* disk, const CrashMarks& marks) override {
        RecordFile file(*disk, disk->Path(kName));
        return CheckFile(file, marks);
    }

    std::string GoOn(ScenarioDisk* disk, const CrashMarks& marks) override {
        const int64_t next = marks.begun + 1;
        {
            RecordFile file(*disk, disk->Path(kName));
            if (const Result<void> can = file.CheckWritable(); !can.ok()) {
                return can.error().message();
            }
            Put(&file, next);
            if (const Result<void> written = file.Write(); !written.ok()) {
                return written.error().message();
            }
        }
        const RecordFile file(*disk, disk->Path(kName));
        if (file.Last(RecordKind::kState) != Payload(next)) return "a new record is lost";
        return CheckFile(file, {.begun = next, .kept = marks.kept});
    }

  protected:
    void Put(RecordFile* file, int64_t step) const {
        for (const RecordKind kind : kSingle) file->Put(kind, Payload(step));
        file->Put(RecordKind::kReceipt, Payload(step) + " " + std::string(receipt_bytes_, 'r'));
    }

    void Steps(ScenarioDisk* disk, int64_t first, int64_t last, CrashMarks* marks,
               std::vector<std::string>* errors) const {
        RecordFile file(*disk, disk->Path(kName));
        for (int64_t step = first; step <= last; ++step) {
            marks->begun = step;
            disk->Mark(*marks);
            Put(&file, step);
            const Result<void> written = file.Write();
            if (written.ok()) marks->kept = step;
            if (!written.ok()) errors->push_back(written.error().message());
            disk->Mark(*marks);
        }
    }

    static std::string CheckFile(const RecordFile& file, const CrashMarks& marks) {
        for (const std::string& note : file.notes()) {
            if (note.find("damaged line") == std::string::npos) return note;
        }
        for (const RecordKind kind : kSingle) {
            const std::string payload = file.Last(kind);
            const int64_t step = payload.empty() ? 0 : StepOf(payload);
            if (step < marks.kept || step > marks.begun) {
                return "record " + std::to_string(static_cast<int>(kind)) + " is '" + payload +
                       "'; kept is " + std::to_string(marks.kept) + ", begun " +
                       std::to_string(marks.begun);
            }
        }
        // Each acknowledged receipt is there, newest first, except for the surplus.
        int64_t above = marks.begun + 1;
        int64_t missing = marks.kept;
        for (const std::string& receipt : file.Last(RecordKind::kReceipt, 99)) {
            const int64_t step = StepOf(receipt);
            if (step < 1 || step >= above) return "receipt '" + receipt.substr(0, 20) + "'";
            if (step < missing) return "receipt " + std::to_string(missing) + " is lost";
            if (step == missing) --missing;
            above = step;
        }
        const auto held = static_cast<size_t>(marks.kept - missing);
        if (missing > 0 && held < RecordFile::kMaxReceipts && !IsFull(file)) {
            return "receipt " + std::to_string(missing) + " is lost";
        }
        return "";
    }

  private:
    // True if older receipts must go, because there are this many bytes of them.
    static bool IsFull(const RecordFile& file) {
        size_t bytes = 0;
        size_t longest = 0;
        for (const std::string& receipt : file.Last(RecordKind::kReceipt, 99)) {
            bytes += receipt.size();
            longest = std::max(longest, receipt.size());
        }
        return bytes + longest + 2 > RecordFile::kMaxReceiptBytes;
    }

    const std::string name_;
    const int64_t before_;
    const int64_t steps_;
    const size_t receipt_bytes_;
};

// The existing file is not ours. It is set aside, and a new one is begun.
class Garbage : public Records {
  public:
    Garbage() : Records("garbage", 0, 3, 200) {}

    DiskImage Begin() override {
        DiskImage image;
        image.Put(kName, std::string(3000, 'x'));
        image.Put(std::string(kName) + ".corrupt", "an earlier one");
        return image;
    }
    std::string Check(ScenarioDisk* disk, const CrashMarks& marks) override {
        const std::string wrong = Records::Check(disk, marks);
        return wrong.find("The memory of earlier runs was lost") == 0 && marks.kept == 0 ? ""
                                                                                         : wrong;
    }
};

}  // namespace

std::vector<MakeScenario> RecordScenarios() {
    return {[] { return std::make_unique<Records>("records-first", 0, 4, 300); },
            [] { return std::make_unique<Records>("records", 5, 25, 700); },
            // The records grow beyond the file's limit, so that it is written anew.
            [] { return std::make_unique<Records>("records-full", 50, 14, 900); },
            [] { return std::make_unique<Garbage>(); }};
}

}  // namespace storekeeper
