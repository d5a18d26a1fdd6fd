# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# What TradeFed's GoogleBenchmarkTest runs on a device. Here each is run briefly, so that none
# stops working: of its figures nothing is asked. Like storekeeper_benchmark in Android.bp.
file(GLOB BENCHMARK_SOURCES CONFIGURE_DEPENDS benchmarks/*.cpp)
add_executable(storekeeper_benchmark ${BENCHMARK_SOURCES})
target_link_libraries(storekeeper_benchmark PRIVATE libstorekeeper_config libstorekeeper_health benchmark::benchmark)
add_test(NAME storekeeper_benchmark
    COMMAND storekeeper_benchmark --benchmark_min_time=0.01)
# An error inside of a benchmark leaves the program's exit status at 0.
set_tests_properties(storekeeper_benchmark PROPERTIES FAIL_REGULAR_EXPRESSION "ERROR OCCURRED")
