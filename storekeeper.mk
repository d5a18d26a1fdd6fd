# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# A product takes Storekeeper in with one line:
#   $(call inherit-product, system/storekeeper/storekeeper.mk)

PRODUCT_PACKAGES += \
    storekeeper_crypto_early \
    storekeeperd

# Reads the whole EXT_CSD, which needs CAP_SYS_RAWIO: for root shells of debuggable builds.
PRODUCT_PACKAGES_DEBUG += \
    storekeeper_extcsd

# The init script leaves the service alone unless the product says so.
PRODUCT_SYSTEM_EXT_PROPERTIES += \
    ro.storekeeper.enabled=true
