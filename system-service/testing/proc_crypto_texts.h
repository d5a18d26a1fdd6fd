// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

namespace storekeeper {

// /proc/crypto of several kernels, made by hand in the format of their c_show(), with the drivers
// that their sources register. Only the parts that matter to disks are included.

// Linux 3.4 with Qualcomm's driver as a module, /data on dm-crypt.
inline constexpr char kKernel34[] =
        R"(name         : cbc(aes)
driver       : cbc(aes-generic)
module       : kernel
priority     : 100
refcnt       : 1
selftest     : passed
type         : blkcipher
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 16
geniv        : <default>

name         : xts(aes)
driver       : qcrypto-xts-aes
module       : qcrypto
priority     : 300
refcnt       : 1
selftest     : passed
type         : ablkcipher
async        : yes
blocksize    : 16
min keysize  : 32
max keysize  : 64
ivsize       : 16
geniv        : <default>

name         : cbc(aes)
driver       : qcrypto-cbc-aes
module       : qcrypto
priority     : 300
refcnt       : 3
selftest     : passed
type         : ablkcipher
async        : yes
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 16
geniv        : <default>

name         : sha256
driver       : sha256-generic
module       : kernel
priority     : 0
refcnt       : 5
selftest     : passed
type         : shash
blocksize    : 64
digestsize   : 32

name         : aes
driver       : aes-generic
module       : kernel
priority     : 100
refcnt       : 2
selftest     : passed
type         : cipher
blocksize    : 16
min keysize  : 16
max keysize  : 32

)";

// Linux 3.18 with `qcom,use-sw-aes-*` in the device tree.
inline constexpr char kKernel318Qcom[] =
        R"(name         : qcom-xts(aes)
driver       : qcrypto-xts-aes
module       : kernel
priority     : 300
refcnt       : 1
selftest     : passed
type         : ablkcipher
async        : yes
blocksize    : 16
min keysize  : 32
max keysize  : 64
ivsize       : 16
geniv        : <default>

name         : qcom-cbc(aes)
driver       : qcrypto-cbc-aes
module       : kernel
priority     : 300
refcnt       : 1
selftest     : passed
type         : ablkcipher
async        : yes
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 16
geniv        : <default>

name         : xts(aes)
driver       : xts-aes-ce
module       : kernel
priority     : 300
refcnt       : 1
selftest     : passed
type         : ablkcipher
async        : no
blocksize    : 16
min keysize  : 32
max keysize  : 64
ivsize       : 16
geniv        : <default>

name         : cbc(aes)
driver       : cbc-aes-ce
module       : kernel
priority     : 300
refcnt       : 4
selftest     : passed
type         : ablkcipher
async        : no
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 16
geniv        : <default>

name         : sha256
driver       : sha256-generic
module       : kernel
priority     : 0
refcnt       : 5
selftest     : passed
type         : shash
blocksize    : 64
digestsize   : 32

)";

// A driver with the copies that IV generators made of it.
inline constexpr char kDuplicates[] =
        R"(name         : cbc(aes)
driver       : qcrypto-cbc-aes
module       : kernel
priority     : 300
refcnt       : 2
selftest     : passed
type         : givcipher
async        : yes
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 16
geniv        : <default>

name         : cbc(aes)
driver       : qcrypto-cbc-aes
module       : kernel
priority     : 300
refcnt       : 7
selftest     : passed
type         : ablkcipher
async        : yes
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 16
geniv        : <default>

name         : cbc(aes)
driver       : qcrypto-cbc-aes
module       : kernel
priority     : 300
refcnt       : 1
selftest     : passed
type         : givcipher
async        : yes
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 16
geniv        : <default>

)";

// Linux 6.18 with mainline's driver; cipher templates of type lskcipher.
inline constexpr char kKernel618[] =
        R"(name         : essiv(cbc(aes),sha256)
driver       : essiv(cbc-aes-qce,sha256-lib)
module       : kernel
priority     : 275
refcnt       : 2
selftest     : passed
internal     : no
type         : skcipher
async        : yes
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 16
chunksize    : 16
walksize     : 16

name         : cbc(aes)
driver       : cbc(ecb(aes-fixed-time))
module       : kernel
priority     : 101
refcnt       : 1
selftest     : passed
internal     : no
type         : lskcipher
blocksize    : 16
min keysize  : 16
max keysize  : 32
ivsize       : 16
chunksize    : 16
statesize    : 0

name         : xts(aes)
driver       : xts-aes-qce
module       : kernel
priority     : 275
refcnt       : 2
selftest     : passed
internal     : no
type         : skcipher
async        : yes
blocksize    : 16
min keysize  : 32
max keysize  : 64
ivsize       : 16
chunksize    : 16
walksize     : 16

name         : xts(aes)
driver       : xts(ecb(aes-fixed-time))
module       : kernel
priority     : 101
refcnt       : 1
selftest     : passed
internal     : no
type         : skcipher
async        : no
blocksize    : 16
min keysize  : 32
max keysize  : 64
ivsize       : 16
chunksize    : 16
walksize     : 16

name         : jitterentropy_rng
driver       : jitterentropy_rng
module       : kernel
priority     : 100
refcnt       : 1
selftest     : passed
internal     : no
type         : rng
seedsize     : 0

name         : rsa
driver       : rsa-generic
module       : kernel
priority     : -1
refcnt       : 2
selftest     : unknown
internal     : no
type         : larval
flags        : 0x10

)";

}  // namespace storekeeper
