# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The part "any" of `make bench-maintenance`: trims of cards and images that are drawn."""
