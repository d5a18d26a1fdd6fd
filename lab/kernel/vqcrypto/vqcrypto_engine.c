// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vqcrypto: the engine's queue and its time.
 */
#include <crypto/algapi.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "vqcrypto.h"
#include "../compat.h"

/* MSM_QCRYPTO_REQ_QUEUE_LENGTH of qcrypto.c: 50 in 3.4, 768 later. */
#define VQCRYPTO_QUEUE_3_4 50
#define VQCRYPTO_QUEUE 768

static struct {
	spinlock_t lock;	/* the queue */
	struct crypto_queue queue;
	struct wait_queue_head wait;	/* for a request */
	struct task_struct *thread;
	int (*serve)(struct skcipher_request *req);
	ktime_t busy_until;	/* the thread's alone */
} engine;

static void vqcrypto_wait_until(ktime_t time)
{
	while (ktime_before(ktime_get(), time)) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule_hrtimeout_range(&time, 0, HRTIMER_MODE_ABS);
	}
}

static ktime_t vqcrypto_end(struct skcipher_request *req)
{
	const struct vqcrypto_job *job = vqcrypto_job(req);
	ktime_t begin = job->arrival;
	u64 ns = job->encrypt ? READ_ONCE(vqcrypto_params.setup_encrypt_ns) :
				READ_ONCE(vqcrypto_params.setup_decrypt_ns);

	if (ktime_after(engine.busy_until, begin))
		begin = engine.busy_until;
	ns += vqcrypto_bytes_ns(req->cryptlen,
				READ_ONCE(vqcrypto_params.kb_s));
	return ktime_add_ns(begin, ns);
}

/* Completes an asynchronous request with softirqs disabled, as a softirq would. */
static void vqcrypto_complete(struct crypto_async_request *req, int err)
{
	local_bh_disable();
	crypto_request_complete(req, err);
	local_bh_enable();
}

static void vqcrypto_do(struct crypto_async_request *async)
{
	struct skcipher_request *req = skcipher_request_cast(async);
	bool encrypt = vqcrypto_job(req)->encrypt;
	int err = engine.serve(req);

	engine.busy_until = vqcrypto_end(req);
	vqcrypto_wait_until(engine.busy_until);
	vqcrypto_count(encrypt, err);
	vqcrypto_complete(async, err);
}

static struct crypto_async_request *vqcrypto_next(void)
{
	struct crypto_async_request *backlog;
	struct crypto_async_request *async;

	spin_lock_irq(&engine.lock);
	backlog = crypto_get_backlog(&engine.queue);
	async = crypto_dequeue_request(&engine.queue);
	spin_unlock_irq(&engine.lock);
	/* The request has moved from the backlog into the queue. */
	if (backlog)
		vqcrypto_complete(backlog, -EINPROGRESS);
	return async;
}

static int vqcrypto_thread(void *unused)
{
	struct crypto_async_request *async;

	for (;;) {
		wait_event_idle(engine.wait,
				READ_ONCE(engine.queue.qlen) ||
				kthread_should_stop());
		async = vqcrypto_next();
		if (async)
			vqcrypto_do(async);
		else if (kthread_should_stop())
			return 0;
	}
}

int vqcrypto_engine_submit(struct skcipher_request *req, bool encrypt)
{
	struct vqcrypto_job *job = vqcrypto_job(req);
	unsigned long flags;
	int err;

	job->encrypt = encrypt;
	job->arrival = ktime_get();
	spin_lock_irqsave(&engine.lock, flags);
	err = crypto_enqueue_request(&engine.queue, &req->base);
	spin_unlock_irqrestore(&engine.lock, flags);
	wake_up(&engine.wait);
	return err;
}

int vqcrypto_engine_start(int (*serve)(struct skcipher_request *req))
{
	struct task_struct *thread;

	spin_lock_init(&engine.lock);
	init_waitqueue_head(&engine.wait);
	crypto_init_queue(&engine.queue,
			  vqcrypto_params.generation == VQCRYPTO_3_4 ?
			  VQCRYPTO_QUEUE_3_4 : VQCRYPTO_QUEUE);
	engine.serve = serve;
	engine.busy_until = 0;
	thread = kthread_run(vqcrypto_thread, NULL, "qcrypto");
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	/* An engine does not wait for a CPU. */
	sched_set_fifo(thread);
	engine.thread = thread;
	return 0;
}

void vqcrypto_engine_stop(void)
{
	kthread_stop(engine.thread);
}
