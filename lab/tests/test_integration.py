# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The parts that an integrator includes: the makefiles of product and board, as make reads them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from conftest import TOP, spoil

from labtool import blueprint

# The manifest's path of the tree.
HOME = "system/storekeeper"
# Stand-ins for functions of build/make that the makefiles call, with the meaning they have there.
STAND_INS = """
math_gt_or_eq = $(if $(shell test $(1) -ge $(2) && echo y),true)
include storekeeper.mk
include BoardConfigStorekeeper.mk
$(foreach v,$(ASKED),$(info $(v)=$($(v))))
all: ;
"""
LISTS = ("PRODUCT_PACKAGES", "PRODUCT_PACKAGES_DEBUG", "PRODUCT_SYSTEM_EXT_PROPERTIES",
         "SYSTEM_EXT_PUBLIC_SEPOLICY_DIRS", "SYSTEM_EXT_PRIVATE_SEPOLICY_DIRS",
         "BOARD_PLAT_PUBLIC_SEPOLICY_DIR", "BOARD_PLAT_PRIVATE_SEPOLICY_DIR",
         "BOARD_VENDOR_SEPOLICY_DIRS", "SOONG_CONFIG_NAMESPACES", "SOONG_CONFIG_storekeeper",
         "SOONG_CONFIG_storekeeper_before_13")
# Folders that a board does not use unchanged; docs/security.md gives the purpose of each.
EXAMPLES = {"vendor-example", "testing"}
SETTINGS = ("report_only=", "settings_page=", "without_crypto=")
# Android 11, 12, 12L, 13, 14, 15 and 16, with the policy folders beside private that each has.
RELEASES = [(30, ["until30", "until32"]), (31, ["api31", "until32"]), (32, ["api31", "until32"]),
            (33, ["api31", "api33"]), (34, ["api31", "api33"]), (35, ["api31", "api33"]),
            (36, ["api31", "api33"])]
TESTS = {"cc_test", "cc_benchmark", "python_test_host", "sh_test"}


def variables(top: Path, sdk: int, *settings: str) -> dict[str, list[str]]:
    """The variables of a build of this platform SDK; `settings`: NAME=VALUE settings for Soong."""
    done = subprocess.run(
        ["make", "-s", "--warn-undefined-variables", "-f", "-", f"PLATFORM_SDK_VERSION={sdk}",
         f"ASKED={' '.join(LISTS)}",
         *(f"SOONG_CONFIG_storekeeper_{x}" for x in (*SETTINGS, *settings))],
        cwd=top, text=True, input="".join(f"{name} :=\n" for name in LISTS) + STAND_INS,
        capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    pairs = (line.split("=", 1) for line in done.stdout.splitlines())
    return {name: value.split() for name, value in pairs}


def policy_folders(top: Path, sdk: int, *settings: str) -> list[str]:
    """The policy folders of system_ext, from the variables that the release's system/sepolicy
    reads."""
    given = variables(top, sdk, *settings)
    new = given["SYSTEM_EXT_PUBLIC_SEPOLICY_DIRS"] + given["SYSTEM_EXT_PRIVATE_SEPOLICY_DIRS"]
    old = given["BOARD_PLAT_PUBLIC_SEPOLICY_DIR"] + given["BOARD_PLAT_PRIVATE_SEPOLICY_DIR"]
    # Android 11 reads only the old variables, main refuses them.
    assert (new == []) == (sdk < 31) and (old == []) == (sdk >= 31)
    return old + new


def problems(top: Path) -> list[str]:
    """Files that an image of some release would lack or could not build."""
    found = []
    modules = blueprint.modules(top)
    new = variables(top, 36)
    for name in sorted({x for sdk, _ in RELEASES for more in ((), ("report_only=true",))
                        for given in [variables(top, sdk, "settings_page=true", *more)]
                        for x in given["PRODUCT_PACKAGES"] + given["PRODUCT_PACKAGES_DEBUG"]}):
        if name not in modules:
            found.append(f"no module {name}")
    for name, module in modules.items():
        is_service = module.strings("init_rc") != []
        if is_service and name not in new["PRODUCT_PACKAGES"]:
            found.append(f"{name} is not in PRODUCT_PACKAGES")
    named = {Path(x).relative_to(HOME) for sdk, _ in RELEASES for x in policy_folders(top, sdk)}
    there = {x.relative_to(top) for x in (top / "sepolicy").iterdir()
             if x.is_dir() and x.name not in EXAMPLES}
    found += [f"{x} is named and missing" for x in sorted(named - there)]
    found += [f"{x} is not named" for x in sorted(there - named)]
    for sdk, overlays in RELEASES:
        wanted = [f"{HOME}/sepolicy/{x}" for x in ("public", "private", "trim", *overlays)]
        if policy_folders(top, sdk) != wanted:
            found.append(f"SDK {sdk} has policy folders {' '.join(policy_folders(top, sdk))}")
    for group in test_mapping(top).values():
        found += [f"TEST_MAPPING: no test {entry['name']}" for entry in group
                  if entry["name"] not in modules or modules[entry["name"]].kind not in TESTS]
    return found


def test_mapping(top: Path) -> dict[str, list[dict]]:
    text = (top / "TEST_MAPPING").read_text()
    return json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M))


