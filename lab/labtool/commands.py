# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The commands that boot, drive and end a virtual phone."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path

from . import android, guest, kernel_packages, kernels, phone, profiles, session
from .guest import Job
from .image import Run
from .paths import LabError
from .verdict import Outcome

CODES = """exit codes of `run` and `shell`: what the command in the guest returned (a signal: 128 +
its number), or the lab's own: 241 the guest's kernel panicked, 242 it hung (its watchdog fired),
243 it died or switched itself off, 244 the command used up its guest time, 245 no end in wall-clock
time, 246 the guest refused to boot. 1: the lab could not start, 2: wrong usage."""

SUPPLY = "/sys/class/power_supply"
# Properties of AOSP's build types; they decide `adb root` and the user of adb's shell. See
# lab/guest/README.md.
BUILDS = {
    "eng": {"ro.secure": "0", "ro.debuggable": "1", "ro.build.type": "eng"},
    "userdebug": {"ro.secure": "1", "ro.debuggable": "1"},
    "user": {"ro.secure": "1", "ro.debuggable": "0", "ro.build.type": "user",
             "ro.build.tags": "release-keys",
             "ro.build.fingerprint":
                 "storekeeper/lab/vphone:14/STOREKEEPER/1:user/release-keys"},
}
KNOBS = "/sys/module/vphone/parameters"


