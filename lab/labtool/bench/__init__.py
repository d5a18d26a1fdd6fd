# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Benchmarks and the soak; kinds.py lists them."""
