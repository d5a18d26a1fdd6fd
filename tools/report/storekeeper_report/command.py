# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Code that the commands of both tools share."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """Words that say nothing end in sysexits' code for them, where argparse has 2."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(os.EX_USAGE, f"{self.prog}: {message}\n")