test_mapping.__test__ = False  # type: ignore[attr-defined]


def test_everything_named_is_there() -> None:
    assert problems(TOP) == []


def test_properties_that_others_read_have_an_api() -> None:
    folder = TOP / "system-service/sysprop"
    reported = (folder / "StorekeeperProperties.sysprop").read_text()
    props = {m[1]: dict(re.findall(r'(\w+): "?([^"\n]*)', m[0]))
             for m in re.finditer(r'^prop \{\n    api_name: "(\w+)"[^}]*', reported, re.M)}
    rows = dict(re.findall(r"^\| storekeeper\.status\.(\w+) \| (.*) \|$",
                           (TOP / "docs/properties.md").read_text(), re.M))
    assert set(props) == set(rows)
    for name, prop in props.items():
        assert prop["prop_name"] == f"storekeeper.status.{name}"
        assert (prop["scope"], prop["access"]) == ("Public", "Readonly")
        if prop["type"] == "Enum":
            assert prop["enum_values"].split("|") == re.findall(r"`(\w+)`", rows[name])
    # The format of sysprop_api_dump: by name, without default values.
    api = 'props {\n  module: "android.sysprop.StorekeeperProperties"\n'
    for name, prop in sorted(props.items()):
        api += (f'  prop {{\n    api_name: "{name}"\n    type: {prop["type"]}\n'
                f'    prop_name: "{prop["prop_name"]}"\n')
        if "enum_values" in prop:
            api += f'    enum_values: "{prop["enum_values"]}"\n'
        api += "  }\n"
    for version in ("current", "latest"):
        assert (folder / f"api/StorekeeperProperties-{version}.txt").read_text() == api + "}\n"


def test_the_product_turns_the_service_on() -> None:
    assert variables(TOP, 36)["PRODUCT_SYSTEM_EXT_PROPERTIES"] == ["ro.storekeeper.enabled=true"]


def test_a_product_may_say_what_it_takes() -> None:
    modules = blueprint.modules(TOP)
    plain = set(variables(TOP, 36)["PRODUCT_PACKAGES"])
    crypto = {"storekeeper_crypto_early"}
    assert plain == {"storekeeperd", "storekeeperd_trim.rc"} | crypto
    assert plain - set(variables(TOP, 36, "without_crypto=true")["PRODUCT_PACKAGES"]) == crypto
    page = variables(TOP, 36, "settings_page=true")["PRODUCT_PACKAGES"]
    assert set(page) - plain == {"StorekeeperPage"}
    # Soong has the same values.
    module = modules["storekeeper_crypto_early"]
    assert modules[module.kind].strings("bool_variables") == ["without_crypto"]
    assert module.properties["soong_config_variables"] == {"without_crypto": {"enabled": False}}


