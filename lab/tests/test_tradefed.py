# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Trade Federation's configurations: their check, and their runs on the virtual phone."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import BACKSTOP, OUT, TOP, Phone, lab, spoil

from labtool import adb, blueprint, venv

FOLDER = TOP / "tradefed-configs"
sys.path.insert(0, str(FOLDER))
import check  # noqa: E402

# Tests that a virtual phone must skip; each gives the reason itself.
NEVER = {"test_only_root_and_system_choose"}
# Tests that need a phone with encryption; those of PLAIN need one without.
ENCRYPTED = {"test_choose_confirm_and_take_back"}
PLAIN = {"test_where_nothing_is_safe_nothing_is_chosen"}


def problems(top: Path) -> dict[str, list[str]]:
    return {c.path.name: c.problems for c in check.check(top) if c.problems}


def test_the_configurations_are_right() -> None:
    assert problems(TOP) == {}
    assert len(check.modules()) >= 8
    assert {p.name for p in check.plans()} == {
        "storekeeper-smoke", "storekeeper-functional", "storekeeper-perf", "storekeeper-all",
        "vts-storekeeper"}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    service = TOP / "system-service"
    for path in (*blueprint.files(TOP), *FOLDER.rglob("*.xml"), *FOLDER.glob("host/*.py"),
                 service / "CMakeLists.txt", service / "tests.cmake",
                 TOP / "lab/tests/test_tradefed.py"):
        to = tmp_path / path.relative_to(TOP)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, to)
    return tmp_path


MAINTENANCE = "modules/storekeeper_maintenance_host_test.xml"
SHELL = "modules/storekeeper_shell_test.xml"
UNIT = "modules/storekeeper_test.xml"
BENCHMARK = "modules/storekeeper_benchmark.xml"
VTS = "modules/vts_storekeeper_test.xml"


@pytest.mark.parametrize(("file", "right", "wrong", "reported"), [
    (UNIT, "native-test-timeout", "native-test-timeuot", "unknown option native-test-timeuot"),
    (UNIT, "testtype.GTest", "testtype.GTests", "unknown class"),
    (UNIT, 'value="30m"', 'value="ten"', "'ten' is no long"),
    (UNIT, 'name="cleanup" value="true"', 'name="cleanup" value="yes"', "neither true nor false"),
    (UNIT, ' key="storekeeper_test"', "", "needs a key"),
    (UNIT, 'name="test-suite-tag"', 'name="test-suit-tag"', "unknown option test-suit-tag"),
    (UNIT, 'value="storekeeper_test" />', 'value="storekeper_test" />',
     "no Android.bp has a module storekeper_test"),
    (UNIT, "ro.storekeeper.enabled", "ro.storekeeper.enable", "would fail, not skip"),
    (UNIT, "[ -e /system_ext/bin/storekeeperd ]", "cmd -l | grep -qw storekeeper", "would skip"),
    (UNIT, "throw-if-cmd-fail", "throw-if-cmd-fails", "service is dead would pass"),
    (SHELL, "parse-gtest", "parse-python-unit-test", "is there since 16, 15 QPR2 is promised"),
    (BENCHMARK, "targetprep.PushFilePreparer", "targetprep.TemperatureThrottlingWaiter",
     "no line with mType=3"),
    (UNIT, "</configuration>", "", "not well-formed"),
    (UNIT, "storekeeper-functional", "storekeeper-functoinal",
     "no plan runs storekeeper-functoinal"),
    (UNIT, 'value="/data/local/tmp"', 'value="/data/local/tmp/storekeeper_test"',
     "nothing is pushed to /data/local/tmp/storekeeper_test/storekeeper_test"),
    (SHELL, "target_preparer", "test", "is a target_preparer, not a test"),
    (SHELL, "parse-gtest", "parse-python-unit-test", "no parse-gtest"),
    (MAINTENANCE, "mobly-test-timeout", "mobly-test-timeuot", "no mobly-test-timeout"),
    ("plans/storekeeper-smoke.xml", '<option name="test-tag"',
     '<option name="mobly-test-timeout" value="1m" /><option name="test-tag"',
     "unknown option mobly-test-timeout"),
    ("plans/storekeeper-smoke.xml", "suite.BaseTestSuite", "suite.TfSuiteRunner",
     "is no testtype.suite.BaseTestSuite"),
    ("plans/storekeeper-smoke.xml", "suite.BaseTestSuite", "suite.TfSuiteRunner",
     "NullPointerException"),
    ("plans/storekeeper-smoke.xml", "suite.XmlFormattedGeneratorReporter", "ConsoleResultReporter",
     "as PASSED"),
    ("plans/storekeeper-all.xml", "skip-loading-config-jar", "skip-loading-config-jars",
     "it loads other modules, too"),
    ("plans/storekeeper-smoke.xml", "tradefed.result.", "tradefed.no_result.", "no result file"),
    ("host/storekeeper_device.py", "asserts.skip(", "asserts.abort_class(", "as ignored"),
    ("plans/storekeeper-smoke.xml", "BootstrapBuildProvider", "BootstrapBuildProvider2",
     "unknown class"),
    ("plans/storekeeper-smoke.xml",
     '<build_provider class="com.android.tradefed.build.BootstrapBuildProvider" />', "",
     "without a build_provider"),
    (VTS, "    <test class", f"    <object type=\"module_controller\" class=\"{check.PACKAGE}"
     f"{check.CONTROLLER}\" />\n    <test class", "a VTS older than Android 15"),
    ("plans/storekeeper-smoke.xml", 'run-suite-tag" value="', 'run-suite-tag" value="no-',
     "no module has the tag"),
    ("plans/vts-storekeeper.xml", "compatibility:include-filter", "compatability:include-filter",
     "unknown option compatability:include-filter"),
    ("plans/vts-storekeeper.xml", "vts_storekeeper_test", "vts_storekeper_test",
     "no module of VTS is"),
    ("Android.bp", "modules/storekeeper_test.xml", "modules/storekeeper_shell_test.xml",
     "no filegroup storekeeper_test.xml"),
    ("host/Android.bp", "python_test_host {\n    name: \"storekeeper_health",
     "python_binary_host {\n    name: \"storekeeper_health", "nothing here runs"),
])
def test_a_mistake_is_found(copy: Path, file: str, right: str, wrong: str, reported: str) -> None:
    assert problems(copy) == {}
    spoil(copy / "tradefed-configs" / file, right, wrong)
    printed = [p for found in problems(copy).values() for p in found]
    assert any(reported in p for p in printed), printed


