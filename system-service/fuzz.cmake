# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Fuzz targets: fuzz/x_fuzzer.cpp is a program each, like the cc_fuzz modules in Android.bp. A build
# folder of its own, with clang and -DSTOREKEEPER_FUZZ=ON; `lab/lab fuzz` makes and runs it.
file(GLOB FUZZ_SOURCES CONFIGURE_DEPENDS fuzz/*_fuzzer.cpp)
foreach(source ${FUZZ_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${name} ${source})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${name} PRIVATE
        libstorekeeper_config libstorekeeper_crypto libstorekeeper_health libstorekeeper_latency)
    list(APPEND FUZZ_TARGETS ${name})
endforeach()
add_custom_target(fuzzers DEPENDS ${FUZZ_TARGETS})
