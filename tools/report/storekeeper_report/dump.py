# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""Reading dumps: what docs/dump.schema.json allows and nothing else, made safe to show."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator, ValidationError

from . import adb

SCHEMA = "storekeeper.dump"
SCHEMA_FILE = "dump.schema.json"
# The known schemas of files, and the command that draws each.
OTHERS = {SCHEMA: "dump; `storekeeper-report {}` draws it",
          "storekeeper.bench": "result of storekeeper_bench; `storekeeper-report bench {}` draws "
                               "it",
          "storekeeper.bench_comparison": "comparison; it stands third, after the two results: "
                                          "`storekeeper-report bench BEFORE AFTER {}`"}
# Members of every dump. Sections may be absent, from an older daemon or after a partial request.
FRAME = ("schema", "version", "made_wall_s")
# A few hundred KB are the largest that were seen.
MAX_DUMP_BYTES = 8 << 20
# A result of storekeeper_bench with all its repetitions is smaller.
MAX_BYTES = 128 << 20
# An argument with one of these endings is a file, even if no such file exists.
SUFFIXES = (".json", ".txt", ".zip", ".tar", ".tgz", ".gz", ".xz", ".bz2")
GIVE = "give the output of `adb shell dumpsys storekeeper --json`"
NO_DUMP = f"no whole JSON dump of storekeeper inside; {GIVE}"
# A longer list of problems helps nobody.
MAX_PROBLEMS = 8

Dump = dict[str, Any]


class DumpError(Exception):
    """Everything that is wrong with one input, a line each."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class NoInput(DumpError):
    """The file or device is not there."""


def sections() -> list[str]:
    """The schema's, in its order."""
    return [key for key in validator(SCHEMA_FILE).schema["required"] if key not in FRAME]


@cache
def validator(file: str) -> Draft202012Validator:
    """A validator of a schema that lies beside this file."""
    text = resources.files(__package__).joinpath(file).read_text("utf-8")
    return Draft202012Validator(json.loads(text))


def is_file_name(word: str) -> bool:
    """True if an argument means a file; anything else is a serial for adb."""
    return "/" in word or word.endswith(SUFFIXES) or Path(word).exists()


def read_json(word: str) -> Any:
    """The JSON of a file, of any schema."""
    path = Path(word)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DumpError(f"{word}: more than {MAX_BYTES >> 20} MiB, too much to be read")
        return _parse(path.read_bytes())
    except OSError as e:
        raise NoInput(f"{word}: {e.strerror}") from e
    except DumpError as e:
        raise DumpError(f"{word}: {e}") from e


def from_device(serial: str) -> Dump:
    try:
        printed = adb.shell(serial, "dumpsys storekeeper --json")
    except adb.AdbError as e:
        raise NoInput(str(e)) from e
    try:
        dump = parse_dump(printed)
    except DumpError as e:
        if SCHEMA.encode() in printed:
            raise DumpError(f"{serial}: {e}") from e
        # dumpsys returns 0 even when there is no such service.
        line = clean(printed.decode(errors="replace")).strip().partition("\n")[0]
        raise NoInput(f"{serial}: dumpsys storekeeper --json prints '{line[:120]}'; does its ROM "
                      "have storekeeperd?") from e
    return check(serial, dump)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is too large a number")
    return value


def _int(text: str) -> int:
    value = int(text)
    if not -2**63 <= value < 2**64:
        raise ValueError(f"{text} does not fit 64 bits")
    return value


DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_float, parse_int=_int)


def _parse(text: bytes) -> Any:
    """JSON in UTF-8, or in UTF-16 as PowerShell's `>` writes it, with or without a byte order
    mark."""
    if not text.strip():
        raise DumpError("empty")
    try:
        return DECODER.decode(text.decode(json.detect_encoding(text)))
    except UnicodeDecodeError as e:
        raise DumpError(f"not {e.encoding.upper()} at byte {e.start}") from e
    except RecursionError as e:
        raise DumpError("nested too deeply") from e
    except ValueError as e:
        raise DumpError(f"not JSON: {e}") from e


def parse_dump(text: bytes) -> Any:
    """The first of parse_dumps()."""
    return parse_dumps(text)[0]