@contextlib.contextmanager
def phone_of_its_own(*options: str) -> Iterator[Phone]:
    """A phone for host tests, which reboot it and trim all of it."""
    name = f"tradefed-{os.getpid()}-{len(options)}"
    booted = lab("up", "--name", name, *options)
    assert booted.code == 0, booted
    try:
        yield Phone(name)
    finally:
        lab("down", "--name", name)


@pytest.fixture(scope="module")
def device() -> Iterator[Phone]:
    with phone_of_its_own() as phone:
        yield phone


@dataclass(frozen=True)
class Verdict:
    """The result that a runner would report of a module."""

    passed: int
    failed: int
    skipped: frozenset[str]


def _run_python(config: check.Config, phone: Phone, folder: Path) -> Verdict:
    """Runs a test as MoblyBinaryHostTest does, with adb's own client."""
    home = OUT / "run" / phone.name
    bed = folder / "bed.yaml"
    bed.write_text(f"TestBeds:\n- Name: TestBed\n  Controllers:\n    AndroidDevice:\n"
                   f'    - serial: "{phone.state["serial"]}"\n'
                   f"MoblyParams:\n  LogPath: {folder}/log\n")
    module = blueprint.modules(TOP)[config.name]
    done = subprocess.run(
        [venv.ready() / "python", "-B", TOP / module.file.parent / module.strings("main")[0], "--",
         f"--config={bed}", f"--device_serial={phone.state['serial']}",
         f"--log_path={folder}/log"],
        env={**adb.environment(home), "PATH": f"{adb.ADB.parent}:{os.environ['PATH']}",
             # On "localhost" a client would start a server of its own.
             "ANDROID_ADB_SERVER_ADDRESS": "127.0.0.1",
             "ANDROID_ADB_SERVER_PORT": str(phone.state["adb_server_port"])},
        text=True, capture_output=True, timeout=BACKSTOP)
    printed = done.stdout + done.stderr
    print(printed)
    counts = {name: int(n) for name, n in
              re.findall(r"(\w+) (\d+)(?:,|$)", printed.split("Test results: ")[-1])}
    failed = counts["Error"] + counts["Failed"]
    assert (done.returncode == 0) == (failed == 0), printed
    skipped = frozenset(re.findall(r"(test_\w+) SKIP", printed))
    if not failed:
        assert counts["Passed"] == counts["Requested"] - len(skipped) > 0, printed
    return Verdict(counts["Passed"], failed, skipped)


def _run_shell(config: check.Config, phone: Phone, folder: Path, user: str = "shell") -> Verdict:
    """Runs a test as ExecutableTargetTest does, for the shell user."""
    module = blueprint.modules(TOP)[config.name]
    source = TOP / module.file.parent / module.strings("src")[0]
    place = next(o for o in config.root.iter("option") if o.get("name") == "push-file")
    line = next(o for o in config.root.iter("option") if o.get("name") == "test-command-line")
    target = place.get("value")
    phone.output(f"mkdir -p {target}")
    assert phone.lab("push", str(source), f"{target}/{config.name}").code == 0
    script = folder / "line.sh"
    script.write_text(f"export PATH=/system/bin:/system/xbin\n{line.get('value')}\n")
    assert phone.lab("push", str(script), f"{target}/line.sh").code == 0
    result = phone.shell(f"busybox su -s /system/bin/sh {user} -c 'sh {target}/line.sh'")
    phone.output(f"rm -r {target}")
    print(result.out)

    def names(kind: str) -> list[str]:
        return re.findall(rf"^\[ *{kind} *\] (\S+)(?: \(0 ms\))?$", result.out, re.M)
    passed, failed, skipped = names("OK"), names("FAILED"), names("SKIPPED")
    assert len(names("RUN")) == len(passed) + len(failed) + len(skipped) > 0, result
    assert f"[  PASSED  ] {len(passed)} tests." in result.out, result
    assert (result.code == 0) == (not failed), result
    return Verdict(len(passed), len(failed), frozenset(skipped))


