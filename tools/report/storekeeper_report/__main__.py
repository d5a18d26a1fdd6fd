# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`python -m storekeeper_report`."""

import sys

from .cli import main

sys.exit(main())
