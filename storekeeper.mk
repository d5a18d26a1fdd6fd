# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# A product takes Storekeeper in with one line:
#   $(call inherit-product, system/storekeeper/storekeeper.mk)
# Before it, a product may say, for itself and for Soong:
#   $(call soong_config_set,storekeeper,without_crypto,true)  nobody chooses who encrypts
# Android 11 and 12 have no soong_config_set: docs/integration.md has their lines.

# Android.bp chooses libraries by it. The Make of Android 11 has no soong_config_set.
SOONG_CONFIG_NAMESPACES += storekeeper
ifneq ($(filter 30 31 32,$(PLATFORM_SDK_VERSION)),)
SOONG_CONFIG_storekeeper += before_13
SOONG_CONFIG_storekeeper_before_13 := true
endif

PRODUCT_PACKAGES += \
    storekeeperd

ifneq ($(strip $(SOONG_CONFIG_storekeeper_without_crypto)),true)
PRODUCT_PACKAGES += \
    storekeeper_crypto_early
endif

# The links to disk and f2fs that init.rc of Android 13 and later makes.
ifneq ($(filter 30 31 32,$(PLATFORM_SDK_VERSION)),)
PRODUCT_PACKAGES += \
    storekeeper_links.rc
endif

# Reads the whole EXT_CSD, which needs CAP_SYS_RAWIO: for root shells of debuggable builds.
PRODUCT_PACKAGES_DEBUG += \
    storekeeper_extcsd

# The benchmark. The fio that it drives is the product's to bring.
PRODUCT_PACKAGES_DEBUG += \
    storekeeper_bench

# The init script leaves the service alone unless the product says so.
PRODUCT_SYSTEM_EXT_PROPERTIES += \
    ro.storekeeper.enabled=true
