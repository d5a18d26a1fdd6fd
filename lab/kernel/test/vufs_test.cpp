// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Costs of the commands of vufs, and the order of the states of its defragmentation.

#include <gtest/gtest.h>

extern "C" {
#include "../vufs/vufs_hid.h"
}

namespace {

constexpr uint64_t kUs = 1000;
constexpr uint64_t kMs = 1000 * kUs;
// A step of 5 ms at 20 ms a MiB.
constexpr uint32_t kStep = 64;

class VufsTest : public testing::Test {
  protected:
    VufsTest() {
        config_.capacity_mib = 8;
        EXPECT_TRUE(vufs_model_init(&m_, &config_));
    }
    ~VufsTest() override { vufs_model_destroy(&m_); }

    // All of the medium written in order, and all of it fragmented then.
    void Aged() {
        for (uint32_t unit = 0; unit < m_.units; unit += 128) vufs_write(&m_, unit, 128);
        vufs_age(&m_, 1000);
    }

    void Write(vufs_hid_operation operation) {
        vufs_hid_write(&m_, operation, now_);
        next_ = vufs_hid_run(&m_, now_);
    }

    // Until @state is reached; false when nothing is to come any more.
    bool Until(vufs_hid_state state) {
        while (m_.hid.state != state) {
            if (!next_) return false;
            now_ = next_;
            next_ = vufs_hid_run(&m_, now_);
        }
        return true;
    }

    void Analysed() {
        Write(VUFS_HID_ANALYSE);
        ASSERT_TRUE(Until(VUFS_HID_REQUIRED));
    }

