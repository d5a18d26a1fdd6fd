#!/system/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Checks the crypto engine of the virtual phone and all operations that a device allows. Lines:
#   serves MOMENT DRIVER      the driver that dm-crypt's cipher of /data uses
#   sha256 MOMENT SUM         checksum of a file on /data, read from the card
#   counted MOMENT N          AES requests that the engine counted during the read
#   cipher NAME DRIVER REFCNT PRIORITY
#   us MOMENT N               microseconds to read the file
set -eu

driver=/sys/bus/platform/drivers/qcrypto
knobs=/sys/module/qcrypto/parameters
stats=/sys/kernel/debug/qcrypto/stats-1
file=/data/media/kept
key=/run/lab-data.key

ciphers() {
    awk -F' *: ' '$1 == "name" { name = $2 } $1 == "driver" { driver = $2 }
        $1 == "priority" { priority = $2 } $1 == "refcnt" { refcnt = $2 }
        $1 == "internal" { internal = $2 }
        $1 == "type" && $2 == "skcipher" && internal == "no" {
            print name, driver, refcnt, priority }' /proc/crypto
}

look() { # MOMENT
    ciphers | awk -v at="$1" '$1 == "essiv(cbc(aes),sha256)" && $3 > 1 { print "serves", at, $2 }'
    echo 3 >/proc/sys/vm/drop_caches
    before=$(lab-crypto requests)
    begin=$(date +%s%N)
    cat $file >/dev/null
    end=$(date +%s%N)
    echo "counted $1 $(($(lab-crypto requests) - before))"
    echo "us $1 $(((end - begin) / 1000))"
    echo "sha256 $1 $(sha256sum <$file)"
}

write() { # MEBIBYTES
    busybox dd if=/dev/urandom of=$file bs=1024k count="$1" conv=fsync 2>/dev/null
}

anew() { # PARAMETERS: the engine of another generation
    lab-data close
    rmmod qcrypto
    insmod /lib/modules/qcrypto.ko "$@"
    lab-data open
}

# Counts leaks of six consecutive bytes of the run's key, raw or in hexadecimal. A search that finds
# no key in the key's own file does not work.
keys() {
    awk '{ for (i = 1; i + 11 <= length($0); i += 2) print substr($0, i, 12) }' $key >/run/windows
    for said in "cat $key" 'cat /run/raw' dmesg 'logcat -d' getprop 'dumpsys storekeeper' \
        'dumpsys storekeeper --json' 'cmd storekeeper crypto status' 'cat /proc/crypto' \
        'busybox find /data/misc/storekeeper -type f -exec cat {} +' \
        'busybox find /cache/storekeeper -type f -exec cat {} +'; do
        $said 2>/dev/null >/run/said || true
        # A guest without output was not searched.
        [ -s /run/said ] || echo "silent $said"
        # The digits get a line of their own: grep reads none past a NUL.
        { cat /run/said && echo && busybox xxd -p /run/said | tr -d '\n'; } >/run/both
        echo "key $(busybox grep -c -i -F -f /run/windows /run/both || true) $said"
    done
    # The memory file of a process that may not be dumped is owned by root.
    echo "core $(stat -c %U "/proc/$(pidof storekeeperd)/mem")"
}

case $1 in
hand-over)
    write 1
    ciphers | sed 's/^/cipher /'
    look engine
    lab-data close
    echo qcrypto.0 >$driver/unbind
    echo "left $(ciphers | grep -c qcrypto- || true)"
    lab-data open
    look cpu
    # The engine reads data that the CPU has written.
    write 1
    look cpu-wrote
    lab-data close
    echo qcrypto.0 >$driver/bind
    lab-data open
    look engine-reads
    lab-data close
    # A failed open leaves no mapping behind.
    if lab-data open capi:cbc-aes-nowhere-essiv:sha256; then echo "opened by nobody"; fi
    lab-data open 'capi:cbc(aes-generic)-essiv:sha256-generic'
    ciphers | grep ' essiv(cbc(aes-generic),' | sed 's/^/cipher /'
    look capi
    echo 0 >$stats
    echo "cleared $(lab-crypto requests)"
    cmd storekeeper crypto bench 'xts(aes)' 256 --json | tr -d '\n' | sed 's/^/bench /'
    echo
    # Gives the choice's file and the history some content.
    cmd storekeeper crypto choose auto >/dev/null
    lab-data close
    lab-data open
    busybox xxd -r -p $key >/run/raw
    keys
    ;;
layouts)
    write 1
    for generation in 3.4 8974 3.18; do
        anew generation=$generation priority=3300
        look $generation
        sed "s/^/$generation|/" /sys/kernel/debug/qcrypto/stats-*
    done
    echo 9 2>/dev/null >$knobs/aes_sw_max_len || echo "3.18 has no aes_sw_max_len"
    anew generation=mainline priority=3300
    look mainline
    echo 512 >$knobs/aes_sw_max_len
    look mainline-sw
    anew use_sw=1 priority=3300
    ciphers | grep qcrypto- | sed 's/^/cipher /'
    look use_sw
    anew priority=3000
    look outranked
    ;;
reboot)
    write 1
    look first
    echo "boot first $(cat /proc/sys/kernel/random/boot_id)"
    setprop test.unbind 1
    lab-reboot
    look second
    echo "boot second $(cat /proc/sys/kernel/random/boot_id)"
    write 1
    head -c 100000 /dev/urandom >$file.lost
    sha256sum <$file | sed 's/^/sha256 written /'
    setprop test.unbind 0
    lab-reboot 1
    look third
    echo "lost $(stat -c %s $file.lost 2>/dev/null || echo all)"
    ;;
in-use)
    rmmod qcrypto 2>/dev/null || echo "module stays"
    echo qcrypto.0 >$driver/unbind
    echo "still here"
    ;;
esac
