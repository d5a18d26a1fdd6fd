#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Trade Federation's configurations before it sees them: `make check-tradefed`.

Class and option names are compared with its own, which testing/names.json holds, with the release
that has them first; what its classes do with what testing/facts.json lists; what a configuration
runs with the Android.bp files, and those with what runs them here.
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / "lab"))
import json  # noqa: E402

from labtool import blueprint  # noqa: E402

PACKAGE = "com.android.tradefed."
# Holds on a device with the service, dead or alive.
SKIP = ('[ -e /system_ext/bin/storekeeperd ] && '
        '[ "$(getprop ro.storekeeper.enabled)" = true ]')
# Fails where the service is dead. Modules that ask it nothing need this of a preparer.
ALIVE = "timeout 30 cmd storekeeper status"
PREPARER = "targetprep.RunCommandTargetPreparer"
# Runners of what asks the service nothing.
ASK_NOTHING = {"testtype.GTest", "testtype.GoogleBenchmarkTest"}
CONTROLLER = "testtype.suite.module.CommandSuccessModuleController"
# The option by which a runner gets what to run, and the modules that are right for it.
RUNS = {
    "testtype.GTest": ("module-name", {"cc_test"}),
    "testtype.GoogleBenchmarkTest": ("benchmark-module-name", {"cc_benchmark"}),
    "testtype.mobly.MoblyBinaryHostTest": ("mobly-par-file-name", {"python_test_host"}),
    "testtype.binary.ExecutableTargetTest": ("test-command-line", {"sh_test"}),
}
# In whose folder a runner looks for what it runs; where nothing is, it reports no failure.
LOOKS = {
    "testtype.GTest": "native-test-device-path",
    "testtype.GoogleBenchmarkTest": "native-benchmark-device-path",
}
# Options that a configuration must give, because the runner's default is wrong, with the reason.
MUST_SAY = {
    "testtype.mobly.MoblyBinaryHostTest": {"mobly-test-timeout": "its default is 20 s"},
    "testtype.binary.ExecutableTargetTest": {
        "parse-gtest": "a shell that dies with the device returns 0"},
    CONTROLLER: {
        "run-command": "without it nothing is skipped"},
}


@dataclass
class Config:
    """A file of modules/ or plans/."""

    path: Path
    root: ElementTree.Element
    problems: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.stem

    def options(self, name: str) -> list[str]:
        """Values of an option of the configuration itself."""
        return [e.get("value", "") for e in self.root.findall("option") if e.get("name") == name]

    def objects(self, kind: str) -> list[ElementTree.Element]:
        return [e for e in self.root.iter() if e.get("class") == PACKAGE + kind]

    def runs(self) -> list[tuple[str, set[str]]]:
        """Names of what it runs, and the module types that may have them."""
        found = []
        for kind, (option, types) in RUNS.items():
            for test in self.objects(kind):
                found += [(e.get("key") or e.get("value", ""), types)
                          for e in test.findall("option") if e.get("name") == option]
        return found


def names() -> dict:
    return json.loads((Path(__file__).parent / "testing/names.json").read_text())


def facts() -> dict:
    """Facts about Trade Federation's classes that their names do not show."""
    return json.loads((Path(__file__).parent / "testing/facts.json").read_text())


def read(folder: Path) -> list[Config]:
    found = []
    for path in sorted(folder.glob("*.xml")):
        try:
            found.append(Config(path, ElementTree.parse(path).getroot()))
        except ElementTree.ParseError as e:
            found.append(Config(path, ElementTree.Element("none"), [f"not well-formed: {e}"]))
    return found


