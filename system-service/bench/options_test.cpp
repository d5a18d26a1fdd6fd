// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Verb = BenchOptions::Verb;

TEST(BenchOptionsTest, Reads) {
    auto run = ParseBenchOptions({"run", "--matrix", "seed", "--dir", "/x", "--repeat", "7",
                                  "--fio", "/y/fio", "--output", "/z", "--json"});
    ASSERT_TRUE(run.ok()) << run.error();
    EXPECT_EQ(Verb::kRun, run->verb);
    EXPECT_EQ("seed", run->matrix);
    EXPECT_EQ("/x", run->folder);
    EXPECT_EQ(7u, run->repeat);
    EXPECT_EQ("/y/fio", run->fio);
    EXPECT_EQ("/z", run->output);
    EXPECT_TRUE(run->json);

    auto age = ParseBenchOptions({"age", "--until-free", "24M", "--churn", "5988", "--keep"});
    ASSERT_TRUE(age.ok()) << age.error();
    EXPECT_EQ(Verb::kAge, age->verb);
    EXPECT_EQ(24u << 20, age->until_free_bytes);
    EXPECT_EQ(5988u, age->churn);
    EXPECT_TRUE(age->keep);

    EXPECT_EQ(Verb::kHelp, ParseBenchOptions({"age", "--help"})->verb);

    auto compare = ParseBenchOptions({"compare", "a.json", "b.json"});
    ASSERT_TRUE(compare.ok()) << compare.error();
    EXPECT_THAT(compare->results, ElementsAre("a.json", "b.json"));
    EXPECT_EQ(Verb::kHelp, ParseBenchOptions({"run", "--help"})->verb);
    EXPECT_EQ(Verb::kHelp, ParseBenchOptions({"run", "-h"})->verb);
    EXPECT_EQ(Verb::kHelp, ParseBenchOptions({"--help"})->verb);
}

TEST(BenchOptionsTest, RefusesWhatItDoesNotKnow) {
    struct Row {
        std::vector<std::string> arguments;
        const char* error;
    };
    for (const Row& row :
         {Row{{}, "no command"},
          Row{{"fly"}, "unknown command 'fly'"},
          Row{{"run", "--churn", "3"}, "unknown argument '--churn'"},
          Row{{"run", "--dir"}, "--dir needs a value"},
          Row{{"run", "--dir", ""}, "needs a value"},
          Row{{"run", "--matrix"}, "--matrix needs a value"},
          Row{{"run", "--repeat"}, "--repeat needs a value"},
          Row{{"run", "--fio"}, "--fio needs a value"},
          Row{{"run", "--output", ""}, "--output needs a value"},
          Row{{"age", "--until-free"}, "--until-free needs a value"},
          Row{{"age", "--churn", "4294967296"}, "is not a number from 0 to 4294967295"},
          Row{{"run", "--repeat", "-1"}, "'-1' is not a number"},
          Row{{"run", "--repeat", "0"}, "measures nothing"},
          Row{{"run", "x"}, "unknown argument"},
          Row{{"age", "--until-free", "3x"}, "'3x' is not a size"},
          Row{{"age", "--matrix", "seed"}, "unknown argument"},
          Row{{"age"}, "age needs --until-free SIZE"},
          Row{{"age", "--dir", "/x", "--keep"}, "fills the file system of --dir /x until"},
          Row{{"compare", "a"}, "needs two result files"},
          Row{{"compare", "a", "b", "c"}, "needs two result files"},
          Row{{"compare", "--dir", "/x"}, "unknown argument '--dir'"},
          Row{{"compare", "a", ""}, "unknown argument ''"},
          Row{{"compare", "-a", "b"}, "unknown argument '-a'"}}) {
        auto options = ParseBenchOptions(row.arguments);
        ASSERT_FALSE(options.ok()) << row.error;
        EXPECT_THAT(options.error().message(), HasSubstr(row.error));
    }
}

TEST(BenchOptionsTest, MatricesAndJobFiles) {
    EXPECT_EQ("/system_ext/etc/storekeeper/fio/seed.fio", JobFilePath("seed"));
    EXPECT_EQ("mine.fio", JobFilePath("mine.fio"));
    EXPECT_EQ("./mine", JobFilePath("./mine"));
}

TEST(BenchOptionsTest, Sizes) {
    EXPECT_EQ(0u, *ParseBenchSize("0"));
    EXPECT_EQ(4096u, *ParseBenchSize("4096"));
    EXPECT_EQ(4096u, *ParseBenchSize("4K"));
    EXPECT_EQ(8u << 20, *ParseBenchSize("8m"));
    EXPECT_EQ(3ULL << 40, *ParseBenchSize("3T"));
    for (const char* bad : {"", "M", "-1M", "1.5G", "4b", "16777216T", "99999999999999999999"}) {
        EXPECT_FALSE(ParseBenchSize(bad).ok()) << bad;
    }
}

}  // namespace
}  // namespace storekeeper
