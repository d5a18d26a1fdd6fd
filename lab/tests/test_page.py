# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The page of Settings beside the service whose words it speaks. `lab page` runs it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from conftest import TOP

from labtool.suite import page

SERVICE = TOP / "system-service"
WORDS = (page.PAGE / "src/org/storekeeper/page/Words.java").read_text()
TRANSLATIONS = sorted(page.PAGE.glob("res/values-*/strings.xml"))


def cases(method: str) -> set[str]:
    """The codes that a method of Words.java knows."""
    body = re.search(rf"int {method}\(String \w+\) \{{\n(.*?)^    \}}", WORDS, re.M | re.S)
    assert body
    return set(re.findall(r'case "(\w+)":', body[1]))


def test_every_alert_has_words() -> None:
    text = (SERVICE / "health/alerts.cpp").read_text()
    codes = set(re.findall(r'\.code = "(\w+)"|cause\{\.code = "(\w+)"', text))
    found = {word for pair in codes for word in pair if word}
    found |= set(re.findall(r'"(\w+)"', re.search(r"kCodes\[\] = \{(.*?)\}", text)[1]))
    found |= set(re.findall(r'\.code = "(\w+)"', (SERVICE / "daemon/collector.cpp").read_text()))
    assert len(found) >= 8 and found == cases("warning")


def test_every_gate_of_a_due_run_has_words() -> None:
    text = (SERVICE / "report/why_text.cpp").read_text()
    table = re.search(r"kCauses\[\] = \{(.*?)^\};", text, re.M | re.S)[1]
    assert set(re.findall(r'\{"(\w+)", "', table)) == cases("waiting")


def test_outcomes_are_those_of_receipts() -> None:
    text = (SERVICE / "maintenance/trim/receipt.h").read_text()
    assert cases("failure") < set(re.findall(r'TrimOutcome::k\w+, "(\w+)"', text))


def strings(file: Path) -> dict[str, list[set[str]]]:
    """The arguments of each text of a file of strings, by name."""
    found = {}
    for element in ElementTree.parse(file).getroot():
        texts = [x.text or "" for x in (element if element.tag == "plurals" else [element])]
        assert all(x.strip() for x in texts), element.get("name")
        found[str(element.get("name"))] = [set(re.findall(r"%\d\$\w", x)) for x in texts]
    return found


@pytest.mark.parametrize("file", TRANSLATIONS, ids=lambda x: x.parent.name)
def test_a_translation_is_complete(file: Path) -> None:
    ours, theirs = strings(page.PAGE / "res/values/strings.xml"), strings(file)
    assert theirs.keys() == ours.keys()
    for name, texts in theirs.items():
        # A plural form for 1 or 2 may do without the number.
        allowed = [ours[name][0], set()] if len(texts) > 1 else [ours[name][0]]
        assert all(x in allowed for x in texts), name


def test_every_string_is_used() -> None:
    sources = "".join(x.read_text() for x in (
        *page.PAGE.rglob("*.java"), *page.PAGE.glob("res/layout/*.xml"),
        page.PAGE / "AndroidManifest.xml") if "tests" not in x.parts)
    for name in strings(page.PAGE / "res/values/strings.xml"):
        assert re.search(rf"\bR\.(string|plurals)\.{name}\b|@string/{name}\b", sources), name


def test_the_library_has_a_method_for_each_property() -> None:
    text = page.sysprop_class(page.SYSPROP.read_text())
    assert "public enum state_values { IDLE, TRIMMING, REPORT_ONLY }" in text
    for line in ("Optional<state_values> state()", "Optional<Long> last_run()",
                 "Optional<String> alerts()", "List<Integer> over_budget()"):
        assert f"public static {line} {{ return" in text


@pytest.mark.parametrize(("said", "code", "failed"), [
    ("..\nOK (2 tests)\n", 0, []),
    ("OK (0 tests)\n", 0, ["JUnit ended with 0 and without a result"]),
    ("Killed\n", 137, ["JUnit ended with 137 and without a result"]),
    ("1) cut(org.x.LooksTest)\njava.lang.AssertionError\n2) day(org.x.PageTest)\n", 1,
     ["LooksTest.cut", "PageTest.day"]),
])
def test_failures_are_named(said: str, code: int, failed: list[str]) -> None:
    assert page.failed_of(said, code) == failed
