// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "extcsd/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using Source = ExtCsdOptions::Source;
using testing::HasSubstr;

TEST(ExtCsdOptionsTest, Reads) {
    struct Row {
        std::vector<std::string> arguments;
        bool json;
        bool send;
        Source source;
        std::string path;
    };
    const Row rows[] = {
            {{}, false, false, Source::kDefaultDevice, ""},
            {{"--json"}, true, false, Source::kDefaultDevice, ""},
            {{"--send", "/dev/block/mmcblk1"}, false, true, Source::kDevice, "/dev/block/mmcblk1"},
            {{"--file", "-x", "--json"}, true, false, Source::kFile, "-x"},
            {{"-"}, false, false, Source::kStandardInput, ""},
    };
    for (const Row& row : rows) {
        auto options = ParseExtCsdOptions(row.arguments);
        ASSERT_TRUE(options.ok()) << options.error();
        EXPECT_EQ(row.json, options->json);
        EXPECT_EQ(row.send, options->send);
        EXPECT_EQ(row.source, options->source);
        EXPECT_EQ(row.path, options->path);
    }
    EXPECT_TRUE(ParseExtCsdOptions({"--help"})->help);
    EXPECT_TRUE(ParseExtCsdOptions({"-h"})->help);
}

TEST(ExtCsdOptionsTest, RefusesWhatItDoesNotKnow) {
    struct Row {
        std::vector<std::string> arguments;
        const char* error;
    };
    for (const Row& row :
         {Row{{"--xml"}, "unknown option '--xml'"}, Row{{""}, "unknown option ''"},
          Row{{"--file"}, "needs a file"}, Row{{"-", "/dev/x"}, "more than one"},
          Row{{"/dev/x", "-"}, "more than one"}, Row{{"/dev/x", "--file", "y"}, "more than one"}}) {
        auto options = ParseExtCsdOptions(row.arguments);
        ASSERT_FALSE(options.ok());
        EXPECT_THAT(options.error().message(), HasSubstr(row.error));
    }
}

}  // namespace
}  // namespace storekeeper
