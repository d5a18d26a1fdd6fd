// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Replays the ageing of a phone (new, filled, random writes, idle with and without trim) on the
// flash translation layer alone and prints the table, so that a profile can be calibrated without
// booting anything. The file system is reduced to what the card sees of it: where files lie, a few
// journal blocks at each fsync.
//
//   ftl_sim [NAME=VALUE...]     any parameter of vemmc.ko, and:
//     seed=N       of the random offsets
//     host_us=N    what the host adds to each command
//     cache_mib=N  size of /cache, written and deleted once before the fill
//     idle_s=N     the quiet time at the end
//     bands=1      exit 1 if a figure leaves its band: fresh within 10 % of the Nexus 7 (2012) of
//                  AnandTech 2013; mean of the three runs at most 20 % (sequential write) and 35 %
//                  (random write) of fresh; after idle and trim at least 95 % of fresh; without the
//                  trim random write below 35 %

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" {
#include "../ftl/ftl.h"
#include "../ftl/ftl_config.h"
}

namespace {

constexpr uint32_t kMiB = FTL_PAGES_PER_MIB;
constexpr uint32_t kBenchMiB = 4;
constexpr uint32_t kSequentialPages = 64;  // 256 KiB, the seeds' sequential size
constexpr uint32_t kSequentialCount = 16;
constexpr uint32_t kRandomCount = 192;
constexpr uint32_t kMetadataMiB = 34;  // inode tables and journal, written by mke2fs
constexpr uint32_t kJournalMiB = 16;
constexpr uint32_t kFreeMiB = 24;
constexpr uint32_t kTortureMiB = 22;
constexpr uint32_t kTortureWrites = 5988;
constexpr uint64_t kSecond = 1000000000;

struct Options {
    ftl_config card = ftl_config_default();
    ftl_model model = FTL_HYBRID;
    std::map<std::string, uint32_t, std::less<>> sim = {{"seed", 1},
                                                        {"host_us", 50},
                                                        {"cache_mib", 32},
                                                        {"idle_s", 600},
                                                        {"bands", 0}};
};

// MB/s, as the seeds' tables have it.
struct Row {
    double seq_read;
    double seq_write;
    double rand_read;
    double rand_write;
};

class Phone {
  public:
    Phone(struct ftl* card, const Options& options)
          : card_(card),
            random_(options.sim.at("seed")),
            host_ns_(options.sim.at("host_us") * 1000ull),
            cache_mib_(options.sim.at("cache_mib")),
            idle_s_(options.sim.at("idle_s")),
            journal_start_(kMiB + cache_mib_ * kMiB),
            files_(journal_start_ + kMetadataMiB * kMiB) {}

    void MakeFileSystems() {
        Write(0, 9);  // the partition table
        WriteFile(journal_start_, kMetadataMiB * kMiB);
        WriteFile(card_->p.pages - kMiB / 2, kMiB / 2);  // the end is never a file's
        Fsync();
    }

    void Fill() {
        WriteFile(kMiB, cache_mib_ * kMiB - kMiB / 2);
        fill_end_ = card_->p.pages - kMiB / 2 - kFreeMiB * kMiB;
        WriteFile(files_, fill_end_ - files_);
        Fsync();
        WriteFile(fill_end_, kTortureMiB * kMiB);
        for (uint32_t i = 0; i < kTortureWrites; i++) {
            Write(fill_end_ + random_() % (kTortureMiB * kMiB), 1);
        }
        Fsync();
        Fsync();  // the deletion
    }

    Row Run() {
        const uint32_t file = fill_end_ == 0 ? files_ : fill_end_;
        Row row{};
        row.seq_write = Sequential(file, true);
        row.seq_read = Sequential(file, false);
        row.rand_read = Random(file, false);
        row.rand_write = Random(file, true);
        Fsync();  // the deletion
        return row;
    }

    void Trim() {
        Spend(ftl_trim(card_, now_, kMiB, cache_mib_ * kMiB - kMiB / 2));
        Spend(ftl_trim(card_, now_, fill_end_, kFreeMiB * kMiB));
    }

