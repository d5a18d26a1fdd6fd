# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The policy, compiled with stand-ins for Android's: it allows what sepolicy/rules.md and
docs/security.md list."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import TOP

SEPOLICY = TOP / "sepolicy"
# Rules of Tensor Pixels for every domain.
PIXEL = SEPOLICY / "testing/pixel"
SECURITY = (TOP / "docs/security.md").read_text()
RULES = (SEPOLICY / "rules.md").read_text()
VARIANTS = ["user", "userdebug"]
SIZES = ["report_only", "default", "example"]
BUILDS = [f"{variant} {size}" for variant in VARIANTS for size in SIZES]

# Checkouts of real policies, which make check-sepolicy uses, too.
CHECKOUTS = os.environ.get("AOSP_SEPOLICY", "").split()

# Each domain of ours, the prefix of its sections in the documents, its script, its tables of rules.
DOMAINS = [("storekeeperd", "", "storekeeperd_trim", ("Rules", "Rules of trims")),
           ("storekeeper_crypto_early", "early ", "storekeeper_crypto_early", ("Early rules",))]

Rule = tuple[str, str, str]  # type, class, permission


def check(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([folder / "check_neverallow.sh", *words], text=True, capture_output=True)


def search(policy: Path, *words: str) -> list[str]:
    return subprocess.run(["sesearch", *words, policy], text=True, capture_output=True,
                          check=True).stdout.splitlines()


@pytest.fixture(scope="module", params=VARIANTS)
def policy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("policy")
    result = check(SEPOLICY, "-o", folder, SEPOLICY / "testing")
    assert result.returncode == 0, result.stdout + result.stderr
    return folder / f"testing.{request.param}.example"


@pytest.fixture(scope="module", params=VARIANTS)
def report_only(policy: Path) -> Path:
    return policy.with_suffix(".report_only")


def table(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading of docs/security.md or sepolicy/rules.md."""
    text = f"{SECURITY}\n{RULES}".split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in text.splitlines() if line.startswith("|")]
    return rows[2:]


def macros() -> dict[str, list[str]]:
    text = (SEPOLICY / "testing/public/global_macros").read_text()
    return {name: body.split()
            for name, body in re.findall(r"define\(`(\w+)', `\{ (.*) \}'\)", text)}


def rules(lines: list[str]) -> set[Rule]:
    found = set()
    for line in lines:
        match = re.fullmatch(r"allow \w+ (\w+):(\w+) (?:\{ (.*) \}|(\w+));", line)
        if match:
            target, kind, several, one = match.groups()
            found |= {(target, kind, p) for p in (several or one).split()}
    return found


def ioctls(lines: list[str]) -> set[tuple[str, str]]:
    """(number, type:class) of sesearch's lines."""
    found = set()
    for line in lines:
        match = re.fullmatch(r"allowxperm \w+ (\w+:\w+) ioctl (?:\{ (.*) \}|(\w+));", line)
        assert match, line
        # A range would not be a number of the table.
        found |= {(n, match[1]) for n in (match[2] or match[3]).split()}
    return found


def listed_rules(*headings: str) -> set[Rule]:
    known = macros()
    return {(t, c, p) for heading in headings for types, classes, words in table(heading)
            for t in types.split(", ") for c in classes.split(", ")
            for word in words.split() for p in known.get(word, [word])}


@pytest.mark.parametrize(("domain", "heading", "script", "tables"), DOMAINS)
def test_a_domain_may_do_what_the_document_lists(policy: Path, domain: str, heading: str,
                                                 script: str, tables: tuple[str]) -> None:
    assert rules(search(policy, "-A", "-s", domain, "-ds")) == listed_rules(*tables)


@pytest.mark.parametrize(("domain", "heading", "script", "tables"), DOMAINS)
def test_its_ioctls_are_those_of_the_document(policy: Path, domain: str, heading: str,
                                              script: str, tables: tuple[str]) -> None:
    listed = {(number, on) for number, targets, _ in table(f"{heading}ioctls".capitalize())
              for on in targets.split(", ")}
    assert ioctls(search(policy, "--allowxperm", "-s", domain)) == listed


@pytest.mark.parametrize(("domain", "heading", "script", "tables"), DOMAINS)
def test_policy_init_script_and_document_name_the_same_capabilities(
        policy: Path, domain: str, heading: str, script: str, tables: tuple[str]) -> None:
    listed = {row[0] for row in table(f"{heading}capabilities".capitalize())}
    asked = re.findall(r"^    capabilities (.*)$", (TOP / f"init-rc/{script}.rc").read_text(), re.M)
    assert [set(line.split()) for line in asked] == [listed]
    for kind in ("capability", "capability2", "cap_userns", "cap2_userns"):
        allowed = rules(search(policy, "-A", "-s", domain, "-c", kind))
        assert {p.upper() for _, _, p in allowed} == (listed if kind == "capability" else set())


def test_a_report_only_product_lacks_all_rights_of_trims(report_only: Path) -> None:
    found = rules(search(report_only, "-A", "-s", "storekeeperd", "-ds"))
    assert found == listed_rules("Rules")
    assert not {(target, kind) for target, kind, _ in found} & {
        ("storekeeperd", "capability"), ("input_device", "chr_file"),
        ("storekeeper_request_prop", "property_service")}
    assert search(report_only, "--allowxperm", "-s", "storekeeperd") == []
    for target in ("sysfs_storekeeper_hid", "sysfs_storekeeper_queue"):
        lines = search(report_only, "-A", "-t", target)
        assert {line.split()[1] for line in lines if line.startswith("allow")} == {"storekeeperd"}
    # The script asks for no capability, and group input is not among its groups.
    script = (TOP / "init-rc/storekeeperd_report_only.rc").read_text()
    assert re.findall(r"^    (capabilities.*|group.*)$", script, re.M) == ["group system",
                                                                          "capabilities"]


def test_only_shells_and_bug_reports_may_call_it(policy: Path) -> None:
    lines = search(policy, "-A", "-t", "storekeeperd", "-c", "binder", "-p", "call")
    callers = {line.split()[1] for line in lines}
    # Every client of the HAL and of servicemanager lets these two call it.
    assert callers == {"dumpstate", "hal_health_server", "servicemanager", "shell"}


@pytest.mark.parametrize(("target", "users"), [
    ("storekeeper_data_file", {"storekeeperd"}),
    ("storekeeper_choice_file", {"storekeeper_crypto_early", "storekeeperd"}),
    ("storekeeper_status_prop",
     {"platform_app", "shell", "storekeeperd", "system_app", "system_server", "vold"}),
    ("storekeeper_request_prop", {"storekeeperd"}),
    ("storekeeper_config_prop",
     {"storekeeper_crypto_early", "storekeeperd", "vendor_init", "vold"}),
    ("storekeeper_crypto_prop",
     {"storekeeper_crypto_early", "storekeeperd", "vendor_init", "vold"}),
    ("sysfs_storekeeper_engine", {"storekeeper_crypto_early", "storekeeperd", "vold"}),
    ("proc_storekeeper_crypto", {"storekeeper_crypto_early", "storekeeperd", "vold"}),
    ("proc_storekeeper_f2fs", {"storekeeperd"}),
    ("sysfs_storekeeper_hid", {"init", "storekeeperd"}),
    ("sysfs_storekeeper_queue", {"init", "storekeeperd"}),
])
def test_its_files_and_properties_have_few_users(policy: Path, target: str,
                                                 users: set[str]) -> None:
    lines = [x for x in search(policy, "-A", "-t", target) if x.startswith("allow ")]
    assert {line.split()[1] for line in lines} == users


@pytest.mark.parametrize(("target", "kind", "word", "users"), [
    ("storekeeper_crypto_prop", "property_service", "set", {"storekeeper_crypto_early"}),
    ("storekeeper_choice_file", "file", "write", {"storekeeper_crypto_early", "storekeeperd"}),
    ("sysfs_storekeeper_engine", "file", "write", {"storekeeper_crypto_early", "vold"}),
])
def test_shell_vendor_and_apps_cannot_choose_who_encrypts(
        policy: Path, target: str, kind: str, word: str, users: set[str]) -> None:
    lines = search(policy, "-A", "-t", target, "-c", kind, "-p", word)
    assert {line.split()[1] for line in lines} == users


def copy_with(folder: Path, name: str, rule: str) -> subprocess.CompletedProcess[str]:
    """The verdict on a copy of the policy with one more rule."""
    copy = folder / "sepolicy"
    shutil.copytree(SEPOLICY, copy)
    with (copy / name).open("a") as out:
        out.write(f"{rule}\n")
    return check(copy, copy / "testing")


def verdicts(result: subprocess.CompletedProcess[str]) -> dict[str, str]:
    return {build: word for word, build in
            re.findall(r"^(ok|FAIL) +testing \(API 33\) (\w+ \w+)$", result.stdout, re.M)}


@pytest.mark.parametrize("rule", [
    "allow storekeeperd self:capability dac_override;",
    "allow storekeeperd self:capability2 wake_alarm;",
    "allow storekeeperd sysfs:file r_file_perms;",
    "allow storekeeperd sysfs_batteryinfo:file r_file_perms;",
    "allow storekeeperd proc:file r_file_perms;",
    "allow storekeeperd debugfs_mmc:file r_file_perms;",
    "allow storekeeperd block_device:blk_file r_file_perms;",
    "allow storekeeperd userdata_block_device:blk_file r_file_perms;",
    "allow storekeeperd input_device:chr_file { open write };",
    "allow storekeeperd sysfs_storekeeper_hid:file { open write };",
    "allow storekeeperd sysfs_storekeeper_queue:file { open write };",
    "allow storekeeperd mnt_vendor_file:dir search;",
    "allow storekeeperd vold_service:service_manager find;",
    "binder_call(storekeeperd, vold)",
    "allow storekeeperd shell:process ptrace;",
    "allow storekeeperd self:tcp_socket create;",
    "allow storekeeperd system_data_file:file { open read };",
    "allow storekeeperd app_data_file:file { open read };",
    "allow storekeeperd cache_file:file { open write };",
    "allow storekeeperd storekeeper_data_file:file execute_no_trans;",
    "allow shell storekeeper_data_file:file { open read };",
    "allow shell storekeeper_request_prop:property_service set;",
    "allow shell storekeeper_service:service_manager add;",
    "allow untrusted_app storekeeper_service:service_manager find;",
    "binder_call(untrusted_app, storekeeperd)",
    "allow storekeeperd sysfs_storekeeper_engine:file { open write };",
    "allow storekeeperd self:capability net_admin;",
    "set_prop(storekeeperd, storekeeper_crypto_prop)",
    "set_prop(shell, storekeeper_crypto_prop)",
    "set_prop(vendor_init, storekeeper_crypto_prop)",
    "allow shell storekeeper_choice_file:file { open write };",
    "allow vendor_init storekeeper_choice_file:file { open write };",
    "allow shell sysfs_storekeeper_engine:file { open write };",
    "allow storekeeper_crypto_early self:capability dac_override;",
    "allow storekeeper_crypto_early self:capability sys_rawio;",
    "allow storekeeper_crypto_early sysfs:file { open write };",
    "allow storekeeper_crypto_early userdata_block_device:blk_file r_file_perms;",
    "allow storekeeper_crypto_early system_data_file:file { open read };",
    "allow storekeeper_crypto_early vold:binder call;",
    "allow storekeeperd storekeeper_crypto_early:process transition;",
    # 0xfd0c is DM_TABLE_STATUS, which answers with keys.
    "allowxperm storekeeper_crypto_early dm_device:chr_file ioctl 0xfd0c;",
])
def test_a_forbidden_rule_is_found(tmp_path: Path, rule: str) -> None:
    result = copy_with(tmp_path, "private/storekeeperd.te", rule)
    assert result.returncode == 1
    assert verdicts(result) == dict.fromkeys(BUILDS, "FAIL")
    assert "neverallow" in result.stdout
    assert "violated by allow" in result.stdout or "allowxperm" in rule


def test_a_vendor_may_grant_every_domain_files_of_its_own() -> None:
    result = check(SEPOLICY, "-v", PIXEL, SEPOLICY / "testing")
    assert verdicts(result) == dict.fromkeys(BUILDS, "ok"), result.stdout


def test_a_vendor_may_not_grant_every_domain_what_storekeeper_reads(tmp_path: Path) -> None:
    read = {kind for _, _, _, tables in DOMAINS for kind, _, _ in listed_rules(*tables)
            if kind.startswith(("proc", "sysfs"))} - {"sysfs_storekeeper_engine"}
    assert {"proc_diskstats", "sysfs", "sysfs_storekeeper_hid"} <= read
    (tmp_path / "domain.te").write_text(
        "".join(f"allow domain {kind}:file w_file_perms;\n" for kind in read))
    result = check(SEPOLICY, "-v", tmp_path, SEPOLICY / "testing")
    assert verdicts(result) == dict.fromkeys(BUILDS, "FAIL")
    ours = r"neverallow on line \d+ of \S+/storekeeperd\.te .* violated by allow (\w+) (\w+):file"
    found = set(re.findall(ours, result.stdout))
    assert found >= {(domain, kind) for domain, *_ in DOMAINS for kind in read}


def test_a_device_may_keep_its_labels_and_name_the_daemon(tmp_path: Path) -> None:
    """The vendor's part is compiled with the public folders, without the private ones."""
    copy = tmp_path / "sepolicy"
    shutil.copytree(SEPOLICY, copy)
    for folder in ("private", "trim", *(x.name for x in copy.glob("api*")),
                   *(x.name for x in copy.glob("until*"))):
        shutil.rmtree(copy / folder)
    result = check(copy, "-v", PIXEL, copy / "testing")
    assert verdicts(result) == dict.fromkeys(BUILDS, "ok"), result.stdout


# Paths that common device policies label, with a repository that does.
TAKEN = """# android_device_qcom_sepolicy_vndr lineage-20.0, samsung_slsi_sepolicy lineage-18.1
genfscon sysfs /devices/virtual/thermal u:object_r:sysfs_thermal:s0
# android_device_google_gs101 lineage-21
genfscon proc /fs/f2fs u:object_r:proc_diskstats:s0
"""


def test_the_document_s_rules_for_a_device_s_label_are_those_compiled_here() -> None:
    text = (TOP / "docs/device-overlay.md").read_text()
    block = re.search(r"^```\n(# storekeeperd\.te.*?)^```", text, re.M | re.S)
    assert block
    pattern = re.compile(r"^[^#\n].*$", re.M)
    assert pattern.findall(block[1]) == pattern.findall((PIXEL / "storekeeperd.te").read_text())


def test_the_example_labels_no_path_that_common_devices_label(tmp_path: Path) -> None:
    (tmp_path / "genfs_contexts").write_text(TAKEN)
    result = check(SEPOLICY, "-v", tmp_path, SEPOLICY / "testing")
    assert verdicts(result) == dict.fromkeys(BUILDS, "ok"), result.stdout


def test_the_example_s_comments_are_lines_that_compile(tmp_path: Path) -> None:
    text = (SEPOLICY / "vendor-example/genfs_contexts").read_text()
    lines = re.findall(r"^# (genfscon .*)$", text, re.M)
    assert len(lines) == 2
    result = copy_with(tmp_path, "vendor-example/genfs_contexts", "\n".join(lines))
    assert verdicts(result) == dict.fromkeys(BUILDS, "ok"), result.stdout


def test_a_vendor_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    result = check(SEPOLICY, "-v", tmp_path / "none", SEPOLICY / "testing")
    assert result.returncode == 66
    assert f"{tmp_path}/none is no folder" in result.stderr


def test_android_alone_forbids_raw_io_on_user_builds_only(tmp_path: Path) -> None:
    """The trap of a policy that was compiled as userdebug: ours would forbid both."""
    result = copy_with(tmp_path, "testing/private/neverallows.te",
                       "allow vold self:capability sys_rawio;")
    assert result.returncode == 1
    assert verdicts(result) == {x: "FAIL" if x.startswith("user ") else "ok" for x in BUILDS}


@pytest.mark.parametrize(("name", "rule", "reported", "sizes"), [
    ("private/storekeeperd.te", "allow storekeeperd no_such_type:file read;", "no_such_type",
     SIZES),
    ("private/storekeeperd.te", "get_property(storekeeperd, vold_prop)", "syntax error", SIZES),
    ("trim/storekeeperd.te", "allow storekeeperd no_such_type:file read;", "no_such_type",
     ["default", "example"]),
    ("vendor-example/genfs_contexts", "genfscon sysfs /x u:object_r:sysfs_nothing:s0",
     "sysfs_nothing", ["example"]),
    ("public/file.te", "type sysfs_storekeeper_health;", "sysfs_storekeeper_health", SIZES),
])
def test_an_error_of_the_policy_is_named(tmp_path: Path, name: str, rule: str,
                                         reported: str, sizes: list[str]) -> None:
    result = copy_with(tmp_path, name, rule)
    assert result.returncode == 1
    assert verdicts(result) == {x: "FAIL" if x.split()[1] in sizes else "ok" for x in BUILDS}
    assert reported in result.stdout


def test_a_checkout_s_feature_flags_are_on_and_its_netlink_names_known(tmp_path: Path) -> None:
    """As Android 16 QPR2 needs both."""
    copy = tmp_path / "sepolicy"
    shutil.copytree(SEPOLICY, copy)
    (copy / "testing/flagging").mkdir()
    (copy / "testing/flagging/Android.bp").write_text('flags: [\n    "RELEASE_A",\n],\n')
    (copy / "testing/public/nlmsg_defines").write_text("define(`RTM_A', `shell')")
    rule = "ifelse(target_flag_RELEASE_A, `true', `allow RTM_A storekeeperd:process ptrace;')\n"
    with (copy / "private/storekeeperd.te").open("a") as out:
        out.write(rule)
    result = check(copy, copy / "testing")
    assert result.returncode == 1
    assert "violated by allow shell storekeeperd:process { ptrace }" in result.stdout


# Names that a release lacks among the stand-ins.
SINCE_13 = {"hal_system_suspend_service", "smart_idle_maint_enabled_prop"}
SINCE_12 = {"app_data_file_type", "bootloader_prop", "vold_status_prop"}
OLD = [(32, SINCE_13), (31, SINCE_13), (30, SINCE_13 | SINCE_12)]


def as_of(folder: Path, api: int, missing: set[str]) -> Path:
    """A copy of the policy with the stand-ins of an older release."""
    copy = folder / "sepolicy"
    shutil.copytree(SEPOLICY, copy)
    (copy / "testing/prebuilts/api/33.0").rename(copy / f"testing/prebuilts/api/{api}.0")
    for name in missing:
        count = 0
        for file in (copy / "testing/public").iterdir():
            text, found = re.subn(rf"^(type|attribute) {name}\b.*\n|\b{name}, ", "",
                                  file.read_text(), flags=re.M)
            file.write_text(text)
            count += found
        assert count > 0, name
    return copy


@pytest.mark.parametrize(("api", "missing"), OLD)
@pytest.mark.parametrize(("domain", "heading", "script", "tables"), DOMAINS)
def test_an_older_release_gets_what_the_document_lists(
        tmp_path: Path, api: int, missing: set[str], domain: str, heading: str, script: str,
        tables: tuple[str]) -> None:
    copy = as_of(tmp_path, api, missing)
    result = check(copy, "-o", tmp_path, copy / "testing")
    assert result.returncode == 0, result.stdout
    assert f"testing (API {api}) user example\n" in result.stdout
    older = ["Rules on Android 11 and 12"] if domain == "storekeeperd" else []
    listed = {rule for rule in listed_rules(*tables, *older) if rule[0] not in missing}
    for variant in VARIANTS:
        compiled = tmp_path / f"testing.{variant}.example"
        assert rules(search(compiled, "-A", "-s", domain, "-ds")) == listed


@pytest.mark.parametrize(("api", "missing"), [(33, set()), *OLD])
@pytest.mark.parametrize("kind", ["app_data_file", "privapp_data_file"])
def test_files_of_apps_are_closed_on_every_release(tmp_path: Path, api: int, missing: set[str],
                                                   kind: str) -> None:
    copy = as_of(tmp_path, api, missing)
    with (copy / "private/storekeeperd.te").open("a") as out:
        out.write(f"allow storekeeperd {kind}:file {{ open read }};\n")
    result = check(copy, copy / "testing")
    assert result.returncode == 1
    assert "violated by allow" in result.stdout


@pytest.mark.parametrize(("api", "missing", "overlay"), [
    (30, SINCE_13 | SINCE_12, "api31"), (31, SINCE_13, "api33"), (33, {"system_suspend_hwservice"},
                                                                  "until32")])
def test_an_overlay_would_not_compile_elsewhere(tmp_path: Path, api: int, missing: set[str],
                                                overlay: str) -> None:
    """Each overlay has a reason: releases that leave it out lack its names."""
    copy = as_of(tmp_path, api, missing)
    assert check(copy, copy / "testing").returncode == 0
    for file in (copy / overlay).iterdir():
        with (copy / "private" / file.name).open("a") as out:
            out.write(file.read_text())
    result = check(copy, copy / "testing")
    assert result.returncode == 1
    assert "unknown type" in result.stdout


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    result = check(SEPOLICY, tmp_path)
    assert result.returncode == 66
    assert "no checkout of system/sepolicy" in result.stderr
    assert check(SEPOLICY).returncode == 64


def test_the_document_s_commands_work() -> None:
    commands = [line.split() for line in re.findall(r"^    (\S+/?\S* .*)$", SECURITY, re.M)]
    assert [words[0] for words in commands] == ["make", "make", "sepolicy/check_neverallow.sh"]
    for words in commands:
        # make's commands take setup and build; its parts have tests of their own.
        done = subprocess.run([*words[:1], "-n", *words[1:]] if words[0] == "make" else words,
                              cwd=TOP, text=True, capture_output=True)
        assert done.returncode == 0, (words, done.stderr)


def labels(name: str) -> dict[str, str]:
    """The label of each name or pattern in a contexts file: user:role:type:level."""
    lines = (line.split() for line in (SEPOLICY / "private" / name).read_text().splitlines()
             if line and not line.startswith("#"))
    return {words[0]: words[1] for words in lines}


def test_contexts_name_types_of_the_policy(policy: Path) -> None:
    types = subprocess.run(["seinfo", policy, "--flat", "-t"], text=True, capture_output=True,
                           check=True).stdout.split()
    for name in ("file_contexts", "property_contexts", "service_contexts"):
        for what, label in labels(name).items():
            assert re.fullmatch(r"u:object_r:(\w+):s0", label), (name, what)
            assert label.split(":")[2] in types, (name, what)


def test_file_contexts_hold_for_a_file_system(policy: Path) -> None:
    done = subprocess.run(["/sbin/setfiles", "-c", policy, SEPOLICY / "private/file_contexts"],
                          text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    patterns = labels("file_contexts")
    for path, kind in [("/system_ext/bin/storekeeperd", "storekeeperd_exec"),
                       ("/system/system_ext/bin/storekeeperd", "storekeeperd_exec"),
                       ("/data/misc/storekeeper", "storekeeper_data_file"),
                       ("/data/misc/storekeeper/history.db", "storekeeper_data_file"),
                       ("/system_ext/bin/storekeeper_crypto_early",
                        "storekeeper_crypto_early_exec"),
                       ("/dev/block/mapper/userdata", None),
                       ("/metadata/storekeeper/crypto", "storekeeper_choice_file"),
                       ("/cache/storekeeper", "storekeeper_choice_file"), ("/cache", None),
                       ("/data/misc/storekeepers", None), ("/data/misc", None)]:
        given = [label.split(":")[2] for p, label in patterns.items() if re.fullmatch(p, path)]
        assert given == ([kind] if kind else []), path


def test_each_property_of_the_document_has_a_context() -> None:
    text = (TOP / "docs/properties.md").read_text()
    braces = re.compile(r"(.*)\{(.*)\}(.*)")
    names = set()
    for line in re.findall(r"^\| ([^|]*storekeeper\.[^|]*) \|", text, re.M):
        for name in re.split(r", (?![^{]*\})", line):
            match = braces.fullmatch(name)
            names |= {match[1] + x + match[3] for x in match[2].split(",")} if match else {name}
    others = ("init.svc.", "vold.", "ro.boot.")
    names = {n for n in names if not n.startswith(others)}
    assert len(names) > 20
    contexts = labels("property_contexts")
    kinds = {"ro": "storekeeper_config_prop", "crypto": "storekeeper_crypto_prop",
             "persist": "storekeeper_crypto_prop", "status": "storekeeper_status_prop",
             "trim": "storekeeper_status_prop", "queue": "storekeeper_request_prop",
             "gc": "storekeeper_request_prop", "hid": "storekeeper_request_prop"}
    for name in names:
        found = [label for p, label in contexts.items()
                 if name == p or (p.endswith(".") and name.startswith(p))]
        first, second = name.split(".")[:2]
        kind = kinds[first if first in ("ro", "persist") else second]
        assert found == [f"u:object_r:{kind}:s0"], name


def test_older_vendor_images_need_not_know_the_public_types() -> None:
    public = set()
    for file in (SEPOLICY / "public").glob("*.te"):
        public |= set(re.findall(r"^type (\w+)|^system_\w+prop\((\w+)\)", file.read_text(), re.M))
    expected = {a or b for a, b in public}
    maps = sorted((SEPOLICY / "private/compat").glob("*/*.ignore.cil"))
    assert [m.parent.name for m in maps] == ["202404", "202504", "30.0", "31.0", "32.0", "33.0",
                                             "34.0"]
    for file in maps:
        text = re.sub(r";.*", "", file.read_text())
        assert set(re.findall(r"\w*storekeeper\w*", text)) == expected, file


@pytest.mark.skipif(not CHECKOUTS, reason="AOSP_SEPOLICY names no checkout of system/sepolicy")
@pytest.mark.parametrize("checkout", CHECKOUTS)
def test_with_android_s_own_policy(checkout: str, tmp_path: Path) -> None:
    # Android 11 lacks the types of these grants.
    known = "proc_vendor_sched" in (Path(checkout) / "public/file.te").read_text()
    grants = ("-v", PIXEL) if known else ()
    result = check(SEPOLICY, "-o", tmp_path, *grants, checkout)
    assert result.returncode == 0, result.stdout
    listed = {(number, on) for number, targets, _ in table("Ioctls") for on in targets.split(", ")}
    for policy in tmp_path.iterdir():
        trims = policy.suffix != ".report_only"
        allowed = rules(search(policy, "-A", "-s", "storekeeperd", "-c",
                               "capability,capability2,cap_userns,cap2_userns"))
        assert allowed == ({("storekeeperd", "capability", "sys_admin")} if trims else set())
        found = ioctls(search(policy, "--allowxperm", "-s", "storekeeperd", "-ds"))
        assert found == (listed if trims else set())
