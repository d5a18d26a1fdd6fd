// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vqcrypto: the ciphers that the engine registers, and the requests that it leaves to the CPU.
 */
#include <crypto/internal/skcipher.h>
#include <linux/refcount.h>

#include "vqcrypto.h"
#include "vqcrypto_aes.h"

/* Room for the request context of any of the CPU's drivers, in bytes. */
#define VQCRYPTO_SUB_CONTEXT 384

struct vqcrypto_request {
	struct vqcrypto_job job;	/* first: vqcrypto_job() */
	struct skcipher_request sub;	/* last: its context follows */
};

struct vqcrypto_ctx {
	const struct vqcrypto_mode *mode;
	struct crypto_skcipher *aes;
	struct crypto_skcipher *sw;	/* the next best driver; NULL as long as it is not needed */
	bool use_sw;	/* the engine has no keys of this size */
};

static struct skcipher_alg vqcrypto_algs[VQCRYPTO_MODES];
static unsigned int vqcrypto_registered;

static int vqcrypto_sw_alloc(struct vqcrypto_ctx *ctx)
{
	char name[CRYPTO_MAX_ALG_NAME];
	struct crypto_skcipher *sw;

	if (ctx->sw)
		return 0;
	snprintf(name, sizeof(name), "%s(aes)", ctx->mode->name);
	sw = crypto_alloc_skcipher(name, 0, CRYPTO_ALG_NEED_FALLBACK);
	if (IS_ERR(sw))
		return PTR_ERR(sw);
	if (crypto_skcipher_reqsize(sw) > VQCRYPTO_SUB_CONTEXT) {
		crypto_free_skcipher(sw);
		return -ENOMEM;
	}
	ctx->sw = sw;
	return 0;
}

static int vqcrypto_init_tfm(struct crypto_skcipher *tfm)
{
	const struct skcipher_alg *alg = crypto_skcipher_alg(tfm);
	struct vqcrypto_ctx *ctx = crypto_skcipher_ctx(tfm);
	int err = 0;

	ctx->mode = &vqcrypto_modes[alg - vqcrypto_algs];
	ctx->sw = NULL;
	ctx->use_sw = false;
	ctx->aes = vqcrypto_aes_alloc(ctx->mode->name);
	if (IS_ERR(ctx->aes))
		return PTR_ERR(ctx->aes);
	/* Mainline's driver always has one; Qualcomm's asks for one when a key needs it. */
	if (vqcrypto_params.generation == VQCRYPTO_MAINLINE)
		err = vqcrypto_sw_alloc(ctx);
	if (err)
		crypto_free_skcipher(ctx->aes);
	crypto_skcipher_set_reqsize(tfm, sizeof(struct vqcrypto_request) +
					 VQCRYPTO_SUB_CONTEXT);
	return err;
}

static void vqcrypto_exit_tfm(struct crypto_skcipher *tfm)
{
	struct vqcrypto_ctx *ctx = crypto_skcipher_ctx(tfm);

	if (ctx->sw)
		crypto_free_skcipher(ctx->sw);
	crypto_free_skcipher(ctx->aes);
}

static int vqcrypto_setkey(struct crypto_skcipher *tfm, const u8 *key,
			   unsigned int len)
{
	struct vqcrypto_ctx *ctx = crypto_skcipher_ctx(tfm);
	int err = vqcrypto_aes_setkey(ctx->aes, tfm, key, len);

	if (err)
		return err;
	ctx->use_sw = len == ctx->mode->keys * AES_KEYSIZE_192;
	if (ctx->use_sw)
		err = vqcrypto_sw_alloc(ctx);
	if (!err && ctx->sw)
		err = vqcrypto_aes_setkey(ctx->sw, tfm, key, len);
	return err;
}

static bool vqcrypto_is_for_cpu(const struct vqcrypto_ctx *ctx,
				const struct skcipher_request *req)
{
	return ctx->use_sw ||
	       (vqcrypto_params.generation == VQCRYPTO_MAINLINE &&
		req->cryptlen <= READ_ONCE(vqcrypto_params.aes_sw_max_len));
}

