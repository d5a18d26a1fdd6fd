# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# A board takes Storekeeper's policy in with one line:
#   include system/storekeeper/BoardConfigStorekeeper.mk
# The device's own labels are for its own tree: sepolicy/vendor-example shows them.

STOREKEEPER_PRIVATE_SEPOLICY_DIRS := system/storekeeper/sepolicy/private

# apiN: names that releases before it lack. untilN: names that later releases lack.
ifeq ($(call math_gt_or_eq,$(PLATFORM_SDK_VERSION),31),true)
STOREKEEPER_PRIVATE_SEPOLICY_DIRS += system/storekeeper/sepolicy/api31
else
STOREKEEPER_PRIVATE_SEPOLICY_DIRS += system/storekeeper/sepolicy/until30
endif
ifeq ($(call math_gt_or_eq,$(PLATFORM_SDK_VERSION),33),true)
STOREKEEPER_PRIVATE_SEPOLICY_DIRS += system/storekeeper/sepolicy/api33
else
STOREKEEPER_PRIVATE_SEPOLICY_DIRS += system/storekeeper/sepolicy/until32
endif

# Android 12 renamed the variables of system_ext's policy; 11 knows only the old names.
ifeq ($(call math_gt_or_eq,$(PLATFORM_SDK_VERSION),31),true)
SYSTEM_EXT_PUBLIC_SEPOLICY_DIRS += system/storekeeper/sepolicy/public
SYSTEM_EXT_PRIVATE_SEPOLICY_DIRS += $(STOREKEEPER_PRIVATE_SEPOLICY_DIRS)
else
BOARD_PLAT_PUBLIC_SEPOLICY_DIR += system/storekeeper/sepolicy/public
BOARD_PLAT_PRIVATE_SEPOLICY_DIR += $(STOREKEEPER_PRIVATE_SEPOLICY_DIRS)
endif
