# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Debian's Chromium without a screen, by its DevTools protocol over a pipe.

`python3 tests/chromium.py PAGE.html PICTURE.png [--dark] [--size 1440x900]` takes a picture.
"""

from __future__ import annotations

import argparse
import base64
import fcntl
import json
import os
import select
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

# A browser that hangs. No result depends on it.
BACKSTOP_S = 120
OPTIONS = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
           "--disable-extensions", "--disable-background-networking", "--disable-component-update",
           "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
           "--force-color-profile=srgb", "--font-render-hinting=none"]


class BrowserError(Exception):
    """The browser said no, or nothing."""


def _pipe() -> tuple[int, int]:
    """A pipe whose ends cannot be the 3 and 4 that the browser takes."""
    low = os.pipe()
    ends = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10) for fd in low]
    for fd in low:
        os.close(fd)
    return ends[0], ends[1]


class Chromium:
    """One browser; `open` gives pages."""

    def __init__(self) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="chromium.", ignore_cleanup_errors=True)
        commands, self._to = _pipe()
        self._from, answers = _pipe()
        # It will not put root into a sandbox.
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{commands} 4>&{answers}', "-",
             "chromium", *OPTIONS, *root, f"--user-data-dir={self._home.name}"],
            pass_fds=[commands, answers], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self._home.name})
        os.close(commands)
        os.close(answers)
        self._buffer = b""
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        try:
            if kind is None:
                self.call("Browser.close")
        finally:
            os.close(self._to)
            os.close(self._from)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._home.cleanup()

    def call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data):]
        while True:
            answer = self._next()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._from], [], [], BACKSTOP_S)[0]:
                raise BrowserError(f"chromium says nothing for {BACKSTOP_S} s")
            read = os.read(self._from, 1 << 20)
            if not read:
                raise BrowserError("chromium ended; is it installed (apt install chromium)?")
            self._buffer += read
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def wait(self, event: str, session: str) -> None:
        while not any(x.get("method") == event and x.get("sessionId") == session
                      for x in self.events):
            self.events.append(self._next())

    def open(self, file: Path, width: int = 1440, height: int = 900, dark: bool = False) -> Page:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable", session)
        page = Page(self, session, target)
        page.resize(width, height)
        page.dark(dark)
        self.call("Page.navigate", session, url=file.resolve().as_uri())
        self.wait("Page.loadEventFired", session)
        return page


class Page:
    def __init__(self, browser: Chromium, session: str, target: str) -> None:
        self._browser = browser
        self._session = session
        self._target = target

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **params)

    def _events(self, method: str) -> list[dict[str, Any]]:
        return [x["params"] for x in self._browser.events
                if x.get("method") == method and x.get("sessionId") == self._session]

    def resize(self, width: int, height: int) -> None:
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                   deviceScaleFactor=1, mobile=width < 600)

    def dark(self, on: bool) -> None:
        self._call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def value(self, expression: str) -> Any:
        result = self._call("Runtime.evaluate", expression=expression, returnByValue=True,
                            awaitPromise=True)
        if "exceptionDetails" in result:
            raise BrowserError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    @property
    def complaints(self) -> list[str]:
        """Messages of the console: errors and warnings, refused requests among them."""
        return ([str(x["exceptionDetails"]) for x in self._events("Runtime.exceptionThrown")]
                + [str(x) for x in self._events("Runtime.consoleAPICalled")
                   if x["type"] in ("error", "warning", "assert")]
                + [str(x["entry"]) for x in self._events("Log.entryAdded")])

    @property
    def requests(self) -> list[str]:
        """Everything that was asked for, data: aside."""
        urls = [x["request"]["url"] for x in self._events("Network.requestWillBeSent")]
        return [x for x in urls if not x.startswith("data:")]

    def picture(self, path: Path, whole: bool = True) -> None:
        data = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(data["data"]))

    def close(self) -> None:
        self._browser.call("Target.closeTarget", targetId=self._target)


def main() -> None:
    args = argparse.ArgumentParser(description="Takes a picture of a page")
    args.add_argument("page", type=Path)
    args.add_argument("picture", type=Path)
    args.add_argument("--dark", action="store_true")
    args.add_argument("--size", default="1440x900", help="what is visible (default: %(default)s)")
    args.add_argument("--whole", action="store_true", help="below that, too")
    given = args.parse_args()
    width, height = map(int, given.size.split("x"))
    with Chromium() as browser:
        page = browser.open(given.page, width, height, given.dark)
        if given.whole:
            page.resize(width, page.value("document.documentElement.scrollHeight"))
        page.picture(given.picture, whole=False)
        for line in page.complaints:
            print(line)


if __name__ == "__main__":
    main()
