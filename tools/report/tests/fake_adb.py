# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Behaves as adb does towards devices that are folders: see conftest.FakePhones.

A command of `adb shell` runs in a shell of this machine. What it reads below /sys and /proc is the
device's: such paths get its root before them, and lose it in what comes back.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

DEVICES = Path(os.environ["FAKE_ADB_DEVICES"])


def main(words: list[str]) -> int:
    if words == ["devices"]:
        print("List of devices attached")
        for device in sorted(DEVICES.iterdir()):
            print(f"{device.name}\t{(device / 'state').read_text()}")
        print()
        return 0
    if len(words) == 4 and words[0] == "-s" and words[2] == "shell":
        device = DEVICES / words[1]
        if not device.is_dir():
            print(f"adb: device '{words[1]}' not found", file=sys.stderr)
            return 1
        state = (device / "state").read_text()
        if state != "device":
            print(f"adb: device {state}.", file=sys.stderr)
            return 1
        root = str(device / "root")
        command = re.sub(r"(?<![\w/.*\"$}])/(?=(sys|proc)\b)", f"{root}/", words[3])
        path = f"{device / 'bin'}:/usr/bin:/bin"
        done = subprocess.run(["sh", "-c", command], env={"PATH": path},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        sys.stdout.buffer.write(done.stdout.replace(root.encode(), b""))
        return done.returncode
    print(f"adb: unknown command {words}", file=sys.stderr)
    return 1


sys.exit(main(sys.argv[1:]))