@pytest.mark.parametrize(("sdk", "overlays"), RELEASES)
def test_a_report_only_product_installs_no_right_to_trim(sdk: int, overlays: list[str]) -> None:
    given = variables(TOP, sdk, "report_only=true")
    links = {"storekeeper_links.rc"} if sdk < 33 else set()
    assert set(given["PRODUCT_PACKAGES"]) == {"storekeeperd", "storekeeperd_report_only.rc"} | links
    assert given["PRODUCT_SYSTEM_EXT_PROPERTIES"] == ["ro.storekeeper.report_only=true",
                                                      "ro.storekeeper.enabled=true"]
    assert policy_folders(TOP, sdk, "report_only=true") == [
        f"{HOME}/sepolicy/{x}" for x in ("public", "private", *overlays)]


@pytest.mark.parametrize(("sdk", "overlays"), RELEASES)
def test_each_release_gets_the_rules_it_has_types_for(sdk: int, overlays: list[str]) -> None:
    assert policy_folders(TOP, sdk) == [f"{HOME}/sepolicy/{x}"
                                        for x in ("public", "private", "trim", *overlays)]


def test_board_and_check_choose_the_same_folders() -> None:
    """check_neverallow.sh compiles what a board of the release gets."""
    names = {x.name for x in (TOP / "sepolicy").iterdir()}
    for sdk, overlays in RELEASES:
        chosen = {x for x in names if (found := re.fullmatch(r"(api|until)(\d+)", x))
                  and (int(found[2]) <= sdk if found[1] == "api" else int(found[2]) >= sdk)}
        assert chosen == set(overlays)


@pytest.mark.parametrize("sdk", [sdk for sdk, _ in RELEASES])
def test_soong_is_told_which_libraries_the_release_has(sdk: int) -> None:
    given = variables(TOP, sdk)
    assert "storekeeper" in given["SOONG_CONFIG_NAMESPACES"]
    assert ("before_13" in given["SOONG_CONFIG_storekeeper"]) == (sdk < 33)
    assert given["SOONG_CONFIG_storekeeper_before_13"] == (["true"] if sdk < 33 else [])


@pytest.mark.parametrize("sdk", [sdk for sdk, _ in RELEASES])
def test_releases_without_links_get_them(sdk: int) -> None:
    assert ("storekeeper_links.rc" in variables(TOP, sdk)["PRODUCT_PACKAGES"]) == (sdk < 33)


# Stand-ins for functions of build/make, with the meaning they have there. Android 11 and 12 have no
# soong_config_set: a call of it is empty, as of every undefined name.
FUNCTIONS = """
math_gt_or_eq = $(if $(shell test $(1) -ge $(2) && echo y),true)
inherit-product = $(eval include $(1))
"""
SOONG_CONFIG_SET = """
soong_config_set = $(eval SOONG_CONFIG_$(1) += $(2))$(eval SOONG_CONFIG_$(1)_$(2) := $(3))
"""


def documented(folder: Path, sdk: int, lines: str) -> dict[str, list[str]]:
    """The result of the document's lines in a tree laid out by its manifest."""
    text = (TOP / "docs/integration.md").read_text()
    manifest = ElementTree.fromstring(re.findall(r"^```xml\n(.*?)^```", text, re.M | re.S)[0])
    project = manifest.find("project")
    assert project is not None
    home = folder / project.attrib["path"]
    home.parent.mkdir(parents=True)
    home.symlink_to(TOP)
    makefile = folder / "Makefile"
    asked = (*LISTS, *(f"SOONG_CONFIG_storekeeper_{x.rstrip('=')}" for x in SETTINGS))
    makefile.write_text(FUNCTIONS + (SOONG_CONFIG_SET if sdk >= 33 else "") + lines
                        + "\n$(foreach v,$(ASKED),$(info $(v)=$($(v))))\nall: ;\n")
    done = subprocess.run(["make", "-s", f"PLATFORM_SDK_VERSION={sdk}",
                           f"ASKED={' '.join(asked)}"], cwd=folder, text=True, capture_output=True)
    assert (done.returncode, done.stderr) == (0, "")
    pairs = (line.split("=", 1) for line in done.stdout.splitlines())
    return {name: value.split() for name, value in pairs}


