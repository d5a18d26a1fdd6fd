#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# Compiles Storekeeper's policy together with each given checkout of AOSP's system/sepolicy, as a
# user and as a userdebug build, in three sizes: report_only leaves out the rights of trims, default
# has them, example adds the labels of vendor-example. AOSP finds broken neverallow rules in the same
# way. Folders of a device's policy are part of it only if -v names them. The script needs m4 and
# checkpolicy.

set -eu

usage="usage: check_neverallow.sh [-o FOLDER] [-v FOLDER]... SEPOLICY_DIR...
  -o FOLDER  keep the compiled policies there, as NAME.VARIANT.SIZE
  -v FOLDER  add a folder of BOARD_VENDOR_SEPOLICY_DIRS, in the order of that variable"

here=$(dirname "$(readlink -f "$0")")
keep=
vendor=()
while getopts ho:v: option; do
    case $option in
    h) echo "$usage"; exit 0 ;;
    o) keep=$OPTARG ;;
    v) vendor+=("$OPTARG") ;;
    *) echo "$usage" >&2; exit 64 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { echo "$usage" >&2; exit 64; }

for tool in m4 checkpolicy; do
    command -v $tool >/dev/null || {
        echo "check_neverallow.sh: $tool is not installed; apt-get install $tool" >&2
        exit 69
    }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The order of build/soong's policy.conf (system/sepolicy/build/soong/build_files.go).
before=(flagging/te_macros flagging_macros security_classes initial_sids access_vectors
    global_macros neverallow_macros mls_macros mls_decl mls policy_capabilities te_macros
    ioctl_defines ioctl_macros nlmsg_defines nlmsg_macros attributes)
after=(roles_decl roles users initial_sid_contexts fs_use genfs_contexts port_contexts)

# The newest frozen API of a checkout: 33.0 is 33, 202404 is Android 15.
api_of() {
    local newest=0 folder
    for folder in "$1"/prebuilts/api/*; do
        folder=${folder##*/}
        folder=${folder%.*}
        case $folder in *[!0-9]* | '') continue ;; esac
        [ "$folder" -le "$newest" ] || newest=$folder
    done
    echo "$newest"
}

# Prints the files of one policy in the order in which they are read.
files_of() {
    local sepolicy=$1 size=$2 name folder
    local folders=("$sepolicy/flagging" "$sepolicy/public" "$sepolicy/private" "$here/public"
        "$here/private")
    [ "$size" = report_only ] || folders+=("$here/trim")
    # apiN holds rules for types that exist from API level N on, untilN for types up to level N.
    local api
    api=$(api_of "$sepolicy")
    for folder in "$here"/api*; do
        [ "${folder##*/api}" -gt "$api" ] || folders+=("$folder")
    done
    for folder in "$here"/until*; do
        [ "${folder##*/until}" -lt "$api" ] || folders+=("$folder")
    done
    folders+=("$sepolicy/vendor" "${vendor[@]}")
    [ "$size" != example ] || folders+=("$here/vendor-example")
    for name in "${before[@]}"; do
        for folder in "${folders[@]}"; do
            [ ! -f "$folder/$name" ] || echo "$folder/$name"
        done
    done
    for folder in "${folders[@]}"; do
        for name in "$folder"/*.te; do
            [ ! -f "$name" ] || echo "$name"
        done
    done
    for name in "${after[@]}"; do
        for folder in "${folders[@]}"; do
            [ ! -f "$folder/$name" ] || echo "$folder/$name"
        done
    done
}

# Prints options of m4 that turn on each feature flag of a checkout. Without them Android 16 QPR2
# does not compile: a neverallow rule names a type that RELEASE_AVF_ENABLE_EARLY_VM declares.
flags_of() {
    local list=$1/flagging/Android.bp
    [ ! -f "$list" ] || sed -n 's/^ *"\(RELEASE_[A-Z0-9_]*\)",$/-Dtarget_flag_\1=true/p' "$list"
}

# Writes the policy to a file, or prints the errors and returns 1.
compile() {
    local sepolicy=$1 variant=$2 size=$3 to=$4 files=() flags=()
    mapfile -t files < <(files_of "$sepolicy" "$size")
    mapfile -t flags < <(flags_of "$sepolicy")
    # The board's API level is above every release, so that starting_at_board_api() includes all.
    m4 --fatal-warnings -s -D mls_num_sens=1 -D mls_num_cats=1024 -D target_arch=arm64 \
        -D target_with_asan=false -D target_with_dexpreopt=true \
        -D target_with_native_coverage=false -D target_build_variant="$variant" \
        -D target_full_treble=true -D target_compatible_property=true \
        -D target_treble_sysprop_neverallow=true -D target_enforce_sysprop_owner=true \
        -D target_exclude_build_test=false \
        -D target_requires_insecure_execmem_for_swiftshader=false \
        -D target_enforce_debugfs_restriction=true -D target_recovery=false \
        -D target_board_api_level=1000000 "${flags[@]}" "${files[@]}" \
        >"$work/policy.conf" 2>"$work/said" &&
        checkpolicy -M -c 30 -o "$to" "$work/policy.conf" >"$work/said" 2>&1 && return
    sed 's/^/  /' "$work/said"
    return 1
}

for folder in "${vendor[@]}"; do
    [ -d "$folder" ] || { echo "check_neverallow.sh: $folder is no folder" >&2; exit 66; }
done

failed=0
for sepolicy; do
    if [ ! -f "$sepolicy/private/security_classes" ]; then
        echo "check_neverallow.sh: $sepolicy is no checkout of system/sepolicy:" \
            "it has no private/security_classes" >&2
        exit 66
    fi
    name=$(basename "$(readlink -f "$sepolicy")")
    for variant in user userdebug; do
        for size in report_only default example; do
            to=${keep:-$work}/$name.$variant.$size
            if said=$(compile "$sepolicy" $variant $size "$to"); then
                echo "ok    $name (API $(api_of "$sepolicy")) $variant $size"
            else
                failed=1
                echo "FAIL  $name (API $(api_of "$sepolicy")) $variant $size"
                echo "$said"
            fi
        done
    done
done
exit $failed
