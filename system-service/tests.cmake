# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Unit tests. The tests of x.cpp are in x_test.cpp beside it.
include(GoogleTest)

set(TEST_LIBRARIES libstorekeeper_campaigns libstorekeeper_testing ${STOREKEEPER_ROOMS})
if(STOREKEEPER_BINDER)
    list(APPEND STOREKEEPER_TESTS ${STOREKEEPER_BINDER_TESTS})
    list(PREPEND TEST_LIBRARIES libstorekeeper_sequences libstorekeeper_phone)
endif()
foreach(test ${STOREKEEPER_TESTS_NOT_BUILT})
    if(NOT test IN_LIST STOREKEEPER_TESTS)
        message(FATAL_ERROR "STOREKEEPER_TESTS_NOT_BUILT: ${test} is no unit test of Android.bp")
    endif()
    list(REMOVE_ITEM STOREKEEPER_TESTS ${test})
endforeach()
add_executable(storekeeper_test ${STOREKEEPER_TESTS})
target_link_libraries(storekeeper_test PRIVATE
    ${TEST_LIBRARIES} GTest::gmock GTest::gtest_main)
# Tests may compare signed with unsigned numbers in EXPECT_EQ.
target_compile_options(storekeeper_test PRIVATE -Wno-sign-compare)
# Soong's `data` puts these files beside the program, too.
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/testdata ${CMAKE_CURRENT_BINARY_DIR}/testdata
     SYMBOLIC)
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/etc ${CMAKE_CURRENT_BINARY_DIR}/etc SYMBOLIC)
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/../docs/config.schema.json
     ${CMAKE_CURRENT_BINARY_DIR}/config.schema.json SYMBOLIC)
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/../docs/dump.schema.json
     ${CMAKE_CURRENT_BINARY_DIR}/dump.schema.json SYMBOLIC)
target_precompile_headers(storekeeper_test PRIVATE <gmock/gmock.h> <gtest/gtest.h> ${PRECOMPILED})
# In builds for tests, `lab/lab test` (lab/labtool/suite/gtest.py) runs these tests in a few processes.
if(NOT STOREKEEPER_IN_HASTE)
    gtest_discover_tests(storekeeper_test DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 60)
endif()

# The headers that vold-patches/ adds to vold.
add_subdirectory(../vold-patches/hook vold_hook)

# A program for the virtual phone that writes a history until power goes; see
# lab/tests/guest/history.sh.
add_executable(storekeeper_history_writer testing/history_writer_main.cpp testing/history_use.cpp)
target_link_libraries(storekeeper_history_writer PRIVATE libstorekeeper_history)

# Tens of thousands of power cuts and failing calls, on this machine (lab soak crash, calls).
if(STOREKEEPER_BINDER)
    add_executable(storekeeper_campaigns campaigns/main.cpp)
    target_link_libraries(storekeeper_campaigns PRIVATE
        libstorekeeper_sequences libstorekeeper_campaigns ${STOREKEEPER_ROOMS})
endif()

# Compares the forecast with phones whose end is known (lab bench-forecast).
add_executable(storekeeper_forecasts campaigns/forecast_main.cpp)
target_link_libraries(storekeeper_forecasts PRIVATE libstorekeeper_campaigns ${STOREKEEPER_ROOMS})
