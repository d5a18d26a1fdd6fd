// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "writers/name_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/fake_clock.h"
#include "testing/fake_packages.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr std::chrono::hours kLong(1);
constexpr std::chrono::milliseconds kShort(1);

class NameBookTest : public testing::Test {
  protected:
    FakeClock clock_;
    std::shared_ptr<FakePackages> packages_ = std::make_shared<FakePackages>();
};

TEST_F(NameBookTest, AsksOnceADayAtMost) {
    NameBook book(clock_, packages_, kLong);
    book.Refresh({10001, 1000});
    EXPECT_THAT(book.names(), ElementsAre(Pair(10001, "com.example.app10001")));
    clock_.Advance(hours(23));
    book.Refresh({10002});
    EXPECT_EQ(1, packages_->asked);
    EXPECT_THAT(book.names(), ElementsAre(Pair(10001, "com.example.app10001")));
    clock_.Advance(hours(1));
    book.Refresh({10002});
    EXPECT_EQ(2, packages_->asked);
    EXPECT_THAT(book.names(), ElementsAre(Pair(10002, "com.example.app10002")));
    EXPECT_EQ("", book.problem());
}

TEST_F(NameBookTest, AsksNobodyWhereNoAppWrites) {
    NameBook book(clock_, packages_, kLong);
    book.Refresh({0, 1000, 99001});
    EXPECT_EQ(0, packages_->asked);
    EXPECT_EQ("", book.problem());
    NameBook without(clock_, nullptr, kLong);
    without.Refresh({10001});
    EXPECT_EQ("no package service", without.problem());
}

TEST_F(NameBookTest, LooksForAServiceThatIsNotThereYetEachTime) {
    NameBook book(clock_, packages_, kLong);
    packages_->mode = FakePackages::Mode::kAbsent;
    book.Refresh({10001});
    EXPECT_EQ("the package service is not running: No such device", book.problem());
    packages_->mode = FakePackages::Mode::kWell;
    book.Refresh({10001});
    EXPECT_EQ("", book.problem());
    EXPECT_EQ(1U, book.names().size());
}

TEST_F(NameBookTest, AWrongAnswerLeavesWhatWasKnownAndCountsForTheDay) {
    NameBook book(clock_, packages_, kLong);
    book.Refresh({10001});
    packages_->mode = FakePackages::Mode::kShort;
    clock_.Advance(hours(24));
    book.Refresh({10001});
    EXPECT_THAT(book.problem(), HasSubstr("invalid value: 0 names for 1 uids"));
    EXPECT_EQ(1U, book.names().size());
    packages_->mode = FakePackages::Mode::kWell;
    book.Refresh({10001});
    EXPECT_EQ(2, packages_->asked);
}

TEST_F(NameBookTest, ASilentPackageServiceDelaysOnlyUntilTheTimeout) {
    packages_->mode = FakePackages::Mode::kNever;
    NameBook book(clock_, packages_, kShort);
    book.Refresh({10001});
    EXPECT_EQ("the package service has not answered within 1 ms", book.problem());
    EXPECT_THAT(book.names(), IsEmpty());
    clock_.Advance(hours(24));
    book.Refresh({10001});
    EXPECT_EQ("the package service has not answered an earlier request", book.problem());
    packages_->Let();
}

}  // namespace
}  // namespace storekeeper
