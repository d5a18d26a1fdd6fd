/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * Both models encrypt with the AES instructions of the guest's CPU, which take hardly any time.
 * They use aesni's inner ciphers: these are synchronous, and no other kernel user can request them,
 * so that a reference to one does not count as an encrypting user. Kernels from 6.16 on have no
 * inner ciphers; there aesni's normal ciphers have one more user.
 */
#ifndef VQCRYPTO_AES_H
#define VQCRYPTO_AES_H

#include <asm/simd.h>
#include <crypto/aes.h>
#include <crypto/internal/simd.h>
#include <crypto/internal/skcipher.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "../compat.h"

struct vqcrypto_mode {
	const char *name;
	unsigned int blocksize;
	unsigned int keys;	/* xts has two */
	bool iv;
};

static const struct vqcrypto_mode vqcrypto_modes[] = {
	{ "ecb", AES_BLOCK_SIZE, 1, false },
	{ "cbc", AES_BLOCK_SIZE, 1, true },
	{ "ctr", 1, 1, true },
	{ "xts", AES_BLOCK_SIZE, 2, true },
};

#define VQCRYPTO_MODES ARRAY_SIZE(vqcrypto_modes)

/* All but names, priority, flags and functions. */
static inline void vqcrypto_describe(struct skcipher_alg *alg,
				     const struct vqcrypto_mode *mode)
{
	memset(alg, 0, sizeof(*alg));
	alg->base.cra_blocksize = mode->blocksize;
	alg->base.cra_module = THIS_MODULE;
	alg->min_keysize = mode->keys * AES_MIN_KEY_SIZE;
	alg->max_keysize = mode->keys * AES_MAX_KEY_SIZE;
	alg->ivsize = mode->iv ? AES_BLOCK_SIZE : 0;
	alg->chunksize = AES_BLOCK_SIZE;
}

static inline struct crypto_skcipher *vqcrypto_aes_alloc(const char *mode)
{
	char name[CRYPTO_MAX_ALG_NAME];
	struct crypto_skcipher *aes;

	snprintf(name, sizeof(name), COMPAT_AES_NAME, mode);
	aes = crypto_alloc_skcipher(name, COMPAT_AES_TYPE,
				    CRYPTO_ALG_INTERNAL | CRYPTO_ALG_ASYNC);
	if (IS_ERR(aes))
		pr_err("%s: no %s: %ld\n", KBUILD_MODNAME, name, PTR_ERR(aes));
	return aes;
}

static inline int vqcrypto_aes_setkey(struct crypto_skcipher *aes,
				      struct crypto_skcipher *tfm,
				      const u8 *key, unsigned int len)
{
	crypto_skcipher_clear_flags(aes, CRYPTO_TFM_REQ_MASK);
	crypto_skcipher_set_flags(aes, crypto_skcipher_get_flags(tfm) &
				       CRYPTO_TFM_REQ_MASK);
	return crypto_skcipher_setkey(aes, key, len);
}

/* `sub` is one that the caller has for it; `aes` needs no context in it. */
static inline int vqcrypto_aes_crypt(struct crypto_skcipher *aes,
				     struct skcipher_request *sub,
				     struct skcipher_request *req, bool encrypt)
{
	if (WARN_ON_ONCE(!crypto_simd_usable()))
		return -EBUSY;
	skcipher_request_set_tfm(sub, aes);
	skcipher_request_set_callback(sub, 0, NULL, NULL);
	skcipher_request_set_crypt(sub, req->src, req->dst, req->cryptlen,
				   req->iv);
	return encrypt ? crypto_skcipher_encrypt(sub) :
			 crypto_skcipher_decrypt(sub);
}

#endif
