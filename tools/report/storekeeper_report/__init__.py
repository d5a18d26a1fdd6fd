# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""What storekeeperd knows of a device's flash, as one page; and a device's tree as testdata."""
