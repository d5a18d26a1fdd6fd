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

#include "vqcrypto.h"

/* MSM_QCRYPTO_REQ_QUEUE_LENGTH of qcrypto.c: 50 in 3.4, 768 later. */
#define VQCRYPTO_QUEUE_3_4 50
#define VQCRYPTO_QUEUE 768

static struct {
	spinlock_t lock;	/* the queue */
	struct crypto_queue queue;
	struct task_struct *thread;
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

/* Whoever waits for an asynchronous request is called as from a softirq. */
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
	int err = vqcrypto_serve(req);

	engine.busy_until = vqcrypto_end(req);
	vqcrypto_wait_until(engine.busy_until);
	vqcrypto_count(encrypt, err);
	vqcrypto_complete(async, err);
}

static int vqcrypto_thread(void *unused)
{
	struct crypto_async_request *backlog;
	struct crypto_async_request *async;

	for (;;) {
		/* A submitter wakes the thread after it has queued. */
		set_current_state(TASK_IDLE);
		spin_lock_irq(&engine.lock);
		backlog = crypto_get_backlog(&engine.queue);
		async = crypto_dequeue_request(&engine.queue);
		spin_unlock_irq(&engine.lock);
		if (!async) {
			if (kthread_should_stop())
				break;
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		if (backlog)
			vqcrypto_complete(backlog, -EINPROGRESS);
		vqcrypto_do(async);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
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
	wake_up_process(engine.thread);
	return err;
}

int vqcrypto_engine_start(void)
{
	struct task_struct *thread;

	spin_lock_init(&engine.lock);
	crypto_init_queue(&engine.queue,
			  vqcrypto_params.generation == VQCRYPTO_3_4 ?
			  VQCRYPTO_QUEUE_3_4 : VQCRYPTO_QUEUE);
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
