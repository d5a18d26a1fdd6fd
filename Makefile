# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
#
# make demo    the seeds' story on a virtual phone: slow flash, idle maintenance, fast flash
# make test    unit tests under sanitizers, then the tests on the virtual phone
# make test-arm  unit tests built for 32- and 64-bit ARM, run by QEMU; `make test` has 32 bits
# make test-android ANDROID_OUT=DIR  unit tests and scenarios on the user space of an x86_64
#              product's output, its policy enforced; ANDROID_TREES as for check-android
# make check   formatting, licences and the parts below; a part of `make test`
# make tidy    clang-tidy on every file that is built here
# make check-rooms     includes against the dependencies that Android.bp declares; part of `make check`
# make check-android   what Android.bp lists, compiled as Soong would, against AOSP's headers of
#                      Debian; with ANDROID_TREES=DIR against the releases in DIR, and linked;
#                      part of `make check`
# make check-bp        bpfmt and real Soong on every Android.bp, part of `make check`
# make check-rc        AOSP's host_init_verifier on init-rc/, part of `make check`
# make check-sepolicy  the policy with stand-ins and with each checkout of system/sepolicy that
#                      AOSP_SEPOLICY names; part of `make check`
# make check-tradefed  tradefed-configs/ against Trade Federation's names; part of `make check`
# make bench   what performance claims rest on (same figures as `make demo` in this release)
# make bench-maintenance   late frames of a foreground beside a trim on 26 cards, a month's costs
# make bench-crypto        an Xperia Z plain, encrypted by its engine and by its CPU
# make bench-forecast      forecasts of the end of life beside phones whose end is known
# make bench-seeds         every published table that a profile is calibrated to
# make bench-fleet         storekeeper-fleet on 10^6 and 10^7 simulated devices, its calibration
# make soak    trims aborted, killed and cut off at hundreds of moments
# make fuzz    ten minutes of garbage for each parser, under sanitizers
# make coverage   branches that the unit tests take, by folder; every one of the pure parts; part
#                 of `make test`
# make clean   forget builds; `make distclean` forgets downloads, too
#
# Each command puts what it needs in place first, below out/ and through the machine's own apt. On
# another distribution than Debian 12 all of it runs in a Debian root, out/root.

LAB := lab/lab
# Where the lab works.
IN := $(LAB) host --

.PHONY: all demo test test-android test-arm check tidy check-rooms check-android check-bp check-rc check-sepolicy \
	check-tradefed bench bench-maintenance bench-crypto bench-seeds bench-fleet bench-forecast soak fuzz coverage ready \
	checkers clean distclean

all: ready
	@$(LAB) build

# The lab is Python; a bare machine may lack even that.
ready:
	@test -x /usr/bin/python3 || { command -v apt-get >/dev/null || { \
			echo "/usr/bin/python3 is missing; install Python 3.8 or newer" >&2; exit 1; }; \
		echo "installing python3"; \
		SUDO=$$(test "$$(id -u)" = 0 || echo sudo); \
		$$SUDO apt-get -qq update && $$SUDO apt-get -qq install -y python3 >/dev/null; }
	@$(LAB) setup

checkers: ready
	@$(LAB) setup --checkers

demo: ready
	@$(LAB) build
	@$(LAB) demo

bench: demo

bench-maintenance bench-crypto bench-forecast bench-seeds soak: ready
	@$(LAB) build
	@$(LAB) $@

bench-fleet: ready
	@$(LAB) bench-fleet

fuzz: ready
	@$(LAB) build
	@$(LAB) fuzz

coverage: ready
	@$(LAB) build
	@$(LAB) coverage

test: checkers
	@$(LAB) build --tests
	@$(LAB) test

test-android: ready
	@$(LAB) build
	@$(LAB) test-android "$(ANDROID_OUT)"

test-arm: ready
	@$(LAB) test-arm

check-rooms: checkers
	@$(IN) tools/rooms check

check-android: checkers
	@$(LAB) build
	@if [ -n "$(ANDROID_TREES)" ]; then $(IN) lab/android/check.py --trees "$(ANDROID_TREES)" --tests --link; \
	else $(IN) lab/android/check.py; fi

check-bp: checkers
	@$(IN) lab/soong/check.sh

check-rc: checkers
	@$(IN) lab/initrc/check.sh init-rc/*.rc

check-sepolicy: checkers
	@$(IN) sepolicy/check_neverallow.sh sepolicy/testing
	@if [ -n "$(AOSP_SEPOLICY)" ]; then $(IN) sepolicy/check_neverallow.sh $(AOSP_SEPOLICY); \
	else echo "skip  system/sepolicy: name its checkouts in AOSP_SEPOLICY"; fi

check-tradefed: checkers
	@$(IN) tradefed-configs/check.py

check: checkers check-rooms check-android check-bp check-rc check-sepolicy check-tradefed
	@$(IN) tools/check

tidy: checkers
	@$(LAB) build --tests
	@$(IN) tools/check clang-tidy

clean:
	rm -rf out/aosp out/build out/fio out/guest out/modules out/run

# The root has files that only its own users may remove.
distclean:
	@test ! -e out/root -a ! -e out/root.new || $(LAB) host --remove
	rm -rf out