    void Idle() { now_ += idle_s_ * kSecond; }

  private:
    void Spend(uint64_t service) { now_ += service + host_ns_; }
    void Write(uint32_t page, uint32_t count) { Spend(ftl_write(card_, now_, page, count)); }
    void Read(uint32_t page, uint32_t count) { Spend(ftl_read(card_, now_, page, count)); }

    void WriteFile(uint32_t page, uint32_t count) {
        for (uint32_t done = 0; done < count; done += 2 * kSequentialPages) {
            Write(page + done, std::min(2 * kSequentialPages, count - done));
        }
    }

    // A transaction: its blocks to the journal, the commit record between two flushes.
    void Fsync() {
        Write(journal_start_ + journal_, 3);
        Spend(ftl_flush(card_, now_));
        Write(journal_start_ + journal_ + 3, 1);
        Spend(ftl_flush(card_, now_));
        journal_ = (journal_ + 4) % (kJournalMiB * kMiB);
    }

    double Sequential(uint32_t file, bool write) {
        const uint64_t start = now_;
        for (uint32_t i = 0; i < kSequentialCount; i++) {
            const uint32_t page = file + i * kSequentialPages;
            write ? Write(page, kSequentialPages) : Read(page, kSequentialPages);
        }
        if (write) Fsync();
        return MegabytesPerSecond(kSequentialCount * kSequentialPages, now_ - start);
    }

    double Random(uint32_t file, bool write) {
        const uint64_t start = now_;
        for (uint32_t i = 0; i < kRandomCount; i++) {
            const uint32_t page = file + random_() % (kBenchMiB * kMiB);
            write ? Write(page, 1) : Read(page, 1);
        }
        if (write) Spend(ftl_flush(card_, now_));
        return MegabytesPerSecond(kRandomCount, now_ - start);
    }

    static double MegabytesPerSecond(uint64_t pages, uint64_t ns) {
        return static_cast<double>(pages * FTL_PAGE_SIZE) * 1e3 / static_cast<double>(ns);
    }

