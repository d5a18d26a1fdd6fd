# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The tests that `make test` runs on this machine, and the names of their failures."""
