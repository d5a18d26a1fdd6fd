// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vqcrypto_cpu: the AES of a phone's CPU, as slow as on the phone. The guest's own AES is too fast
 * with AES instructions and too slow without. This driver encrypts with them and then holds the CPU
 * for the time that the phone's would need: no other task runs, and the time is the caller's.
 */
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/processor.h>
#include <linux/sched.h>

#include "vqcrypto/vqcrypto.h"
#include "vqcrypto/vqcrypto_aes.h"
#include "compat.h"

/* Longest time for which other tasks have to wait at a stretch: 1 ms. */
#define VQCRYPTO_SLICE_NS NSEC_PER_MSEC
/* Time that a timer takes to begin and end; shorter waits spin instead of halting. */
#define VQCRYPTO_SPIN_NS 4000

static char *cipher = "aes-generic";
module_param(cipher, charp, 0444);
MODULE_PARM_DESC(cipher, "the drivers are called cbc(CIPHER) and so on (aes-generic)");

static unsigned int priority = 100;
module_param(priority, uint, 0444);
MODULE_PARM_DESC(priority, "cra_priority of the ciphers (100)");
static unsigned int setup_ns = 2000;
module_param(setup_ns, uint, 0644);
MODULE_PARM_DESC(setup_ns, "time of a request beside its bytes, ns (2000)");
static unsigned int encrypt_kb_s = 6550;
module_param(encrypt_kb_s, uint, 0644);
MODULE_PARM_DESC(encrypt_kb_s, "encryption, 10^3 bytes a second, 0 for any (6550)");
static unsigned int decrypt_kb_s = 22200;
module_param(decrypt_kb_s, uint, 0644);
MODULE_PARM_DESC(decrypt_kb_s, "decryption, 10^3 bytes a second, 0 for any (22200)");

struct vqcrypto_cpu_ctx {
	struct crypto_skcipher *aes;
};

static struct skcipher_alg vqcrypto_cpu_algs[VQCRYPTO_MODES];

static enum hrtimer_restart vqcrypto_cpu_wake(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

/*
 * A halted CPU costs an emulator nothing, and the kernel takes it for busy, because the idle task
 * does not run. Only interrupts run. The caller has disabled preemption.
 */
static void vqcrypto_cpu_halt_until(ktime_t time)
{
	struct hrtimer timer;

	hrtimer_setup_on_stack(&timer, vqcrypto_cpu_wake, CLOCK_MONOTONIC,
			       HRTIMER_MODE_ABS_PINNED_HARD);
	hrtimer_start(&timer, time, HRTIMER_MODE_ABS_PINNED_HARD);
	for (;;) {
		local_irq_disable();
		if (!ktime_before(ktime_get(), time))
			break;
		safe_halt();
	}
	local_irq_enable();
	hrtimer_cancel(&timer);
	destroy_hrtimer_on_stack(&timer);
}

static void vqcrypto_cpu_hold_until(ktime_t time)
{
	s64 left = ktime_to_ns(ktime_sub(time, ktime_get()));

	if (left > VQCRYPTO_SPIN_NS && !irqs_disabled())
		vqcrypto_cpu_halt_until(time);
	else
		while (ktime_before(ktime_get(), time))
			cpu_relax();
}

static int vqcrypto_cpu_crypt(struct skcipher_request *req, bool encrypt)
{
	struct vqcrypto_cpu_ctx *ctx =
		crypto_skcipher_ctx(crypto_skcipher_reqtfm(req));
	unsigned int kb_s = encrypt ? READ_ONCE(encrypt_kb_s) :
				      READ_ONCE(decrypt_kb_s);
	u64 left = READ_ONCE(setup_ns) + vqcrypto_bytes_ns(req->cryptlen, kb_s);
	ktime_t begin;
	int err;

	preempt_disable();
	begin = ktime_get();
	err = vqcrypto_aes_crypt(ctx->aes, skcipher_request_ctx(req), req,
				 encrypt);
	for (;;) {
		u64 slice = min_t(u64, left, VQCRYPTO_SLICE_NS);

		vqcrypto_cpu_hold_until(ktime_add_ns(begin, slice));
		preempt_enable();
		left -= slice;
		if (!left)
			return err;
		if (req->base.flags & CRYPTO_TFM_REQ_MAY_SLEEP)
			cond_resched();
		preempt_disable();
		begin = ktime_get();
	}
}

static int vqcrypto_cpu_encrypt(struct skcipher_request *req)
{
	return vqcrypto_cpu_crypt(req, true);
}

static int vqcrypto_cpu_decrypt(struct skcipher_request *req)
{
	return vqcrypto_cpu_crypt(req, false);
}

static int vqcrypto_cpu_setkey(struct crypto_skcipher *tfm, const u8 *key,
			       unsigned int len)
{
	struct vqcrypto_cpu_ctx *ctx = crypto_skcipher_ctx(tfm);

	return vqcrypto_aes_setkey(ctx->aes, tfm, key, len);
}

static int vqcrypto_cpu_init_tfm(struct crypto_skcipher *tfm)
{
	const struct skcipher_alg *alg = crypto_skcipher_alg(tfm);
	struct vqcrypto_cpu_ctx *ctx = crypto_skcipher_ctx(tfm);

	ctx->aes = vqcrypto_aes_alloc(vqcrypto_modes[alg - vqcrypto_cpu_algs].name);
	if (IS_ERR(ctx->aes))
		return PTR_ERR(ctx->aes);
	crypto_skcipher_set_reqsize(tfm, sizeof(struct skcipher_request) +
					 crypto_skcipher_reqsize(ctx->aes));
	return 0;
}

static void vqcrypto_cpu_exit_tfm(struct crypto_skcipher *tfm)
{
	struct vqcrypto_cpu_ctx *ctx = crypto_skcipher_ctx(tfm);

	crypto_free_skcipher(ctx->aes);
}

static int __init vqcrypto_cpu_init(void)
{
	unsigned int i;

	for (i = 0; i < VQCRYPTO_MODES; i++) {
		struct skcipher_alg *alg = &vqcrypto_cpu_algs[i];

		vqcrypto_describe(alg, &vqcrypto_modes[i]);
		snprintf(alg->base.cra_name, CRYPTO_MAX_ALG_NAME, "%s(aes)",
			 vqcrypto_modes[i].name);
		snprintf(alg->base.cra_driver_name, CRYPTO_MAX_ALG_NAME,
			 "%s(%s)", vqcrypto_modes[i].name, cipher);
		alg->base.cra_priority = priority;
		alg->base.cra_ctxsize = sizeof(struct vqcrypto_cpu_ctx);
		alg->init = vqcrypto_cpu_init_tfm;
		alg->exit = vqcrypto_cpu_exit_tfm;
		alg->setkey = vqcrypto_cpu_setkey;
		alg->encrypt = vqcrypto_cpu_encrypt;
		alg->decrypt = vqcrypto_cpu_decrypt;
	}
	return crypto_register_skciphers(vqcrypto_cpu_algs, VQCRYPTO_MODES);
}
module_init(vqcrypto_cpu_init);

static void __exit vqcrypto_cpu_exit(void)
{
	crypto_unregister_skciphers(vqcrypto_cpu_algs, VQCRYPTO_MODES);
}
module_exit(vqcrypto_cpu_exit);

MODULE_DESCRIPTION("AES of a virtual phone's CPU");
MODULE_AUTHOR("The Storekeeper Project");
MODULE_LICENSE("GPL");
