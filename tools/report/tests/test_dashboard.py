# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The dashboard against Grafana's schema, as Grafana's own library for Python has it: each value is
of the type of its field, and what the library reads it writes again, so that nothing is unknown."""

from __future__ import annotations

import copy
import enum
import json
import re
import sys
import typing
from collections.abc import Callable
from typing import Any

import pytest
from conftest import HERE
from grafana_foundation_sdk.cog import encoder, plugins
from grafana_foundation_sdk.models.dashboard import Dashboard
from storekeeper_report import openmetrics
from storekeeper_report.device import devices
from typeguard import TypeCheckError, check_type, checker_lookup_functions

FILE = HERE.parent / "grafana/storekeeper.json"
DASHBOARD = json.loads(FILE.read_text())
plugins.register_default_plugins()


def enum_checker(kind: Any, *_: object) -> Callable[..., None] | None:
    """The library keeps the values of enums as it reads them."""
    if not (isinstance(kind, type) and issubclass(kind, enum.Enum)):
        return None

    def check(value: object, *_: object) -> None:
        if value not in [x.value for x in kind]:
            raise TypeCheckError(f"is no {kind.__name__}")
    return check


checker_lookup_functions.insert(0, enum_checker)


def check_fields(value: Any) -> None:
    """The library checks no types when it reads."""
    if isinstance(value, list):
        for x in value:
            check_fields(x)
    elif type(value).__module__.startswith("grafana_foundation_sdk."):
        for name, kind in typing.get_type_hints(
                type(value), vars(sys.modules[type(value).__module__])).items():
            field = getattr(value, name, None)
            check_type(field, kind)
            check_fields(field)


def check_dashboard(given: dict[str, Any]) -> None:
    read = Dashboard.from_json(copy.deepcopy(given))
    check_fields(read)
    assert json.loads(json.dumps(read, cls=encoder.JSONEncoder)) == given


def test_the_dashboard_is_one_of_grafana() -> None:
    check_dashboard(DASHBOARD)


@pytest.mark.parametrize("spoil", [
    lambda x: x.update(titel="Storekeeper"),
    lambda x: x.update(title=7),
    lambda x: x["panels"][0].update(gridPos={"x": "0", "y": 0, "w": 1, "h": 1}),
    lambda x: x["panels"][0]["options"].update(colour="value"),
    lambda x: x["panels"][3]["targets"][0].update(expr=[]),
    lambda x: x["panels"][0].pop("type"),
    lambda x: x["panels"][3]["options"]["tooltip"].update(mode="several"),
])
def test_what_is_none_is_found(spoil: Callable[[dict[str, Any]], object]) -> None:
    given = copy.deepcopy(DASHBOARD)
    spoil(given)
    with pytest.raises((AssertionError, KeyError, TypeCheckError)):
        check_dashboard(given)


def test_it_asks_for_metrics_and_labels_that_there_are(
        dump: Callable[[str], dict[str, Any]]) -> None:
    text = openmetrics.render(devices([dump("worn-emmc"), dump("new-ufs")]))
    queries = [x["expr"] for p in DASHBOARD["panels"] for x in p["targets"]]
    queries += [x["query"] for x in DASHBOARD["templating"]["list"] if x["type"] == "query"]
    for query in queries:
        for name, selectors in re.findall(r"(storekeeper_\w+)(?:\{([^}]*)\})?", query):
            lines = re.findall(rf"^{name}\{{(.*)\}} ", text, re.M)
            assert lines, name
            for label, same, wanted in re.findall(r'(\w+)(=~?)"([^"]*)"', selectors):
                assert any(f'{label}="{wanted}"' in x if same == "=" else f"{label}=" in x
                           for x in lines), (name, label)


def test_panels_stand_side_by_side() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"])
                 for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
