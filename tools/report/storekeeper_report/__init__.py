# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""One page from the dumps of storekeeperd, and the tree of a device as testdata."""