def _value(option: ElementTree.Element, fact: dict) -> str:
    """The problem of an option's value, or nothing."""
    name, value, key = option.get("name"), option.get("value"), option.get("key")
    kind = fact["type"]
    if value is None:
        return f"{name} has no value"
    if ("Map<" in kind) != (key is not None):
        return f"{name} ({kind}) {'needs a' if key is None else 'takes no'} key"
    number = r"-?\d+" if not fact.get("time") else r"\d+|(\d+(ms|[dhms]))+"
    if kind == "Duration":
        number = r"\d+|(\d+(ms|[dhms]))+"
    bare = kind.split("<")[-1].rstrip(">")
    if bare in ("boolean", "Boolean") and value not in ("true", "false"):
        return f"{name}: '{value}' is neither true nor false"
    if bare in ("int", "long", "Integer", "Long", "Duration") and not re.fullmatch(number, value):
        return f"{name}: '{value}' is no {bare}"
    return ""


class Checker:
    """All that is known of Trade Federation's names."""

    def __init__(self) -> None:
        self.table = names()
        self.classes: dict[str, dict] = self.table["classes"]
        self.facts = facts()
        self.releases = list(self.table["releases"])

    def config(self, config: Config) -> None:
        root = config.root
        if root.tag == "none":
            return
        if root.tag != "configuration" or not root.get("description"):
            config.problems.append("no <configuration description=...>")
        everything = [e for e in root.iter() if e is not root]
        for element in everything:
            if element.tag not in self.table["elements"]:
                config.problems.append(f"unknown element <{element.tag}>")
        for include in root.findall("include"):
            if include.get("name") not in self.table["configurations"]:
                config.problems.append(f"unknown configuration {include.get('name')}")
        for option in root.findall("option"):
            self._outer(config, option)
        for element in everything:
            if "class" in element.attrib:
                self._object(config, element)
        # Two options of one name for what takes one.
        for owner in (root, *everything):
            self._repeated(config, owner)

    def _too_new(self, fact: dict) -> str:
        """The first release that has it, where that is newer than the configurations promise."""
        since = fact.get("since", self.releases[0])
        promised = self.facts["first_release"]
        return since if self.releases.index(since) > self.releases.index(promised) else ""

    def _is_a(self, given: str | None, kind: str) -> bool:
        kind = PACKAGE + kind
        return given == kind or kind in self.classes.get(given or "", {}).get("extends", [])

    def plan(self, config: Config) -> None:
        """The rules of our own plans; a plan that includes Trade Federation's has its rules."""
        if config.root.tag == "none" or config.root.find("include") is not None:
            return
        suite = self.facts["suite"]
        tests = config.root.findall("test")
        for test in tests:
            given = test.get("class", "")
            if not self._is_a(given, suite["class"]):
                config.problems.append(f"{given} is no {suite['class']}")
            for name, value in suite["options"].items():
                if _given(test, name) != [value]:
                    config.problems.append(f"{name} is not {value}: it loads other modules, too")
        if not tests:
            config.problems.append("it runs no suite")
        writers = [(e, needs) for kind, needs in self.facts["result_files"].items()
                   for e in config.root.findall("result_reporter")
                   if self._is_a(e.get("class"), kind)]
        if not any(all(_given(e, option) for option in needs) for e, needs in writers):
            config.problems.append("no result file: Trade Federation's exit code is 0 whatever "
                                   "the tests did")

    def _facts(self, element: ElementTree.Element) -> dict | None:
        return self.classes.get(element.get("class", ""))

    def _outer(self, config: Config, option: ElementTree.Element) -> None:
        """An option outside goes to every object that has it, or to those with the alias."""
        alias, _, name = (option.get("name") or "").rpartition(":")
        present = {e.get("class") for e in config.root.iter()}
        # An <include> brings objects that are not seen here.
        anybody = config.root.find("include") is not None
        takers = [f["options"][name] for c, f in self.classes.items()
                  if name in f["options"] and (f.get("alias") == alias if alias
                                               else f["element"] != "module_controller")
                  and (anybody or c in present or f["element"] == "configuration")]
        if not takers:
            config.problems.append(f"unknown option {option.get('name')}")
        elif all(_value(option, fact) for fact in takers):
            config.problems.append(_value(option, takers[0]))

    def _object(self, config: Config, element: ElementTree.Element) -> None:
        facts = self._facts(element)
        given = element.get("class")
        if facts is None:
            config.problems.append(f"unknown class {given}")
            return
        simple = str(given).rsplit(".", 1)[1]
        if reason := self.facts["avoid"].get(str(given).removeprefix(PACKAGE)):
            config.problems.append(f"{simple}: {reason}")
        if since := self._too_new(facts):
            config.problems.append(f"{simple} is in Trade Federation since {since}, "
                                   f"{self.facts['first_release']} is promised")
        kind = element.get("type") if element.tag == "object" else element.tag
        if kind != facts["element"]:
            config.problems.append(f"{simple} is a {facts['element']}, not a {kind}")
        described = set()
        for option in element.findall("option"):
            name = option.get("name", "")
            described.add(name)
            fact = facts["options"].get(name)
            problem = _value(option, fact) if fact else f"unknown option {name}"
            if problem:
                config.problems.append(f"{simple}: {problem}")
            if since := self._too_new(fact or {}):
                config.problems.append(f"{simple}: {name} is there since {since}, "
                                       f"{self.facts['first_release']} is promised")
        needed = {n: "it is mandatory" for n, f in facts["options"].items() if f.get("mandatory")}
        needed |= MUST_SAY.get(str(given).removeprefix(PACKAGE), {})
        config.problems += [f"{simple}: no {n}: {why}" for n, why in needed.items()
                            if n not in described]

    def _repeated(self, config: Config, owner: ElementTree.Element) -> None:
        facts = self._facts(owner)
        if facts is None:
            return
        seen = [o.get("name", "") for o in owner.findall("option")]
        for name in sorted({n for n in seen if seen.count(n) > 1}):
            fact = facts["options"].get(name, {"type": "<"})
            if "<" not in fact["type"]:
                config.problems.append(f"{name} twice, which takes one value")


