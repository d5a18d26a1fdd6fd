#!/system/xbin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# shellcheck shell=dash
#
# storekeeperd under an enforced policy: its actions and its denials, then again with a policy that
# lacks FITRIM. /selinux_tool, /policy and /policy-without come from the test.
# Usage: selinux.sh [ufs|report_only]; with ufs, the additional checks of a phone with a UFS; with
# report_only, those of a report-only product.
set -eu

busybox mount -t selinuxfs selinuxfs /sys/fs/selinux
setprop ctl.stop storekeeperd
while [ "$(getprop init.svc.storekeeperd)" != stopped ]; do busybox usleep 100000; done
/selinux_tool load /policy

/selinux_tool label storekeeperd_exec /system_ext/bin/storekeeperd
/selinux_tool label input_device /dev/input /dev/input/event*
/selinux_tool label system_data_root_file /data
/selinux_tool label system_data_file /data/misc
/selinux_tool label storekeeper_data_file /data/misc/storekeeper /data/misc/storekeeper/*
/selinux_tool label cache_file /cache
/selinux_tool label storekeeper_crypto_early_exec /system_ext/bin/storekeeper_crypto_early
/selinux_tool label storekeeper_choice_file /cache/storekeeper
/selinux_tool label kmsg_device /dev/kmsg
/selinux_tool label lab_property_file /dev/lab_properties /dev/lab_properties/*
/selinux_tool label lab_wake_lock_file /dev/wake_locks

# Android's policy leaves the battery to the health HAL.
/system/bin/storekeeper_fake_health well >/run/hal &
until busybox grep -q ready /run/hal; do busybox usleep 100000; done

# All denials must be logged, and earlier ones removed.
echo 0 >/proc/sys/kernel/printk_ratelimit
busybox dmesg -c >/dev/null
echo 1 >/sys/fs/selinux/enforce
if [ "${1:-}" != report_only ]; then
    setprop ctl.start storekeeper_crypto_early
    until busybox dmesg |
        busybox grep -q 'storekeeper_crypto_early: chosen: auto; refused:nothing_chosen'
    do
        busybox usleep 100000
    done
    echo "early domain $(getprop storekeeper.crypto.early)"
fi
setprop ctl.start storekeeperd
until service check storekeeper 2>/dev/null | busybox grep -q ': found'; do
    busybox usleep 100000
done

echo "enforcing $(cat /sys/fs/selinux/enforce)"
echo "domain $(busybox tr -d '\000' <"/proc/$(busybox pidof storekeeperd)/attr/current")"
denied() {
    busybox dmesg | busybox grep 'avc:.*scontext=u:r:'"$1" |
        busybox sed 's/.*avc: *//; s/ for .*tcontext=u:[a-z_]*:/ /; s/:s0//' | busybox sort -u
}

if [ "${1:-}" = report_only ]; then
    pid=$(busybox pidof storekeeperd)
    busybox grep -E '^(Cap|Groups|Gid|Uid)' "/proc/$pid/status"
    # proc(5), /proc/diskstats: the 15th field counts discards.
    discards() { busybox awk '$3 == "mmcblk0" { print $15 }' /proc/diskstats; }
    echo "discards before $(discards)"
    cmd storekeeper trim 2>&1 || echo "trim $?"
    cmd storekeeper trim /data --hurry 2>&1 || echo "trim /data $?"
    cmd storekeeper maintain --now 2>&1 || echo "maintain $?"
    dumpsys storekeeper
    for verb in health latency ledger mounts plan why receipts crypto; do
        cmd storekeeper "$verb"
        echo "$verb $?"
    done
    echo "discards after $(discards)"
    echo "state $(getprop storekeeper.status.state)"
    echo "level $(getprop storekeeper.status.level)"
    echo "requests $(getprop | busybox grep -cE 'storekeeper\.(queue|gc|hid)\.')"
    echo "inputs $(busybox ls -l "/proc/$pid/fd" | busybox grep -c input)"
    busybox su -s /system/bin/sh shell -c 'sh /storekeeper_shell_test.sh' || echo "shell test $?"
    setprop ctl.stop storekeeperd
    while [ "$(getprop init.svc.storekeeperd)" != stopped ]; do busybox usleep 100000; done
    echo "files $(busybox ls /data/misc/storekeeper | busybox tr '\n' ' ')"
    denied storekeeper
    denied init
    exit 0
fi

cmd storekeeper trim --hurry
echo "trim $?"
if [ "${1:-}" = ufs ]; then
    dumpsys storekeeper health
    hid=/sys/devices/platform/soc/1d84000.ufshc/hid
    # The daemon takes back at its next check what no run of its own has asked for.
    pid=$(busybox pidof storekeeperd)
    kill -STOP "$pid"
    setprop storekeeper.hid.size 65536
    setprop storekeeper.hid.analysis enable
    sleep 3
    echo "hid $(cat $hid/defrag_size) $(cat $hid/state)"
    kill -CONT "$pid"
    cmd storekeeper plan
    lab-wait-property storekeeper.hid.analysis=disable 10
    echo "taken back $?"
    denied storekeeper
    denied init
    exit 0
fi
dumpsys storekeeper
for verb in health latency ledger mounts plan why; do
    cmd storekeeper "$verb" >/dev/null
    echo "$verb $?"
done
cmd storekeeper crypto status
echo "crypto $?"
cmd storekeeper crypto bench >/dev/null
echo "bench $?"
cmd storekeeper crypto choose auto >/dev/null
echo "choose $?"
# storekeeper_crypto_early has a file of storekeeperd's to read here.
setprop storekeeper.crypto.early ''
setprop ctl.start storekeeper_crypto_early
until [ -n "$(getprop storekeeper.crypto.early)" ]; do busybox usleep 100000; done
echo "early with a file $(getprop storekeeper.crypto.early)"
# When a HAL takes more than its second to answer, storekeeperd says so until its next check, which a
# run causes.
looks=1
until cmd storekeeper why | busybox grep -qE '^ *battery .* 91 %' || [ "$looks" -eq 20 ]; do
    cmd storekeeper trim --hurry >/dev/null || true
    looks=$((looks + 1))
done
cmd storekeeper why | busybox grep -E '^ *(battery|heat) '
denied storekeeper

/selinux_tool load /policy-without
cmd storekeeper trim --hurry && echo "trimmed all the same"
exit 0
