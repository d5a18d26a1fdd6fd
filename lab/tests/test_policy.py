# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The gates of maintenance on the virtual phone: the events that open and close them, the callers
who may move them, the state that survives a restart, and the daemon's wake-ups. All tests run in
measuring mode, in guest time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import TOP, Answer, answers, lab, unwrapped

VPHONE = "/sys/module/vphone/parameters"
SCREEN = "setprop debug.tracing.screen_state"
PID = "$(pidof storekeeperd)"
DEVICE_JSON = "/vendor/etc/storekeeper/device.json"
EXAMPLE = re.search(r"^```json\n(.*?)^```", (TOP / "docs/device-overlay.md").read_text(),
                    re.M | re.S)[1]


def play(*steps: tuple[str, str], device: Path | None = None) -> dict[str, Answer]:
    """The output of each named step, in one guest; `device`: its DEVICE_JSON."""
    script = "\n".join(f"echo '@@ {name}'; {{ {command}; }} 2>&1; echo \"code $?\""
                       for name, command in steps)
    given = ("--file", f"{device}:{DEVICE_JSON}") if device else ()
    result = lab("run", "--measure", *given, "--", script)
    assert result.code == 0, result
    return answers(result)


def why(text: str) -> dict:
    """The JSON output of a step."""
    return json.loads(text[text.index("{"):text.rindex("}") + 1])


def gate(text: str, name: str) -> dict:
    return next(row for row in why(text)["gates"] if row["name"] == name)


WHY = "cmd storekeeper why --json"
RESTART = (f"kill -9 {PID}; lab-wait-property init.svc.storekeeperd=restarting 10; "
           "lab-wait-property init.svc.storekeeperd=running 20; cmd -w storekeeper status "
           ">/dev/null")
AS_SHELL = "busybox su -s /system/bin/sh shell -c"

GATES: list[tuple[str, str]] = [
    ("start", f"{SCREEN} 1; {WHY}"),
    ("quiet for 20 min", f"sleep 1200; {WHY}"),
    ("touched", f"echo 1 >{VPHONE}/touch; sleep 1; {WHY}"),
    ("screen on", f"sleep 600; {SCREEN} 2; {WHY}"),
    ("screen off", f"{SCREEN} 1; {WHY}"),
    ("battery 79", f"echo 79 >{VPHONE}/capacity; {WHY}"),
    ("battery 79 on charger", f"echo 1 >{VPHONE}/ac_online; {WHY}"),
    ("battery 85", f"echo 0 >{VPHONE}/ac_online; echo 85 >{VPHONE}/capacity; {WHY}"),
    ("battery 41 C", f"echo 410 >{VPHONE}/temp; {WHY}"),
    ("battery 25 C", f"echo 250 >{VPHONE}/temp; {WHY}"),
    ("zone 71 C", f"echo 71000 >{VPHONE}/zone_temp; {WHY}"),
    ("zone 35 C", f"echo 35000 >{VPHONE}/zone_temp; {WHY}"),
    ("framework", "setprop persist.device_config.storage_native_boot.smart_idle_maint_enabled "
                  f"true; {WHY}"),
    ("no framework", "setprop persist.device_config.storage_native_boot.smart_idle_maint_enabled "
                     f"false; {WHY}"),
    ("override by shell", f"{AS_SHELL} 'export PATH=/system/bin; "
                          "cmd storekeeper set-gate-override untouched 60'"),
    ("override below the floor", "cmd storekeeper set-gate-override battery 5"),
    ("override of the chip", "cmd storekeeper set-gate-override chip 1"),
    ("override by root", f"cmd storekeeper set-gate-override untouched 7200; {WHY}"),
    ("dump", "dumpsys storekeeper"),
    ("battery at 39", f"echo 39 >{VPHONE}/capacity; cmd storekeeper maintain --now"),
    ("heat 46 C", f"echo 85 >{VPHONE}/capacity; echo 460 >{VPHONE}/temp; "
                  "cmd storekeeper maintain --now"),
    ("now", f"echo 250 >{VPHONE}/temp; {SCREEN} 2; cmd storekeeper maintain --now"),
    ("complete", WHY),
    ("2040", f"sleep 3600; date -s @2208988800 >/dev/null; {WHY}"),
    ("1970", f"date -s @0 >/dev/null; {WHY}"),
    ("killed", f"{RESTART}; {WHY}"),
    ("reset", f"cmd storekeeper set-gate-override untouched reset; {WHY}"),
]