def _given(element: ElementTree.Element, option: str) -> list[str]:
    return [e.get("value", "") for e in element.findall("option") if e.get("name") == option]


def _not_pushed(config: Config) -> list[str]:
    """Paths where a runner looks and no preparer has put anything."""
    pushed = [path for preparer in config.objects("targetprep.PushFilePreparer")
              for path in _given(preparer, "push-file")]
    looks = [f"{folder}/{name}" for kind, option in LOOKS.items() for test in config.objects(kind)
             for folder in _given(test, option) for name in _given(test, RUNS[kind][0])]
    return [path for path in looks if path not in pushed]


def _modules(configs: list[Config], top: Path) -> None:
    modules = blueprint.modules(top)
    for config in configs:
        config.problems += [f"nothing is pushed to {path}, where its test is looked for"
                            for path in _not_pushed(config)]
        if "vts" in config.options("test-suite-tag"):
            if config.objects(CONTROLLER):
                config.problems.append("a VTS older than Android 15 ends at a class it has not")
        elif not config.objects(CONTROLLER) or not any(
                o.get("value") == SKIP for o in config.root.iter("option")):
            config.problems.append("a device without the service would fail, not skip, or one "
                                   "whose service is dead would skip")
        elif any(config.objects(kind) for kind in ASK_NOTHING) and not any(
                _given(p, "run-command") == [ALIVE] and _given(p, "throw-if-cmd-fail") == ["true"]
                for p in config.objects(PREPARER)):
            config.problems.append(f"a device whose service is dead would pass: no {ALIVE}")
        if not config.options("test-suite-tag"):
            config.problems.append("no plan runs it: no test-suite-tag")
        runs = config.runs()
        if not runs:
            config.problems.append("it runs nothing")
        for name, types in runs:
            module = modules.get(name)
            if module is None:
                config.problems.append(f"no Android.bp has a module {name}")
                continue
            if module.kind not in types:
                config.problems.append(f"{name} is a {module.kind}, not a {' or '.join(types)}")
            # Soong installs the configuration under the module's name, so it must be its own.
            if name != config.name or module.strings("test_config") != [f":{config.path.name}"]:
                config.problems.append(f"{name} has not this file as its test_config")
            group = modules.get(config.path.name)
            here = str(config.path.relative_to(config.path.parents[1]))
            if group is None or group.strings("srcs") != [here]:
                config.problems.append(f"no filegroup {config.path.name} of {here}")
            suites = set(module.strings("test_suites"))
            if ("vts" in config.options("test-suite-tag")) != ("vts" in suites):
                config.problems.append(f"vts is in one of test-suite-tag and {name}'s test_suites")
            if not run_here(module, modules, top):
                config.problems.append(f"nothing here runs {name}")