def parse_dumps(text: bytes) -> list[Any]:
    """JSON by itself, or every dump among what adb, dumpsys and dumpstate print."""
    problem = NO_DUMP
    if len(text) <= MAX_DUMP_BYTES:
        try:
            return [_parse(text)]
        except DumpError as e:
            problem = str(e)
    content = text.decode(json.detect_encoding(text), errors="replace").lstrip("\ufeff")
    found = _search(content)
    if found:
        return found
    if content.lstrip()[:1] not in ("", "{", "["):
        problem = NO_DUMP
        if re.search(r"DUMP OF SERVICE storekeeper:\s*[^{\s]", content):
            problem = f"dumpsys wrote text into it, no JSON; {GIVE}"
    raise DumpError(problem)


def _search(content: str) -> list[Dump]:
    """The dumps in a text, each of which begins at the beginning of a line."""
    dumps: list[Dump] = []
    if f'"{SCHEMA}"' not in content:
        return dumps
    after = 0
    for start in re.finditer(r"^\{", content, re.M):
        if start.start() < after:
            continue
        try:
            found, end = DECODER.raw_decode(content, start.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and found.get("schema") == SCHEMA \
                and end - start.start() <= MAX_DUMP_BYTES:
            dumps.append(found)
            after = end
    return dumps


def check(name: str, dump: Any) -> Dump:
    """Refuses what the schema does not allow; keys it does not know are let pass."""
    check_kind(name, dump, SCHEMA, "storekeeper dump")
    return check_schema(name, dump, SCHEMA_FILE, lambda e: _lacks_a_section(e, dump))


def check_kind(name: str, value: Any, schema: str, what: str) -> None:
    """Refuses what is not `schema`, version 1; `what` that is called."""
    found = value.get("schema") if isinstance(value, dict) else None
    if found != schema:
        other = OTHERS.get(found) if isinstance(found, str) else None
        raise DumpError(f"{name}: schema: not '{schema}', so this is no {what}"
                        + (f" but a {other.format(name)}" if other else ""))
    if value.get("version") != 1 or isinstance(value["version"], bool):
        raise DumpError(f"{name}: version: {_short(value.get('version'))}; this program knows "
                        "version 1, a newer one may know more")


def check_schema(name: str, value: Any, file: str,
                 is_allowed: Callable[[ValidationError], bool] = lambda e: False) -> Dump:
    """`value` made safe to show; everything else that is wrong with it is reported at once."""
    problems = [_told(e) for e in validator(file).iter_errors(value) if not is_allowed(e)]
    if problems:
        problems.sort()
        more = len(problems) - MAX_PROBLEMS
        shown = [f"{name}: {x}" for x in problems[:MAX_PROBLEMS]]
        raise DumpError(*shown, *([f"{name}: and {more} more"] if more > 0 else []))
    return _cleaned(value)


def _lacks_a_section(error: ValidationError, dump: Dump) -> bool:
    if error.validator != "required" or error.absolute_path:
        return False
    # One error for each key: the message alone says which.
    return any(key not in dump and error.message.startswith(f"'{key}'") for key in sections())


def _told(error: ValidationError) -> str:
    where = "".join(f"[{x}]" if isinstance(x, int) else f".{x}" for x in error.absolute_path)
    wants = error.validator_value
    match error.validator:
        case "type":
            kinds = wants if isinstance(wants, str) else " or ".join(wants)
            what = f"{_short(error.instance)} is not of type {kinds}"
        case "enum":
            what = f"{_short(error.instance)} is none of {', '.join(map(str, wants))}"
        case "required":
            what = error.message.replace(" is a required property", " is missing")
        case "anyOf":
            what = f"{_short(error.instance)} is not what is expected there"
        case _:
            what = error.message[:120]
    return clean(f"{where.lstrip('.') or 'top level'}: {what}")


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


def clean(text: str) -> str:
    """Without what would steer a terminal or turn text around: controls, surrogates, bidi marks."""
    return "".join(c if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs") else "\ufffd"
                   for c in text)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(x) for x in value]
    if isinstance(value, dict):
        return {clean(k): _cleaned(v) for k, v in value.items()}
    return value