    vufs_config config_ = vufs_config_default();
    vufs_model m_ = {};
    uint64_t now_ = 1000 * kMs;
    uint64_t next_ = 0;
};

TEST_F(VufsTest, AFragmentedUnitTakesThreeTimesAsLongToRead) {
    vufs_write(&m_, 0, 128);
    EXPECT_EQ((40 + 128 * 10) * kUs, vufs_read(&m_, 0, 128));
    vufs_age(&m_, 1000);
    EXPECT_EQ((40 + 3 * 128 * 10) * kUs, vufs_read(&m_, 0, 128));
    EXPECT_EQ(128u, m_.s.slow_read_units);
}

TEST_F(VufsTest, UnwrittenUnitsDoNotAge) {
    vufs_age(&m_, 1000);
    EXPECT_EQ(0u, m_.fragmented_units);
    EXPECT_EQ((40 + 10) * kUs, vufs_read(&m_, 7, 1));
}

TEST_F(VufsTest, SmallWritesFragmentUnlessTheyContinue) {
    vufs_write(&m_, 100, 1);
    EXPECT_EQ(1u, m_.fragmented_units);
    vufs_write(&m_, 101, 1);
    EXPECT_EQ(1u, m_.fragmented_units);
    vufs_write(&m_, 300, 7);
    EXPECT_EQ(8u, m_.fragmented_units);
    vufs_write(&m_, 400, 8);
    EXPECT_EQ(8u, m_.fragmented_units);
    vufs_write(&m_, 296, 16);
    EXPECT_EQ(1u, m_.fragmented_units);
}

TEST_F(VufsTest, AShareAgesAndTheSameUnitsEachTime) {
    Aged();
    vufs_model other = {};
    config_.age = 300;
    ASSERT_TRUE(vufs_model_init(&other, &config_));
    for (uint32_t unit = 0; unit < other.units; unit += 128) vufs_write(&other, unit, 128);
    EXPECT_NEAR(0.3 * other.units, other.fragmented_units, 0.03 * other.units);
    for (uint32_t unit = 0; unit < other.units; unit++) {
        ASSERT_EQ(vufs_drawn(&m_, unit, 300), vufs_test(other.fragmented, unit)) << unit;
    }
    vufs_model_destroy(&other);
}

TEST_F(VufsTest, AnUnmapTakesUnitsOut) {
    Aged();
    EXPECT_EQ(20 * kUs, vufs_unmap_range(&m_, 256, 256));
    EXPECT_EQ(200 * kUs, vufs_unmap_command(&m_));
    EXPECT_EQ(m_.units - 256, m_.mapped_units);
    EXPECT_EQ(m_.units - 256, m_.fragmented_units);
}

TEST_F(VufsTest, CommandsQueue) {
    EXPECT_EQ(now_ + 50, vufs_queue(&m_, now_, 50));
    EXPECT_EQ(now_ + 90, vufs_queue(&m_, now_ + 10, 40));
    EXPECT_EQ(now_ + 300, vufs_queue(&m_, now_ + 200, 100));
    EXPECT_EQ(100u, m_.s.max_service_ns);
}

TEST_F(VufsTest, NothingIsKnownBeforeAnAnalysis) {
    EXPECT_EQ(VUFS_HID_IDLE, vufs_hid_read_state(&m_));
    EXPECT_EQ(VUFS_HID_NONE, vufs_hid_fragmented_size(&m_));
    EXPECT_EQ(0u, vufs_hid_progress_ratio(&m_));
}

TEST_F(VufsTest, AnAnalysisFindsWhatIsFragmented) {
    Aged();
    Write(VUFS_HID_ANALYSE);
    EXPECT_EQ(VUFS_HID_ANALYSIS, vufs_hid_read_state(&m_));
    EXPECT_EQ(now_ + 2000 * kMs, next_);
    EXPECT_EQ(VUFS_HID_NONE, vufs_hid_fragmented_size(&m_));
    ASSERT_TRUE(Until(VUFS_HID_REQUIRED));
    EXPECT_EQ(m_.units, vufs_hid_fragmented_size(&m_));
    EXPECT_EQ(0u, next_);
}

TEST_F(VufsTest, AnAnalysisFindsNothing) {
    vufs_write(&m_, 0, 128);
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    ASSERT_TRUE(Until(VUFS_HID_NOT_REQUIRED));
    EXPECT_EQ(0u, vufs_hid_fragmented_size(&m_));
    EXPECT_EQ(0u, m_.s.defrags);
}

TEST_F(VufsTest, ADefragmentationMovesAsMuchAsItIsGiven) {
    Aged();
    Analysed();
    m_.hid.size = 256;
    const uint64_t began = now_;
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    EXPECT_EQ(VUFS_HID_DEFRAG, m_.hid.state);
    EXPECT_EQ(began + 5 * kMs, next_);
    ASSERT_TRUE(Until(VUFS_HID_COMPLETED));
    EXPECT_EQ(began + 20 * kMs, now_);
    EXPECT_EQ(4u, m_.s.steps);
    EXPECT_EQ(256u, m_.s.moved_units);
    EXPECT_EQ(m_.units - 256, vufs_hid_fragmented_size(&m_));
    EXPECT_EQ(m_.units + 256u, vufs_written_units(&m_));
    EXPECT_EQ((40 + 128 * 10) * kUs, vufs_read(&m_, 0, 128));
    EXPECT_EQ((40 + 3 * 128 * 10) * kUs, vufs_read(&m_, 256, 128));
}

TEST_F(VufsTest, ADefragmentationWithoutAnAnalysisMakesOne) {
    Aged();
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    EXPECT_EQ(VUFS_HID_ANALYSIS, m_.hid.state);
    ASSERT_TRUE(Until(VUFS_HID_COMPLETED));
    EXPECT_EQ(0u, vufs_hid_fragmented_size(&m_));
    EXPECT_EQ(0u, m_.slow_units);
}

TEST_F(VufsTest, ProgressIsReadAndItsEndOnce) {
    Aged();
    Analysed();
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    EXPECT_EQ(0u, vufs_hid_progress_ratio(&m_));
    while (m_.hid.moved < m_.units / 2) {
        now_ = next_;
        next_ = vufs_hid_run(&m_, now_);
    }
    EXPECT_EQ(50u, vufs_hid_progress_ratio(&m_));
    EXPECT_EQ(50u, vufs_hid_progress_ratio(&m_));
    ASSERT_TRUE(Until(VUFS_HID_COMPLETED));
    EXPECT_EQ(100u, vufs_hid_progress_ratio(&m_));
    EXPECT_EQ(0u, vufs_hid_progress_ratio(&m_));
    EXPECT_EQ(VUFS_HID_COMPLETED, vufs_hid_read_state(&m_));
}

TEST_F(VufsTest, AFinalStateMayBeReadOnce) {
    config_.hid_state_once = 1;
    Write(VUFS_HID_ANALYSE);
    ASSERT_TRUE(Until(VUFS_HID_NOT_REQUIRED));
    EXPECT_EQ(VUFS_HID_NOT_REQUIRED, vufs_hid_read_state(&m_));
    EXPECT_EQ(VUFS_HID_IDLE, vufs_hid_read_state(&m_));
}

TEST_F(VufsTest, DisablingEndsWithTheStep) {
    Aged();
    Analysed();
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    now_ += 2 * kMs;
    Write(VUFS_HID_DISABLE);
    EXPECT_EQ(VUFS_HID_DEFRAG, m_.hid.state);
    ASSERT_TRUE(Until(VUFS_HID_IDLE));
    EXPECT_EQ(kStep, m_.s.moved_units);
    EXPECT_EQ(0u, next_);
    EXPECT_EQ(VUFS_HID_NONE, vufs_hid_fragmented_size(&m_));
}

TEST_F(VufsTest, DisablingEndsAnAnalysisAtOnce) {
    Aged();
    Write(VUFS_HID_ANALYSE);
    Write(VUFS_HID_DISABLE);
    EXPECT_EQ(VUFS_HID_IDLE, m_.hid.state);
    EXPECT_EQ(0u, next_);
}

TEST_F(VufsTest, ACommandWaitsForTheStepAndTheNextStepForIt) {
    Aged();
    Analysed();
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    now_ += kMs;
    const uint64_t done = vufs_queue(&m_, now_, 50 * kUs);
    EXPECT_EQ(now_ + 4 * kMs + 50 * kUs, done);
    EXPECT_EQ(1u, m_.s.step_waits);
    EXPECT_EQ(4 * kMs, m_.s.step_wait_ns);
    now_ = next_;
    EXPECT_EQ(done, vufs_hid_run(&m_, now_));
    EXPECT_EQ(done + 5 * kMs, vufs_hid_run(&m_, done));
}

TEST_F(VufsTest, AStepMayWaitForQuiet) {
    config_.defrag_quiet_us = 1000;
    Aged();
    Analysed();
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    now_ = next_;
    EXPECT_EQ(now_ + kMs, vufs_hid_run(&m_, now_));
}

TEST_F(VufsTest, UnitsUnmappedMeanwhileAreNotMoved) {
    Aged();
    Analysed();
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    vufs_unmap_range(&m_, kStep, m_.units - kStep);
    ASSERT_TRUE(Until(VUFS_HID_COMPLETED));
    EXPECT_EQ(kStep, m_.s.moved_units);
    EXPECT_EQ(100u, vufs_hid_progress_ratio(&m_));
}

TEST_F(VufsTest, ADefragmentationThatDoesNotHelpIsPaidAllTheSame) {
    config_.hid_helps = 0;
    Aged();
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    ASSERT_TRUE(Until(VUFS_HID_COMPLETED));
    EXPECT_EQ(0u, vufs_hid_fragmented_size(&m_));
    EXPECT_EQ(m_.units, m_.s.moved_units);
    EXPECT_EQ((40 + 3 * 10) * kUs, vufs_read(&m_, 0, 1));
}

TEST_F(VufsTest, AnUnknownSizeStaysUnknown) {
    config_.hid_unknown = 1;
    Aged();
    Analysed();
    EXPECT_EQ(VUFS_HID_NONE, vufs_hid_fragmented_size(&m_));
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    ASSERT_TRUE(Until(VUFS_HID_COMPLETED));
    EXPECT_EQ(0u, m_.slow_units);
}

TEST_F(VufsTest, WritesMakeAResultInvalid) {
    config_.hid_stale_mib = 1;
    Aged();
    Analysed();
    vufs_write(&m_, 0, 255);
    EXPECT_EQ(VUFS_HID_REQUIRED, vufs_hid_read_state(&m_));
    vufs_write(&m_, 0, 1);
    EXPECT_EQ(VUFS_HID_IDLE, vufs_hid_read_state(&m_));
}

TEST_F(VufsTest, MovingWears) {
    config_.endurance = 10;
    EXPECT_EQ(1u, vufs_life_time(&m_));
    Aged();
    EXPECT_EQ(100u, vufs_life_permille(&m_));
    Write(VUFS_HID_ANALYSE_AND_DEFRAG);
    ASSERT_TRUE(Until(VUFS_HID_COMPLETED));
    EXPECT_EQ(200u, vufs_life_permille(&m_));
    EXPECT_EQ(3u, vufs_life_time(&m_));
    config_.worn_permille = 750;
    EXPECT_EQ(2u, vufs_pre_eol_info(&m_));
    config_.worn_permille = 800;
    EXPECT_EQ(11u, vufs_life_time(&m_));
    EXPECT_EQ(3u, vufs_pre_eol_info(&m_));
}

TEST_F(VufsTest, PowerOffForgets) {
    Aged();
    Analysed();
    m_.hid.size = 5;
    vufs_hid_reset(&m_);
    EXPECT_EQ(VUFS_HID_IDLE, m_.hid.state);
    EXPECT_EQ(VUFS_HID_NONE, m_.hid.size);
    EXPECT_EQ(m_.units, m_.fragmented_units);
}

}  // namespace
