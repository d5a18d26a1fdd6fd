# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Commands in the documents do what the documents say."""

from __future__ import annotations

import errno
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import pytest
from conftest import TOP, Phone, lab

from labtool import cli, host, root
from labtool.bench import hosts

sys.path.insert(0, str(TOP / "tradefed-configs"))
import check  # noqa: E402

README = (TOP / "README.md").read_text()


def commands(tool: str) -> list[list[str]]:
    """The indented lines of the README that begin with `tool`, without their comments."""
    lines = re.findall(rf"^    {re.escape(tool)} (.*)$", README, re.M)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.fixture
def _clean() -> Iterator[None]:
    yield
    lab("down")


@pytest.mark.usefixtures("_clean")
def test_the_readme_s_lab_commands_work_in_order() -> None:
    given = commands("lab/lab")
    assert len(given) >= 5
    for words in given:
        result = lab(*words)
        assert result.code == 0, (words, result)


def test_the_readme_names_make_s_targets() -> None:
    makefile = (TOP / "Makefile").read_text()
    targets = [words[0] for words in commands("make")]
    assert targets == ["demo", "test"]
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.M)


def test_every_folder_of_the_readme_s_table_exists() -> None:
    folders = re.findall(r"^\| ([a-z-]+) \|", README, re.M)
    for folder in folders:
        assert folder == "folder" or (TOP / folder).is_dir(), folder


INTEGRATION = (TOP / "docs/integration.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", INTEGRATION, re.M | re.S)


def test_integration_s_manifest_and_makefiles_name_this_tree() -> None:
    manifest = ElementTree.fromstring(blocks("xml")[0])
    project = manifest.find("project")
    assert project is not None
    home = project.get("path")
    assert project.get("remote") == manifest.find("remote").get("name")  # type: ignore[union-attr]
    makefiles = [text for text in blocks("make") if ".mk" in text]
    named = [re.search(rf"{home}/(\S+\.mk)", text)[1] for text in makefiles]
    assert named == ["storekeeper.mk", "BoardConfigStorekeeper.mk"]
    for file in named:
        text = (TOP / file).read_text()
        assert f"{home}/{file}" in text
        assert all(path.startswith(f"{home}/") for path in re.findall(r"\S+/sepolicy/\S+", text))


def test_integration_documents_each_option_of_the_makefile() -> None:
    documented = set(re.findall(r"soong_config_set,storekeeper,(\w+),", INTEGRATION))
    makefile = (TOP / "storekeeper.mk").read_text()
    named = set(re.findall(r"SOONG_CONFIG_storekeeper_(\w+)", makefile))
    assert documented == named - set(re.findall(r"SOONG_CONFIG_storekeeper_(\w+) :=", makefile))


def test_integration_s_commands_exist() -> None:
    targets = re.findall(r"^    make (\S+)$", INTEGRATION, re.M)
    assert len(targets) >= 4
    for target in targets:
        # The parts of `make check` have tests of their own.
        done = subprocess.run(["make", "-n", target], cwd=TOP, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    reported = "".join(blocks("sh"))
    built = re.search(r"^m (.*) tradefed-all$", reported, re.M)
    assert built
    plan = re.search(r"plans/(\S+)\.xml", reported)[1]  # type: ignore[index]
    assert set(built[1].split()) == {c.name for c in check.modules()
                                     if plan in c.options("test-suite-tag")}
    for path in re.findall(r"system/storekeeper/(\S+)", reported):
        assert (TOP / path).is_file(), path
    plans = set(re.findall(r"^\| ((?:vts-)?storekeeper\S*) \|", INTEGRATION, re.M))
    assert plans == {f.stem for f in (TOP / "tradefed-configs/plans").glob("*.xml")}


def test_integration_s_first_look_works_and_writes_nothing(phone: Phone) -> None:
    lines = re.findall(r"^adb shell (.*)$", "".join(blocks("sh")), re.M)
    assert len(lines) == 3
    before = phone.output("cmd storekeeper receipts --json")
    for line in lines:
        assert phone.output(line) != ""
    assert phone.output("cmd storekeeper receipts --json") == before


def test_commands_of_the_documents_are_the_lab_s_and_make_s() -> None:
    phony = re.search(r"^\.PHONY:((?:.*\\\n)*.*)", (TOP / "Makefile").read_text(), re.M)
    targets = set(phony[1].replace("\\", " ").split())  # type: ignore[index]
    named = set()
    for file in (TOP / "README.md", *(TOP / "docs").glob("*.md"), *TOP.glob("*/README.md")):
        text = file.read_text()
        for line in set(re.findall(r"`lab/lab ([^`]+)`", text)) - {"--help"}:
            # Ends the test if the line is not a command.
            cli.parser().parse_args(shlex.split(line.replace("\n", " ")))
        named |= set(re.findall(r"`make ([a-z-]+)`", text))
    assert named <= targets
    assert {"test", "test-arm", "soak", "bench-seeds", "check", "tidy"} <= named


def test_the_recipe_for_ci_installs_what_a_host_lacks_and_runs_make() -> None:
    text = (TOP / "docs/hosts.md").read_text()
    recipe = re.search(r"^```yaml\n(.*?)^```", text, re.M | re.S)[1]  # type: ignore[index]
    steps = [shlex.split(x) for x in re.findall(r"^ *- run: (.*)$", recipe, re.M)]
    packages = host.lacking(host.Machine("ID=ubuntu", 1000, frozenset({"apt-get"})))[1]
    assert ["sudo", "apt-get", "install", "-y", *packages] in steps
    refused = root.refusal(errno.EACCES, 1000, {root.APPARMOR: "1"})
    assert f"`{shlex.join(steps[-2])}`" in refused
    assert steps[-1] == ["make", "demo"]
    # The soak keeps the same parts of out/ as the recipe's cache.
    assert re.findall(r"^ +(!?out/.*)$", recipe, re.M) == ["out/*", "!out/root"]
    assert "--exclude=out/root out\n" in hosts.CACHED
    assert f"`sudo apt-get install make python3 {' '.join(packages)}`" in README


def test_documents_that_are_named_exist() -> None:
    for file in (TOP / "README.md", *(TOP / "docs").glob("*.md")):
        for name in re.findall(r"\b((?:docs|sepolicy|vold-patches|lab)/[\w./-]+\.(?:md|json|py))",
                               file.read_text()):
            assert (TOP / name).exists(), (file.name, name)


def test_releases_say_what_the_makefile_does() -> None:
    text = (TOP / "docs/releases.md").read_text()
    rows = {r[0].strip(): [c.strip() for c in r[1:]] for r in (
        line.strip("|").split("|") for line in text.splitlines() if line.startswith("| "))}
    maps = {f.parent.name for f in (TOP / "sepolicy/private/compat").glob("*/*.ignore.cil")}
    assert {v for cell in rows["sepolicy/private/compat"] for v in cell.split(", ") if v} == maps
    first = next(i for i, cell in enumerate(rows["sepolicy/api33"]) if cell == "yes")
    board = (TOP / "BoardConfigStorekeeper.mk").read_text()
    assert f"(PLATFORM_SDK_VERSION),{rows['platform SDK'][first]})" in board
