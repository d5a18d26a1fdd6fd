# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# A board includes Storekeeper's policy with one line:
#   include system/storekeeper/BoardConfigStorekeeper.mk
# The device's own labels belong in the device's tree; sepolicy/vendor-example is an example.

STOREKEEPER_PRIVATE_SEPOLICY_DIRS := system/storekeeper/sepolicy/private

# The rights of trims. The build reads the product's makefiles, which set report_only, before the
# board's.
ifneq ($(strip $(SOONG_CONFIG_storekeeper_report_only)),true)
STOREKEEPER_PRIVATE_SEPOLICY_DIRS += system/storekeeper/sepolicy/trim
endif

# apiN holds rules whose names exist from API level N on, untilN those that exist up to level N.
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

# Android 12 renamed the variables of system_ext's policy; Android 11 has only the old names.
ifeq ($(call math_gt_or_eq,$(PLATFORM_SDK_VERSION),31),true)
SYSTEM_EXT_PUBLIC_SEPOLICY_DIRS += system/storekeeper/sepolicy/public
SYSTEM_EXT_PRIVATE_SEPOLICY_DIRS += $(STOREKEEPER_PRIVATE_SEPOLICY_DIRS)
else
BOARD_PLAT_PUBLIC_SEPOLICY_DIR += system/storekeeper/sepolicy/public
BOARD_PLAT_PRIVATE_SEPOLICY_DIR += $(STOREKEEPER_PRIVATE_SEPOLICY_DIRS)
endif