@pytest.fixture(scope="module")
def outputs() -> dict[str, Answer]:
    return play(*GATES)


def test_quiet_is_counted_and_a_touch_ends_it(outputs: dict[str, Answer]) -> None:
    assert not gate(outputs["start"], "untouched")["pass"]
    assert 1200 <= gate(outputs["quiet for 20 min"], "untouched")["value"] <= 1260
    assert gate(outputs["quiet for 20 min"], "untouched")["margin"] < 0
    assert gate(outputs["touched"], "untouched")["value"] <= 2


def test_the_screen_closes_it_and_going_off_counts_as_a_touch(outputs: dict[str, Answer]) -> None:
    on = gate(outputs["screen on"], "untouched")
    assert on["value"] == 0
    assert on["note"] == "screen on"
    assert gate(outputs["screen off"], "untouched")["value"] <= 1


@pytest.mark.parametrize(("closed", "name", "opened"), [
    ("battery 79", "battery", "battery 79 on charger"),
    ("battery 79", "battery", "battery 85"),
    ("battery 41 C", "heat", "battery 25 C"),
    ("zone 71 C", "zones", "zone 35 C"),
    ("framework", "framework", "no framework"),
])
def test_a_gate_closes_and_opens(outputs: dict[str, Answer], closed: str, name: str,
                                 opened: str) -> None:
    assert not gate(outputs[closed], name)["pass"], outputs[closed]
    assert gate(outputs[opened], name)["pass"], outputs[opened]
    # The gate shows the time since it changed; another gate is unchanged.
    assert gate(outputs[opened], name)["since_s"] <= 2
    assert gate(outputs[opened], "chip")["since_s"] >= 1800


def test_only_root_moves_a_limit_and_not_beyond_safe(outputs: dict[str, Answer]) -> None:
    assert outputs["override by shell"].code == 77
    assert outputs["override below the floor"].code == 64
    assert outputs["override of the chip"].code == 64
    moved = gate(outputs["override by root"], "untouched")
    assert (moved["limit"], moved["overridden"]) == (7200, True)
    assert re.search(r"untouched +closed \S.* >= 2 h .*\n?.*limit set by root", outputs["dump"])
    assert gate(outputs["reset"], "untouched")["limit"] == 3600


def test_dumpsys_says_what_it_waits_for(outputs: dict[str, Answer]) -> None:
    assert re.search(r"^A run is due, waiting for: untouched; .* at the earliest\.",
                     outputs["dump"], re.M)
    assert re.search(r"^Deferred at .*: ", outputs["dump"], re.M)


def test_a_run_on_request_is_refused_for_safety_only(outputs: dict[str, Answer]) -> None:
    for step, name in (("battery at 39", "battery 39 % (limit >= 40 %"),
                       ("heat 46 C", "heat 46.0 C (limit <= 45.0 C")):
        assert outputs[step].code == 75, outputs[step]
        assert len(outputs[step].splitlines()) == 1
        assert f"no run: {name}" in outputs[step]
    assert outputs["now"].code == 0
    assert re.search(r"^Trimmed [\d.]+ \w+ on /data", outputs["now"], re.M)


def test_the_interval_does_not_follow_the_wall_clock(outputs: dict[str, Answer]) -> None:
    assert not gate(outputs["complete"], "interval")["pass"]
    for step in ("2040", "1970"):
        assert 3600 <= gate(outputs[step], "interval")["value"] <= 3660
        assert why(outputs[step])["relaxed_pct"] == 0


def test_the_memory_survives_a_kill(outputs: dict[str, Answer]) -> None:
    before, after = why(outputs["1970"]), why(outputs["killed"])
    assert after["last_complete_wall_s"] == before["last_complete_wall_s"]
    assert 3600 <= gate(outputs["killed"], "interval")["value"] <= 3700
    assert after["refused"] == before["refused"] != []
    assert gate(outputs["killed"], "untouched")["overridden"]
    assert after["wakeups"]["total"] < before["wakeups"]["total"]


