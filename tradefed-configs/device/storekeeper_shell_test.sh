#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Tests the service as a shell sees it, in GoogleTest's words, which Trade Federation counts: a
# shell that dies with the device has then not said how many tests passed.

said=
code=0

# Keeps what a command prints and returns.
run() {
    said=$("$@" 2>&1)
    code=$?
}

# The test fails with this text.
fail() {
    echo "$*; it returned $code and said: $said"
    return 1
}

returns() { [ "$code" = "$1" ] || fail "$1 expected"; }

says() {
    case $said in
    *"$1"*) ;;
    *) fail "'$1' expected" ;;
    esac
}

report_only() { [ "$(getprop ro.storekeeper.report_only)" = true ]; }

service_runs() {
    run getprop init.svc.storekeeperd
    says running
}

service_is_registered() {
    run cmd -l
    says storekeeper
}

# Every section of a dump is there, and nothing waits for anything.
dump_shows_health_gates_and_mounts() {
    run dumpsys -t 5 storekeeper
    for section in "Storage life: " "Maintenance: "; do
        says "$section" || return 1
    done
    # A report-only product has no gates.
    if report_only; then
        says "report only" || return 1
    else
        for section in "Mounts: " battery heat untouched; do
            says "$section" || return 1
        done
    fi
    case $said in *"DUMP TIMEOUT"*) fail "an answer within 5 s expected" ;; esac
}

dump_is_json_on_request() {
    run dumpsys storekeeper --json
    for key in '"health"' '"gates"' '"version"'; do says "$key" || return 1; done
}

each_report_answers() {
    for verb in status why plan receipts health ledger latency mounts crypto; do
        run cmd storekeeper $verb
        returns 0 || return 1
        run cmd storekeeper $verb --json
        returns 0 || return 1
    done
}

wrong_usage_is_64() {
    run cmd storekeeper nosuch
    returns 64 && says "cmd storekeeper help lists the commands"
}

help_is_0() {
    run cmd storekeeper help
    returns 0 && says "set-gate-override"
}

a_mount_of_others_is_refused() {
    ! report_only || return 77
    run cmd storekeeper trim /proc
    returns 65
}

# For root, or for nobody: EX_NOPERM.
shell_moves_no_limit() {
    [ "$(id -u)" != 0 ] || return 77
    run cmd storekeeper set-gate-override untouched 60
    returns 77
}

shell_chooses_no_engine() {
    [ "$(id -u)" != 0 ] || return 77
    run cmd storekeeper crypto choose kernel
    returns 77
}

state_is_a_property() {
    # The property outlives the service.
    service_runs || return 1
    run getprop storekeeper.status.state
    case $said in
    idle | trimming) ! report_only || fail "report_only expected" ;;
    report_only) report_only || fail "idle or trimming expected" ;;
    *) fail "idle, trimming or report_only expected" ;;
    esac
}

# A chip is known by a hash. Readable here only where the device's policy lets a shell look.
serial_is_not_shown() {
    run dumpsys storekeeper --json
    dump=$said
    says '"health"' || return 1
    for file in /sys/block/mmcblk*/device/serial; do
        serial=$(cat "$file" 2>/dev/null) || continue
        case $dump in *"${serial#0x}"*) said= && fail "no serial expected" && return 1 ;; esac
    done
    return 0
}

# Capabilities as docs/security.md lists them: SYS_ADMIN is bit 21 of linux/capability.h. A
# report-only product has none.
service_holds_one_capability() {
    held=0000000000200000
    ! report_only || held=0000000000000000
    for set in CapPrm CapEff CapBnd; do
        run grep "^$set:" "/proc/$(pidof storekeeperd)/status"
        says $held || return 1
    done
}

tests="
service_runs
service_is_registered
dump_shows_health_gates_and_mounts
dump_is_json_on_request
each_report_answers
wrong_usage_is_64
help_is_0
a_mount_of_others_is_refused
shell_moves_no_limit
shell_chooses_no_engine
state_is_a_property
serial_is_not_shown
service_holds_one_capability
"

# shellcheck disable=SC2086  # one word each
set -- $tests
echo "[==========] Running $# tests from 1 test suite."
passed=0
failed=
for name; do
    echo "[ RUN      ] Shell.$name"
    $name
    case $? in
    0)
        passed=$((passed + 1))
        echo "[       OK ] Shell.$name (0 ms)"
        ;;
    77) echo "[  SKIPPED ] Shell.$name (0 ms)" ;;
    *)
        failed="$failed $name"
        echo "[  FAILED  ] Shell.$name (0 ms)"
        ;;
    esac
done
echo "[==========] $# tests from 1 test suite ran. (0 ms total)"
echo "[  PASSED  ] $passed tests."
[ -z "$failed" ]