    struct ftl* card_;
    std::mt19937 random_;
    uint64_t now_ = 0;
    uint64_t host_ns_;
    uint32_t cache_mib_;
    uint32_t idle_s_;
    uint32_t journal_start_;
    uint32_t journal_ = 0;
    uint32_t files_;
    uint32_t fill_end_ = 0;  // 0: not yet filled
};

bool SetOption(std::string_view argument, Options* options) {
    const size_t equals = argument.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = argument.substr(0, equals);
    const std::string_view text = argument.substr(equals + 1);
    if (name == "ftl") {
        options->model = text == "page" ? FTL_PAGE : FTL_HYBRID;
        return text == "page" || text == "hybrid";
    }
    // Parameters of the card around the layer change nothing here.
    if (name == "name" || name == "fwrev") return true;
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
    if (error != std::errc() || end != text.end()) return false;
#define VEMMC_CONFIG(key, unused_default, unused_description) \
    if (name == #key) return true;
#include "../vemmc/vemmc_config_list.h"
#undef VEMMC_CONFIG
#define FTL_CONFIG(key, unused_default, unused_description) \
    if (name == #key) {                                     \
        options->card.key = value;                          \
        return true;                                        \
    }
#include "../ftl/ftl_config_list.h"
#undef FTL_CONFIG
    const auto sim = options->sim.find(name);
    if (sim == options->sim.end()) return false;
    sim->second = value;
    return true;
}

// Rows: fresh, three runs after the fill, after idling. Empty: out of memory.
std::vector<Row> Live(const Options& options, bool trim) {
    const ftl_params params = ftl_config_params(&options.card, options.model);
    struct ftl card = {};
    if (!ftl_init(&card, &params)) return {};
    Phone phone(&card, options);
    phone.MakeFileSystems();
    std::vector<Row> rows = {phone.Run()};
    phone.Fill();
    for (int i = 0; i < 3; i++) rows.push_back(phone.Run());
    std::printf("%s: mapped %llu of %u MiB, free blocks %u, log blocks %u, ",
                trim ? "before trim" : "before idling", ftl_mapped_pages(&card) / 256ull,
                params.pages / kMiB, card.nfree, card.nlog);
    if (trim) phone.Trim();
    phone.Idle();
    rows.push_back(phone.Run());
    std::printf("in the end %llu merges, WAF %.2f, life 0x%02x 0x%02x\n",
                static_cast<unsigned long long>(card.s.full_merges),
                static_cast<double>(card.s.programs) / static_cast<double>(card.s.host_write_pages),
                ftl_life_time_a(&card), ftl_life_time_b(&card));
    ftl_destroy(&card);
    return rows;
}

void Print(const char* state, const Row& row) {
    std::printf("%-14s %9.2f %9.3f %9.2f %9.3f\n", state, row.seq_read, row.seq_write,
                row.rand_read, row.rand_write);
}

bool Within(const char* what, double value, double low, double high) {
    if (value >= low && value <= high) return true;
    std::printf("OUT OF BAND: %s is %.3f, not in [%.3f, %.3f]\n", what, value, low, high);
    return false;
}

bool InBands(const std::vector<Row>& rows, const Row& no_trim) {
    const Row& fresh = rows[0];
    const Row& after = rows[4];
    const double seq = (rows[1].seq_write + rows[2].seq_write + rows[3].seq_write) / 3;
    const double rnd = (rows[1].rand_write + rows[2].rand_write + rows[3].rand_write) / 3;
    const std::array results = {
            Within("fresh sequential read", fresh.seq_read, 25.18 * 0.9, 25.18 * 1.1),
            Within("fresh sequential write", fresh.seq_write, 10.63 * 0.9, 10.63 * 1.1),
            Within("fresh random read", fresh.rand_read, 7.08 * 0.9, 7.08 * 1.1),
            Within("fresh random write", fresh.rand_write, 0.45 * 0.9, 0.45 * 1.1),
            Within("filled sequential write, of fresh", seq / fresh.seq_write, 0, 0.20),
            Within("filled random write, of fresh", rnd / fresh.rand_write, 0, 0.35),
            Within("repaired sequential write, of fresh", after.seq_write / fresh.seq_write, 0.95,
                   1.1),
            Within("repaired random write, of fresh", after.rand_write / fresh.rand_write, 0.95,
                   1.1),
            Within("unrepaired random write, of fresh", no_trim.rand_write / fresh.rand_write, 0,
                   0.35),
    };
    return std::all_of(results.begin(), results.end(), [](bool result) { return result; });
}

int Simulate(const Options& options) {
    const std::vector<Row> rows = Live(options, true);
    const std::vector<Row> untrimmed = Live(options, false);
    if (rows.empty() || untrimmed.empty()) {
        std::fprintf(stderr, "ftl_sim: out of memory\n");
        return 71;
    }
    std::printf("%-14s %9s %9s %9s %9s   MB/s\n", "state", "seq read", "seq write", "rand read",
                "rand write");
    Print("fresh", rows[0]);
    Print("1st run", rows[1]);
    Print("2nd run", rows[2]);
    Print("3rd run", rows[3]);
    Print("idle, trim", rows[4]);
    Print("idle, no trim", untrimmed[4]);
    return options.sim.at("bands") == 0 || InBands(rows, untrimmed[4]) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; i++) {
        if (!SetOption(argv[i], &options)) {
            std::fprintf(stderr, "ftl_sim: %s: not a parameter with a value it can have\n",
                         argv[i]);
            return 64;
        }
    }
    const ftl_params params = ftl_config_params(&options.card, options.model);
    const char* error = ftl_params_error(&params);
    if (error == nullptr && options.card.capacity_mib < options.sim["cache_mib"] + 128) {
        error = "capacity_mib must leave 128 MiB beside /cache";
    }
    if (error != nullptr) {
        std::fprintf(stderr, "ftl_sim: %s\n", error);
        return 64;
    }
    return Simulate(options);
}