SWITCHES = f"grep ^voluntary /proc/{PID}/status"
INPUTS = f"ls -l /proc/{PID}/fd | grep -c /dev/input/event"
HOURS = 1


def every(seconds: int, command: str) -> str:
    """A command repeated every `seconds` for HOURS."""
    return (f"i=0; while [ $i -lt {HOURS * 3600} ]; do {command}; sleep {seconds}; "
            f"i=$((i + {seconds})); done")


WAKES: list[tuple[str, str]] = [
    ("due", f"{SCREEN} 1; {WHY}"),
    ("due inputs", INPUTS),
    ("due before", SWITCHES),
    ("touching", every(20, f"echo 1 >{VPHONE}/touch")),
    ("due after", SWITCHES),
    ("touched", WHY),
    ("storm before", SWITCHES),
    ("storm", f"echo 20 >{VPHONE}/capacity; " + every(20, f"echo 250 >{VPHONE}/temp")),
    ("storm after", SWITCHES),
    ("stormed", WHY),
    ("run", f"echo 85 >{VPHONE}/capacity; cmd storekeeper maintain --now; sleep 60; {INPUTS}"),
    ("idle before", SWITCHES),
    ("idle", every(20, f"echo 1 >{VPHONE}/touch; echo 250 >{VPHONE}/temp")),
    ("idle after", SWITCHES),
    ("idled", WHY),
]


@pytest.fixture(scope="module")
def woken() -> dict[str, Answer]:
    return play(*WAKES)


def switches(woken: dict[str, Answer], what: str) -> int:
    before, after = (int(woken[f"{what} {when}"].split()[1]) for when in ("before", "after"))
    return after - before


def test_constant_touching_wakes_it_twelve_times_an_hour_at_most(woken: dict[str, Answer]) -> None:
    assert why(woken["due"])["due"]
    assert woken["due inputs"].split()[0] == "1"
    # The main thread's switches: each wake-up is at least one.
    assert switches(woken, "due") <= 12 * HOURS
    assert why(woken["touched"])["wakeups"]["most_in_an_hour"] <= 12
    assert why(woken["touched"])["last_complete_wall_s"] is None


def test_neither_does_a_battery_that_reports_all_the_time(woken: dict[str, Answer]) -> None:
    assert not gate(woken["stormed"], "battery")["pass"]
    assert switches(woken, "storm") <= 2 * 12 * HOURS
    assert why(woken["stormed"])["wakeups"]["most_in_an_hour"] <= 12


def test_nothing_due_wakes_it_four_times_an_hour_at_most(woken: dict[str, Answer]) -> None:
    assert not why(woken["idled"])["due"]
    assert switches(woken, "idle") <= 4 * HOURS
    assert why(woken["idled"])["wakeups"]["last_hour"] <= 4
    # No input device is open.
    assert woken["run"].splitlines()[-1] == "0"


@pytest.fixture(scope="module")
def configured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    """A phone with the example of docs/device-overlay.md, then with a wrong configuration."""
    folder = tmp_path_factory.mktemp("configured")
    (folder / "example").write_text(EXAMPLE)
    wrong = '{"maintenance": {"untouched_s": 600, "nosuch": 1}}'
    return play(("example", WHY), ("wrong", f"echo '{wrong}' >{DEVICE_JSON}; {RESTART}; {WHY}"),
                ("wrong dump", "dumpsys storekeeper"), device=folder / "example")


def test_a_device_s_configuration_counts(configured: dict[str, Answer]) -> None:
    given = json.loads(EXAMPLE)["maintenance"]
    assert gate(configured["example"], "untouched")["limit"] == given["untouched_s"]
    assert gate(configured["example"], "heat")["limit"] == given["heat_dc"]
    assert why(configured["example"])["config_files"] == [
        "/system_ext/etc/storekeeper/default.json", DEVICE_JSON]


def test_a_wrong_configuration_is_refused_as_a_whole(configured: dict[str, Answer]) -> None:
    assert gate(configured["wrong"], "untouched")["limit"] == 3600
    assert (f"Note: Configuration file {DEVICE_JSON} is ignored: unknown key maintenance.nosuch"
            in unwrapped(configured["wrong dump"]))
