# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
set(CMAKE_SYSTEM_PROCESSOR arm)
set(TRIPLE arm-linux-gnueabihf)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
