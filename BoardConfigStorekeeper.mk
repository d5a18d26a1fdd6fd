# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# A board takes Storekeeper's policy in with one line:
#   include system/storekeeper/BoardConfigStorekeeper.mk
# The device's own labels are for its own tree: sepolicy/vendor-example shows them.

SYSTEM_EXT_PUBLIC_SEPOLICY_DIRS += system/storekeeper/sepolicy/public
SYSTEM_EXT_PRIVATE_SEPOLICY_DIRS += system/storekeeper/sepolicy/private

# Types that Android 12 lacks.
ifeq ($(call math_gt_or_eq,$(PLATFORM_SDK_VERSION),33),true)
SYSTEM_EXT_PRIVATE_SEPOLICY_DIRS += system/storekeeper/sepolicy/api33
endif