static int vqcrypto_crypt(struct skcipher_request *req, bool encrypt)
{
	struct vqcrypto_ctx *ctx =
		crypto_skcipher_ctx(crypto_skcipher_reqtfm(req));
	struct vqcrypto_request *rq = skcipher_request_ctx(req);

	if (!req->cryptlen)
		return 0;
	if (!vqcrypto_is_for_cpu(ctx, req))
		return vqcrypto_engine_submit(req, encrypt);
	skcipher_request_set_tfm(&rq->sub, ctx->sw);
	skcipher_request_set_callback(&rq->sub, req->base.flags,
				      req->base.complete, req->base.data);
	skcipher_request_set_crypt(&rq->sub, req->src, req->dst, req->cryptlen,
				   req->iv);
	return encrypt ? crypto_skcipher_encrypt(&rq->sub) :
			 crypto_skcipher_decrypt(&rq->sub);
}

static int vqcrypto_encrypt(struct skcipher_request *req)
{
	return vqcrypto_crypt(req, true);
}

static int vqcrypto_decrypt(struct skcipher_request *req)
{
	return vqcrypto_crypt(req, false);
}

int vqcrypto_serve(struct skcipher_request *req)
{
	struct vqcrypto_ctx *ctx =
		crypto_skcipher_ctx(crypto_skcipher_reqtfm(req));
	struct vqcrypto_request *rq = skcipher_request_ctx(req);

	return vqcrypto_aes_crypt(ctx->aes, &rq->sub, req, rq->job.encrypt);
}

static void vqcrypto_fill(struct skcipher_alg *alg,
			  const struct vqcrypto_mode *mode)
{
	bool mainline = vqcrypto_params.generation == VQCRYPTO_MAINLINE;

	vqcrypto_describe(alg, mode);
	snprintf(alg->base.cra_name, CRYPTO_MAX_ALG_NAME, "%s%s(aes)",
		 vqcrypto_params.use_sw ? "qcom-" : "", mode->name);
	snprintf(alg->base.cra_driver_name, CRYPTO_MAX_ALG_NAME,
		 mainline ? "%s-aes-qce" : "qcrypto-%s-aes", mode->name);
	alg->base.cra_priority = vqcrypto_params.priority;
	alg->base.cra_flags = CRYPTO_ALG_ASYNC | CRYPTO_ALG_NEED_FALLBACK |
			      CRYPTO_ALG_KERN_DRIVER_ONLY;
	if (vqcrypto_params.allocates_memory)
		alg->base.cra_flags |= CRYPTO_ALG_ALLOCATES_MEMORY;
	alg->base.cra_ctxsize = sizeof(struct vqcrypto_ctx);
	alg->init = vqcrypto_init_tfm;
	alg->exit = vqcrypto_exit_tfm;
	alg->setkey = vqcrypto_setkey;
	alg->encrypt = vqcrypto_encrypt;
	alg->decrypt = vqcrypto_decrypt;
}

int vqcrypto_ciphers_register(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < VQCRYPTO_MODES; i++)
		vqcrypto_fill(&vqcrypto_algs[i], &vqcrypto_modes[i]);
	err = crypto_register_skciphers(vqcrypto_algs, VQCRYPTO_MODES);
	vqcrypto_registered = err ? 0 : VQCRYPTO_MODES;
	return err;
}

void vqcrypto_ciphers_unregister(void)
{
	crypto_unregister_skciphers(vqcrypto_algs, vqcrypto_registered);
	vqcrypto_registered = 0;
}

/* The driver name of one that has users, or NULL. */
const char *vqcrypto_cipher_in_use(void)
{
	unsigned int i;

	for (i = 0; i < vqcrypto_registered; i++) {
		if (refcount_read(&vqcrypto_algs[i].base.cra_refcnt) != 1)
			return vqcrypto_algs[i].base.cra_driver_name;
	}
	return NULL;
}
