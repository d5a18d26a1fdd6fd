# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# A product includes Storekeeper with one line:
#   $(call inherit-product, system/storekeeper/storekeeper.mk)
# Before that line, a product may leave out trims and every right that they need:
#   $(call soong_config_set,storekeeper,report_only,true)
# leave out the choice of the encryption engine:
#   $(call soong_config_set,storekeeper,without_crypto,true)
# or add a page of Settings:
#   $(call soong_config_set,storekeeper,settings_page,true)
# Android 11 and 12 have no soong_config_set; docs/integration.md has the lines for them.

# Android.bp chooses libraries by before_13. Plain variables, because Android 11 has no
# soong_config_set.
SOONG_CONFIG_NAMESPACES += storekeeper
ifneq ($(filter 30 31 32,$(PLATFORM_SDK_VERSION)),)
SOONG_CONFIG_storekeeper += before_13
SOONG_CONFIG_storekeeper_before_13 := true
endif

PRODUCT_PACKAGES += \
    storekeeperd

# BoardConfigStorekeeper.mk leaves out the matching rules of the policy.
ifeq ($(strip $(SOONG_CONFIG_storekeeper_report_only)),true)
PRODUCT_PACKAGES += \
    storekeeperd_report_only.rc
PRODUCT_SYSTEM_EXT_PROPERTIES += \
    ro.storekeeper.report_only=true
else
PRODUCT_PACKAGES += \
    storekeeperd_trim.rc
endif

# Both settings leave out the early step, which has CAP_SYS_ADMIN.
ifeq ($(filter true,$(SOONG_CONFIG_storekeeper_report_only) \
    $(SOONG_CONFIG_storekeeper_without_crypto)),)
PRODUCT_PACKAGES += \
    storekeeper_crypto_early
endif

# The page of Settings that shows how worn the storage is.
ifeq ($(strip $(SOONG_CONFIG_storekeeper_settings_page)),true)
PRODUCT_PACKAGES += \
    StorekeeperPage
endif

# The links to the disk and to f2fs; init.rc of Android 13 and later makes its own.
ifneq ($(filter 30 31 32,$(PLATFORM_SDK_VERSION)),)
PRODUCT_PACKAGES += \
    storekeeper_links.rc
endif

# storekeeper_extcsd reads the whole EXT_CSD, which needs CAP_SYS_RAWIO. It is for root shells of
# debuggable builds.
PRODUCT_PACKAGES_DEBUG += \
    storekeeper_extcsd

# The benchmark runs fio, which the product must add.
PRODUCT_PACKAGES_DEBUG += \
    storekeeper_bench

# The init script starts the service only with this property.
PRODUCT_SYSTEM_EXT_PROPERTIES += \
    ro.storekeeper.enabled=true