def run_here(module: blueprint.Module, modules: dict[str, blueprint.Module], top: Path) -> str:
    """Who runs a module's test in `make test`: ctest's build, or a test of lab/tests; "" nobody."""
    if module.kind in ("cc_test", "cc_benchmark"):
        # tools/rooms gives CMake all that Android.bp lists.
        recipes = [top / module.file.parent / x for x in ("CMakeLists.txt", "tests.cmake")]
        text = "".join(x.read_text() for x in recipes if x.exists())
        how = {"cc_test": r"add_executable\(storekeeper_test [^)]*\)(?s:.*)gtest_discover_tests",
               "cc_benchmark": r"function\(storekeeper_benchmark (?s:.*)add_test\("}
        return "ctest" if "tools/rooms cmake" in text and re.search(
            how[module.kind], text) else ""
    test = top / "lab/tests/test_tradefed.py"
    # It takes all modules of the kinds that it has a function for.
    known = re.findall(r'^    "(\w+)": _run_', test.read_text(), re.M) if test.exists() else []
    return "lab" if module.kind in known else ""


def _plans(plans: list[Config], modules: list[Config]) -> None:
    tags = {tag for m in modules for tag in m.options("test-suite-tag")}
    run = set()
    for plan in plans:
        for runner in plan.root.findall("test"):
            if plan.root.find("build_provider") is None:
                plan.problems.append("without a build_provider no folder is searched for modules")
            for option in runner.findall("option"):
                if option.get("name") == "run-suite-tag":
                    run.add(option.get("value"))
                    if option.get("value") not in tags:
                        plan.problems.append(f"no module has the tag {option.get('value')}")
        for value in plan.options("compatibility:include-filter"):
            if value not in [m.name for m in modules if "vts" in m.options("test-suite-tag")]:
                plan.problems.append(f"no module of VTS is {value}")
            run.add("vts")
    for module in modules:
        module.problems += [f"no plan runs {tag}" for tag in module.options("test-suite-tag")
                            if tag not in run]


def modules(top: Path = TOP) -> list[Config]:
    return read(top / "tradefed-configs/modules")


def plans(top: Path = TOP) -> list[Config]:
    return read(top / "tradefed-configs/plans")


def check(top: Path = TOP) -> list[Config]:
    """Every configuration, with its problems."""
    checker = Checker()
    found, wanted = modules(top), plans(top)
    for config in found + wanted:
        checker.config(config)
    _modules([c for c in found if c.root.tag != "none"], top)
    _plans(wanted, found)
    for config in wanted:
        checker.plan(config)
    return found + wanted + _host_tests(top, checker.facts)


def _host_tests(top: Path, known: dict) -> list[Config]:
    """Calls of the host tests that hide a failure, as configurations with problems."""
    found = []
    for path in sorted((top / "tradefed-configs/host").glob("*.py")):
        config = Config(path, ElementTree.Element("none"))
        calls = set(re.findall(r"\basserts\.(\w+)\(", path.read_text()))
        config.problems += [f"{call}: {why}" for call, why in known["ignored_not_failed"].items()
                            if call in calls]
        found.append(config)
    return found


def main() -> int:
    top = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else TOP
    failed = 0
    for config in check(top):
        print(f"{'FAIL' if config.problems else 'ok':<6}{config.path.relative_to(top)}")
        for problem in config.problems:
            print(f"  {problem}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