def make_blocks() -> tuple[str, str, str, str]:
    """The lines of the document: the product, its optional settings, the same on 11, the board."""
    text = (TOP / "docs/integration.md").read_text()
    product, settings, settings_11, board = re.findall(r"^```make\n(.*?)^```", text, re.M | re.S)
    return product, settings, settings_11, board


@pytest.mark.parametrize("sdk", [sdk for sdk, _ in RELEASES])
def test_the_document_s_lines_bring_all_of_it(tmp_path: Path, sdk: int) -> None:
    product, _, _, board = make_blocks()
    given = documented(tmp_path, sdk, product + board)
    direct = variables(TOP, sdk)
    assert {"storekeeperd", "storekeeper_crypto_early"} <= set(given["PRODUCT_PACKAGES"])
    assert {name: given[name] for name in LISTS} == direct
    for folder in policy_folders(TOP, sdk):
        assert (tmp_path / folder).is_dir(), folder


@pytest.mark.parametrize("sdk", [sdk for sdk, _ in RELEASES])
def test_options_before_the_product_line_take_effect(tmp_path: Path, sdk: int) -> None:
    product, settings, settings_11, board = make_blocks()
    given = documented(tmp_path, sdk, (settings_11 if sdk < 33 else settings) + product + board)
    for name in ("report_only", "settings_page", "without_crypto"):
        assert given[f"SOONG_CONFIG_storekeeper_{name}"] == ["true"]
        assert name in given["SOONG_CONFIG_storekeeper"]
    assert "storekeeper_crypto_early" not in given["PRODUCT_PACKAGES"]
    assert "storekeeperd_report_only.rc" in given["PRODUCT_PACKAGES"]
    assert "StorekeeperPage" in given["PRODUCT_PACKAGES"]


def test_before_13_a_call_of_soong_config_set_does_nothing(tmp_path: Path) -> None:
    """The reason of the lines for 11 and 12."""
    product, settings, _, board = make_blocks()
    given = documented(tmp_path, 32, settings + product + board)
    assert "storekeeper_crypto_early" in given["PRODUCT_PACKAGES"]
    assert given["SOONG_CONFIG_storekeeper_without_crypto"] == []


def test_no_rule_is_forced_on_the_vendor() -> None:
    assert variables(TOP, 36)["BOARD_VENDOR_SEPOLICY_DIRS"] == []


@pytest.mark.parametrize(("file", "right", "wrong", "reported"), [
    ("storekeeper.mk", "    storekeeperd\n", "    storekeeprd\n", "no module storekeeprd"),
    ("storekeeper.mk", "    storekeeperd\n", "    storekeeper_extcsd\n",
     "storekeeperd is not in PRODUCT_PACKAGES"),
    ("BoardConfigStorekeeper.mk", "sepolicy/public", "sepolicy/pubic",
     "sepolicy/public is not named"),
    ("BoardConfigStorekeeper.mk", "VERSION),33)", "VERSION),32)",
     "SDK 32 has policy folders system/storekeeper/sepolicy/public "
     "system/storekeeper/sepolicy/private system/storekeeper/sepolicy/trim "
     "system/storekeeper/sepolicy/api31 "
     "system/storekeeper/sepolicy/api33"),
    ("storekeeper.mk", "    storekeeper_links.rc\n", "    storekeeper_link.rc\n",
     "no module storekeeper_link.rc"),
    ("TEST_MAPPING", "storekeeper_test", "storekeper_test",
     "TEST_MAPPING: no test storekeper_test"),
])
def test_a_mistake_is_found(tmp_path: Path, file: str, right: str, wrong: str,
                            reported: str) -> None:
    for path in (*blueprint.files(TOP), TOP / "TEST_MAPPING", *TOP.glob("*.mk")):
        copy = tmp_path / path.relative_to(TOP)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    for folder in (TOP / "sepolicy").iterdir():
        if folder.is_dir():
            (tmp_path / "sepolicy" / folder.name).mkdir(parents=True)
    spoil(tmp_path / file, right, wrong)
    assert reported in problems(tmp_path)
