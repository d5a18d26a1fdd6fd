# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""What `make test` runs on this machine, and how it names what fails."""