def register(commands: argparse._SubParsersAction) -> None:
    """Adds each command's arguments and function to the command line."""
    def add(name: str, handler: object, text: str, **more: object) -> argparse.ArgumentParser:
        parser = commands.add_parser(name, help=text, description=text, **more)
        parser.set_defaults(handler=handler)
        return parser

    def named(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
        parser.add_argument("--name", default=phone.DEFAULT_NAME, help="the phone's name (default: "
                            "%(default)s)")
        return parser

    def configured(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--profile", default=profiles.DEFAULT, metavar="P",
                            help="a phone of lab/profiles (default: %(default)s)")
        parser.add_argument("--kernel", choices=kernels.KERNELS, default=kernels.DEFAULT.name,
                            help="the Debian kernel to boot (default: %(default)s; others "
                            "are unpacked at their first use)")
        parser.add_argument("--param", action="append", default=[], metavar="MODULE.NAME=VALUE",
                            help="override a parameter of vemmc, vufs, vphone, qcrypto or "
                            "vqcrypto_cpu, crypto.target, .cipher, .key_bits or .engine, "
                            "partitions.cache_mib or ufs.mib (a UFS beside the card; load it with "
                            "--module sd_mod --module ufshcd_pci)")
        parser.add_argument("--prop", action="append", default=[], metavar="NAME=VALUE",
                            help="set a property before any service starts")
        parser.add_argument("--file", action="append", default=[], metavar="HOST:GUEST",
                            help="put a file into the guest; a program brings its libraries")
        parser.add_argument("--module", action="append", default=[], metavar="NAME",
                            help="load a module of the guest's kernel, and what it needs")

    plain = {"epilog": CODES, "formatter_class": argparse.RawDescriptionHelpFormatter}
    up = named(add("up", _up, "boot a phone in the background"))
    configured(up)
    up.add_argument("--android", type=Path, metavar="DIR", help="the guest with the user space of "
                    "an x86_64 product, $ANDROID_PRODUCT_OUT; ANDROID_TREES names the folder with "
                    "the tree of its release")
    up.add_argument("--build", choices=BUILDS, help="build type, which decides the user of adb's "
                    "shell: eng, root; userdebug, shell until `adb root`; user, shell (default: "
                    "userdebug with root from the start)")
    named(add("down", _down, "shut a phone down"))
    shell = named(add("shell", _shell, "run a command, or a shell, on a phone that is up",
                      **plain))
    shell.add_argument("words", nargs="*", metavar="-- COMMAND")
    push = named(add("push", _push, "copy files to a phone"))
    push.add_argument("source", nargs="+")
    push.add_argument("target")
    pull = named(add("pull", _pull, "copy files from a phone"))
    pull.add_argument("source", nargs="+")
    pull.add_argument("target")
    named(add("touch", _touch, "tap the phone's screen"))
    battery = named(add("battery", _battery, "show or set the phone's power supplies"))
    battery.add_argument("level", nargs="?", type=_percent, metavar="PERCENT")
    battery.add_argument("--ac", action=argparse.BooleanOptionalAction,
                         help="connect or disconnect the charger")
    battery.add_argument("--temp", type=float, metavar="CELSIUS", help="temperature of the battery")
    status = add("status", _status, "list the phones")
    status.add_argument("--json", action="store_true")
    run = add("run", _run, "boot a phone of its own for one command", **plain)
    configured(run)
    run.add_argument("--measure", action="store_true",
                     help="deterministic: guest time is a function of the instructions executed; "
                          "no network")
    run.add_argument("--timeout", type=int, default=guest.DEFAULT_TIMEOUT, metavar="SECONDS",
                     help="guest time after which the command is ended (default: "
                          "%(default)s)")
    run.add_argument("--backstop", type=float, default=guest.BACKSTOP, metavar="SECONDS",
                     help="wall-clock time after which a stuck emulator is killed "
                          "(default: %(default)s)")
    run.add_argument("--get", action="append", default=[], metavar="GUEST:HOST",
                     help="copy a file out of the guest after the command")
    run.add_argument("words", nargs="+", metavar="-- COMMAND")


def _percent(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 100")
    return value


def _pair(text: str, separator: str, option: str) -> tuple[str, str]:
    left, found, right = text.partition(separator)
    if not found or not left or not right:
        raise LabError(f"{option} {text}: write two parts separated by '{separator}'")
    return left, right


def _properties(args: argparse.Namespace) -> dict[str, str]:
    return dict(_pair(text, "=", "--prop") for text in args.prop)


def _files(args: argparse.Namespace) -> list[tuple[Path, str]]:
    pairs = [_pair(text, ":", "--file") for text in args.file]
    return [(Path(host), inside) for host, inside in pairs]


def _out(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _err(data: bytes) -> None:
    sys.stderr.buffer.write(data)
    sys.stderr.buffer.flush()


def _end(outcome: Outcome) -> int:
    if outcome.problem:
        print(outcome.report(), file=sys.stderr, flush=True)
    return outcome.code


def _stoppable() -> None:
    """Makes SIGTERM and SIGHUP end a command like Ctrl-C, so that it cleans up."""
    def stop(number: int, _: object) -> None:
        sys.exit(128 + number)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)


def _run(args: argparse.Namespace) -> int:
    if args.timeout < 1:
        raise LabError(f"--timeout {args.timeout}: write a number of seconds from 1 on")
    job = Job(command=args.words, profile=guest.load_profile(args.profile, args.param),
              kernel=kernel_packages.ready(args.kernel), measure=args.measure,
              timeout=args.timeout, backstop=args.backstop, properties=_properties(args),
              files=_files(args), modules=args.module,
              get=[(a, Path(b)) for a, b in (_pair(x, ":", "--get") for x in args.get)])
    _stoppable()
    return _end(guest.run(job, _out, _err))


def _up(args: argparse.Namespace) -> int:
    if args.android:
        android.choose(args.android)
    run = Run(profile=guest.load_profile(args.profile, args.param), network=True,
              kernel=kernel_packages.ready(args.kernel),
              properties={**BUILDS.get(args.build, {}), **_properties(args)},
              files=_files(args), modules=args.module)
    booted = phone.up(args.name, run)
    if isinstance(booted, Outcome):
        return _end(booted)
    print(f"{booted.name}: {booted.profile}, adb at {booted.serial}, its server at port "
          f"{booted.adb_server_port}")
    return 0


def _down(args: argparse.Namespace) -> int:
    if not phone.down(args.name):
        print(f"lab: no phone '{args.name}'", file=sys.stderr)
        return 1
    print(f"{args.name}: ended")
    return 0


def _shell(args: argparse.Namespace) -> int:
    state = phone.find(args.name)
    if not args.words:
        return _end(session.terminal(state))
    _stoppable()
    return _end(session.shell(state, args.words, _out, _err, stdin=None))


def _push(args: argparse.Namespace) -> int:
    return _end(session.copy(phone.find(args.name), "push", args.source, args.target))


def _pull(args: argparse.Namespace) -> int:
    return _end(session.copy(phone.find(args.name), "pull", args.source, args.target))


def _touch(args: argparse.Namespace) -> int:
    session.output(phone.find(args.name), f"echo 1 >{KNOBS}/touch")
    return 0


def _battery(args: argparse.Namespace) -> int:
    state = phone.find(args.name)
    values = {"capacity": args.level,
              "ac_online": None if args.ac is None else int(args.ac),
              "temp": None if args.temp is None else round(args.temp * 10)}
    lines = [f"echo {v} >{KNOBS}/{k}" for k, v in values.items() if v is not None]
    print(session.output(state, "\n".join(["set -e", *lines, f"cat {SUPPLY}/*/uevent"])), end="")
    return 0


def _status(args: argparse.Namespace) -> int:
    rows = [_status_of(name) for name in phone.names()]
    if args.json:
        print(json.dumps(rows, indent=1))
        return 0
    for row in rows:
        print(", ".join(f"{k} {v}" for k, v in row.items() if v not in (None, "")))
    if not rows:
        print("no phone is up")
    return 0


def _status_of(name: str) -> dict[str, object]:
    state = phone.read_state(name)
    if state is None or not phone.is_up(name):
        return {"name": name, "up": False, "code": state.code if state else None,
                "problem": state.problem if state else ""}
    text = session.output(state, "cat /proc/uptime; getprop init.svc.storekeeperd; "
                          f"cat {SUPPLY}/battery/capacity")
    uptime, service, capacity = (text.splitlines() + ["", "", ""])[:3]
    return {"name": name, "up": True, "profile": state.profile, "serial": state.serial,
            "adb_server_port": state.adb_server_port, "uptime_s": float(uptime.split()[0]),
            "storekeeperd": service, "battery_percent": int(capacity)}
