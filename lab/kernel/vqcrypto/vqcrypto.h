/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vqcrypto: declarations that the parts of qcrypto.ko share. vqcrypto_cpu.ko uses only the time of
 * a number of bytes.
 */
#ifndef VQCRYPTO_H
#define VQCRYPTO_H

#include <crypto/internal/skcipher.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>

/* The drivers whose names, counters and knobs are copied. */
enum vqcrypto_generation {
	VQCRYPTO_3_4,
	VQCRYPTO_8974,
	VQCRYPTO_3_18,
	VQCRYPTO_MAINLINE,
};

/* Values that may be written at any time are read for each request. */
struct vqcrypto_params {
	enum vqcrypto_generation generation;
	unsigned int priority;
	bool use_sw;
	bool allocates_memory;
	unsigned int setup_encrypt_ns;
	unsigned int setup_decrypt_ns;
	unsigned int kb_s;
	unsigned int aes_sw_max_len;
};

extern struct vqcrypto_params vqcrypto_params;

/* Requests with AES since the module was loaded or the counters were cleared. */
struct vqcrypto_counts {
	u64 encryptions;
	u64 decryptions;
	u64 successes;
	u64 failures;
};

void vqcrypto_count(bool encrypt, int err);
void vqcrypto_debugfs_init(void);
void vqcrypto_debugfs_exit(void);

/* State of a request while the engine has it. */
struct vqcrypto_job {
	ktime_t arrival;
	bool encrypt;
};

/*
 * The engine: one request at a time, in order. A request is done when the engine would have done it
 * by CLOCK_MONOTONIC: set-up time, then bytes at its bandwidth, from its arrival or from the end of
 * the one before. `serve` encrypts or decrypts the data of a request.
 */
int vqcrypto_engine_start(int (*serve)(struct skcipher_request *req));
void vqcrypto_engine_stop(void);
int vqcrypto_engine_submit(struct skcipher_request *req, bool encrypt);

/* The ciphers, which submit requests to the engine and serve them for it. */
int vqcrypto_ciphers_register(void);
void vqcrypto_ciphers_unregister(void);
const char *vqcrypto_cipher_in_use(void);
int vqcrypto_serve(struct skcipher_request *req);

static inline struct vqcrypto_job *vqcrypto_job(struct skcipher_request *req)
{
	return skcipher_request_ctx(req);
}

/* Time of a number of bytes at kb_s thousands of bytes a second; kb_s 0 takes no time. */
static inline u64 vqcrypto_bytes_ns(unsigned int bytes, unsigned int kb_s)
{
	return kb_s ? div_u64((u64)bytes * USEC_PER_SEC, kb_s) : 0;
}

#endif
