# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`python -m storekeeper_fleet`."""

import sys

from .cli import main

if __name__ == "__main__":  # workers import this file
    sys.exit(main())
