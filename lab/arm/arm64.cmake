# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(TRIPLE aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
