// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Tests which records of a record file's text are accepted.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/record_file.h"
#include "testing/record_lines.h"

namespace storekeeper {
namespace {

using Record = RecordFile::Record;

std::string Sample() {
    return RecordFile::Format({{RecordKind::kState, "a=1\tb=2"},
                               {RecordKind::kReceipt, "{\"outcome\":\"trimmed\"}"},
                               {RecordKind::kCursors, ""}});
}

struct ParseCase {
    const char* name;
    std::string text;
    std::string state;  // the payload in force
    size_t damaged = 0;
};

class RecordParseTest : public testing::TestWithParam<ParseCase> {};

TEST_P(RecordParseTest, SkipsWhatIsDamaged) {
    const auto parsed = RecordFile::Parse(GetParam().text);
    ASSERT_TRUE(parsed.ok()) << parsed.error();
    EXPECT_EQ(GetParam().damaged, parsed->damaged);
    std::string state;
    for (const Record& record : parsed->records) state += record.payload;
    EXPECT_EQ(GetParam().state, state);
}

INSTANTIATE_TEST_SUITE_P(
        All, RecordParseTest,
        testing::Values(
                ParseCase{"Empty", kRecordHeader, ""},
                ParseCase{"Padded", std::string(kRecordHeader) + "\n\n\n", ""},
                ParseCase{"TheNewestIsInForce",
                          kRecordHeader + RecordLine("state", "1") + RecordLine("state", "2"), "2"},
                ParseCase{"WithoutItsNewline",
                          kRecordHeader + RecordLine("state", "1") + "\n\nstate", "1", 1},
                ParseCase{"TornTail",
                          kRecordHeader + RecordLine("state", "1") +
                                  RecordLine("state", "2").substr(0, 23),
                          "1", 1},
                ParseCase{"TornWithinThePadding",
                          kRecordHeader + RecordLine("state", "1") +
                                  RecordLine("state", "2").substr(0, 9) + "\n\n" +
                                  RecordLine("state", "3").substr(9),
                          "1", 2},
                ParseCase{"WrongChecksum",
                          kRecordHeader + RecordLine("state", "1") + "state 0123456789abcdef 2\n",
                          "1", 1},
                ParseCase{"AnothersChecksum",
                          kRecordHeader + RecordLine("state", "1") + "cursors" +
                                  RecordLine("state", "2").substr(5),
                          "1", 1},
                ParseCase{"UnknownKind",
                          kRecordHeader + RecordLine("later", "x") + RecordLine("state", "1"), "1"},
                ParseCase{"NoKind", kRecordHeader + RecordLine("", "x") + RecordLine("state", "1"),
                          "1"},
                ParseCase{"ALineThatIsBinary",
                          kRecordHeader + std::string("\0\1\2 \n", 5) + RecordLine("state", "1"),
                          "1", 1},
                ParseCase{"TooLong",
                          kRecordHeader + RecordLine("state", "1") +
                                  RecordLine("state",
                                             std::string(RecordFile::kMaxPayloadBytes + 1, 'x')),
                          "1", 1}),
        [](const auto& row) { return row.param.name; });

TEST(RecordParseTest, AnotherHeaderIsRefused) {
    for (const char* text : {"", "\n", "garbage\n", "storekeeper-records 2\n", "storekeeper-record",
                             "\nstorekeeper-records 1\n", "storekeeper-records 1 \n"}) {
        EXPECT_FALSE(RecordFile::Parse(text).ok()) << text;
    }
}

TEST(RecordParseTest, EveryTruncationAndEveryFlippedByteIsNoticed) {
    const std::string good = Sample();
    ASSERT_EQ(3U, RecordFile::Parse(good)->records.size());
    for (size_t i = 0; i + 1 < good.size(); ++i) {
        for (std::string bad : {good.substr(0, i), good}) {
            if (bad.size() == good.size()) bad[i] = static_cast<char>(bad[i] ^ 1);
            const auto parsed = RecordFile::Parse(bad);
            if (parsed.ok()) {
                EXPECT_GT(3U, parsed->records.size()) << i;
            }
        }
    }
}

TEST(RecordParseTest, AllRecordsInForceFitTheFile) {
    std::string text = kRecordHeader;
    for (const char* kind : {"state", "cursors", "alerts", "discards", "chips"}) {
        text += RecordLine(kind, std::string(RecordFile::kMaxPayloadBytes, 'x'));
    }
    for (size_t bytes : {RecordFile::kMaxReceiptBytes / RecordFile::kMaxReceipts, size_t{5000}}) {
        std::string more = text;
        for (int i = 0; i < 100; ++i) more += RecordLine("receipt", std::string(bytes, 'x'));
        const auto parsed = RecordFile::Parse(more);
        EXPECT_EQ(0U, parsed->damaged);
        EXPECT_EQ(5 + std::min(RecordFile::kMaxReceipts, RecordFile::kMaxReceiptBytes / bytes),
                  parsed->records.size());
        EXPECT_GE(RecordFile::kFileBytes, RecordFile::Format(parsed->records).size());
    }
}

}  // namespace
}  // namespace storekeeper