# Runners by module type; tests that another build runs (ctest) are not here.
RUNNERS = {
    "python_test_host": _run_python,
    "sh_test": _run_shell,
}


HERE = [c for c in check.modules() if blueprint.modules(TOP)[c.name].kind in RUNNERS]


def run(config: check.Config, phone: Phone, folder: Path) -> Verdict:
    return RUNNERS[blueprint.modules(TOP)[config.name].kind](config, phone, folder)


ON_PHONE = pytest.mark.parametrize("config", HERE, ids=[c.name for c in HERE])


@ON_PHONE
def test_on_the_virtual_phone(device: Phone, config: check.Config, tmp_path: Path) -> None:
    assert healthy(device)
    verdict = run(config, device, tmp_path)
    assert verdict.failed == 0 and verdict.passed > 0
    assert verdict.skipped <= NEVER | ENCRYPTED


@pytest.mark.long
@ON_PHONE
def test_modules_pass_twice_on_one_boot(device: Phone, config: check.Config,
                                        tmp_path: Path) -> None:
    for time in ("first", "second"):
        folder = tmp_path / time
        folder.mkdir()
        test_on_the_virtual_phone(device, config, folder)


def test_root_may_more_than_the_shell_tests_expect(device: Phone, tmp_path: Path) -> None:
    config = next(c for c in HERE if c.name == "storekeeper_shell_test")
    verdict = _run_shell(config, device, tmp_path, "root")
    assert (verdict.failed, verdict.skipped) == (
        0, {"Shell.shell_moves_no_limit", "Shell.shell_chooses_no_engine"})


def healthy(phone: Phone) -> bool:
    return phone.shell(check.ALIVE).code == 0


@pytest.fixture
def dead(device: Phone) -> Iterator[Phone]:
    """A phone on which the service is enabled but not running."""
    device.output("setprop ctl.stop storekeeperd && "
                  "lab-wait-property init.svc.storekeeperd=stopped 30")
    try:
        yield device
    finally:
        device.output("setprop ctl.start storekeeperd && "
                      "timeout 60 cmd -w storekeeper status")


@pytest.mark.parametrize("config", [pytest.param(c, id=c.name) for c in HERE])
def test_a_dead_service_is_no_pass(dead: Phone, config: check.Config, tmp_path: Path) -> None:
    verdict = run(config, dead, tmp_path)
    assert verdict.failed > 0 and verdict.passed == 0


def test_a_dead_service_is_not_an_absent_one(dead: Phone) -> None:
    assert dead.shell(check.SKIP).code == 0
    # Modules that do not call the service fail by this check.
    assert not healthy(dead)


def test_a_device_without_the_service_skips(device: Phone) -> None:
    program = "/system_ext/bin/storekeeperd"
    try:
        assert device.shell(f"mv {program} {program}.gone && {check.SKIP}").code == 1
    finally:
        device.output(f"mv {program}.gone {program}")
    assert device.shell(check.SKIP).code == 0


# The engine, the CPU and the card cause no delays: nothing is timed.
QUICK = [word for parameter in (
    "vemmc.capacity_mib=192", "qcrypto.setup_encrypt_ns=0", "qcrypto.setup_decrypt_ns=0",
    "qcrypto.kb_s=1000000", "vqcrypto_cpu.setup_ns=0", "vqcrypto_cpu.encrypt_kb_s=1000000",
    "vqcrypto_cpu.decrypt_kb_s=1000000") for word in ("--param", parameter)]


def test_the_crypto_module_chooses_and_rolls_back_on_a_phone_with_an_engine(tmp_path: Path) -> None:
    config = next(c for c in check.modules() if c.name == "storekeeper_crypto_host_test")
    with phone_of_its_own("--profile", "xperia-z", *QUICK) as phone:
        verdict = _run_python(config, phone, tmp_path)
        assert verdict.failed == 0 and verdict.passed > 0
        assert verdict.skipped <= NEVER | PLAIN


def test_controllers_run_with_the_service_and_skip_without(device: Phone) -> None:
    commands = {o.get("value") for c in check.modules()
                for e in c.objects(check.CONTROLLER)
                for o in e.findall("option") if o.get("name") == "run-command"}
    assert commands == {check.SKIP}
    assert device.shell(check.SKIP).code == 0
    bare = lab("run", "--measure", "--prop", "ro.storekeeper.enabled=false", "--", check.SKIP)
    assert bare.code == 1, bare


def test_teardown_commands_succeed_on_an_untouched_device(device: Phone) -> None:
    """Teardown commands are no errors on a device that no test has touched."""
    for config in check.modules():
        for option in config.root.iter("option"):
            if option.get("name") == "teardown-command":
                result = device.shell(str(option.get("value")))
                assert result.code == 0, (config.name, option.get("value"), result)
