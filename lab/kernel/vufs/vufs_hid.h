/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: host-initiated defragmentation as a state machine. Its owner calls
 * vufs_hid_run() when a moment it has named has come. Shared with user space.
 */
#ifndef STOREKEEPER_VUFS_HID_H
#define STOREKEEPER_VUFS_HID_H

#include "vufs_model.h"

/* bDefragOperation */
enum vufs_hid_operation {
	VUFS_HID_DISABLE,
	VUFS_HID_ANALYSE,
	VUFS_HID_ANALYSE_AND_DEFRAG,
};

/* Forgets the result of the last analysis: a new one is needed. */
static inline void vufs_hid_idle(struct vufs_hid *h)
{
	h->state = VUFS_HID_IDLE;
	h->found = VUFS_HID_NONE;
	h->wanted = 0;
	h->moved = 0;
	h->step = 0;
	h->until = 0;
	h->defrag_next = false;
	h->stop = false;
}

/* Drops a result after the host has written hid_stale_mib since. */
static inline void vufs_hid_expire(struct vufs_model *m)
{
	struct vufs_hid *h = &m->hid;
	u64 stale = (u64)m->c->hid_stale_mib * VUFS_UNITS_PER_MIB;

	if (!stale || m->s.host_write_units - h->written < stale)
		return;
	if (h->state == VUFS_HID_REQUIRED || h->state == VUFS_HID_COMPLETED ||
	    h->state == VUFS_HID_NOT_REQUIRED)
		vufs_hid_idle(h);
}

static inline void vufs_hid_analyse(struct vufs_model *m, u64 now, bool defrag)
{
	struct vufs_hid *h = &m->hid;

	vufs_hid_idle(h);
	h->state = VUFS_HID_ANALYSIS;
	h->until = now + m->c->analysis_ms * VUFS_MS;
	h->defrag_next = defrag;
	m->s.analyses++;
}

static inline void vufs_hid_defrag(struct vufs_model *m)
{
	struct vufs_hid *h = &m->hid;

	h->state = VUFS_HID_DEFRAG;
	h->wanted = h->found < h->size ? h->found : h->size;
	h->moved = 0;
	h->cursor = 0;
	h->step = 0;
	h->until = 0;
	h->progress_read = false;
	m->s.defrags++;
}

/* The host writes bDefragOperation. vufs_hid_run() follows. */
static inline void vufs_hid_write(struct vufs_model *m,
				  enum vufs_hid_operation operation, u64 now)
{
	struct vufs_hid *h = &m->hid;
	bool defrag = operation == VUFS_HID_ANALYSE_AND_DEFRAG;

	vufs_hid_expire(m);
	if (operation == VUFS_HID_DISABLE) {
		/* A step is not broken off. */
		if (h->step)
			h->stop = true;
		else
			vufs_hid_idle(h);
	} else if (h->state == VUFS_HID_ANALYSIS) {
		h->defrag_next = defrag;
	} else if (h->state == VUFS_HID_DEFRAG) {
		/* Goes on, even if it was about to stop. */
		h->stop = h->stop && !defrag;
	} else if (h->state == VUFS_HID_REQUIRED && defrag) {
		vufs_hid_defrag(m);
	} else {
		vufs_hid_analyse(m, now, defrag);
	}
}

static inline void vufs_hid_analysed(struct vufs_model *m)
{
	struct vufs_hid *h = &m->hid;

	h->until = 0;
	h->written = m->s.host_write_units;
	h->found = m->fragmented_units;
	if (!h->found)
		h->state = VUFS_HID_NOT_REQUIRED;
	else if (h->defrag_next)
		vufs_hid_defrag(m);
	else
		h->state = VUFS_HID_REQUIRED;
}

/* The next fragmented unit, or @units. */
static inline u32 vufs_hid_find(const struct vufs_model *m, u32 unit)
{
	while (unit < m->units && !vufs_test(m->fragmented, unit))
		unit += unit % 64 || m->fragmented[unit / 64] ? 1 : 64;
	return unit;
}

/* The step under way has ended: its units are written in a better place. */
static inline void vufs_hid_step_done(struct vufs_model *m)
{
	struct vufs_hid *h = &m->hid;
	u32 n = h->step;

	h->step = 0;
	m->s.steps++;
	while (n--) {
		h->cursor = vufs_hid_find(m, h->cursor);
		/* Others were rewritten or unmapped since the analysis. */
		if (h->cursor >= m->units) {
			h->moved = h->wanted;
			break;
		}
		vufs_put(m->fragmented, &m->fragmented_units, h->cursor, false);
		if (m->c->hid_helps)
			vufs_put(m->slow, &m->slow_units, h->cursor, false);
		h->moved++;
		h->found--;
		m->s.moved_units++;
	}
	if (h->stop)
		vufs_hid_idle(h);
}

static inline void vufs_hid_step(struct vufs_model *m, u64 now)
{
	struct vufs_hid *h = &m->hid;
	u64 unit = ftl_div(m->c->defrag_mib_ms * VUFS_MS, VUFS_UNITS_PER_MIB);
	u64 n = unit ? ftl_div(m->c->defrag_step_ms * VUFS_MS, unit) : h->wanted;

	if (n > h->wanted - h->moved)
		n = h->wanted - h->moved;
	h->step = n ? n : 1;
	h->until = now + h->step * unit;
	m->busy_until = h->until;
	m->s.busy_ns += h->step * unit;
}

/* Plays the steps that are due; returns the time of the next call, or 0. */
static inline u64 vufs_hid_run(struct vufs_model *m, u64 now)
{
	struct vufs_hid *h = &m->hid;
	u64 begin;

	if (h->state == VUFS_HID_ANALYSIS && now >= h->until)
		vufs_hid_analysed(m);
	if (h->state == VUFS_HID_ANALYSIS)
		return h->until;
	if (h->step && now >= h->until)
		vufs_hid_step_done(m);
	if (h->state != VUFS_HID_DEFRAG)
		return 0;
	if (h->step)
		return h->until;
	if (h->moved >= h->wanted) {
		h->state = VUFS_HID_COMPLETED;
		return 0;
	}
	begin = m->busy_until + m->c->defrag_quiet_us * VUFS_US;
	if (now < begin)
		return begin;
	vufs_hid_step(m, now);
	return h->until;
}

/* dHIDAvailableSize */
static inline u32 vufs_hid_fragmented_size(struct vufs_model *m)
{
	vufs_hid_expire(m);
	return m->c->hid_unknown ? VUFS_HID_NONE : m->hid.found;
}

/* bHIDProgressRatio: 100 is read once. */
static inline u32 vufs_hid_progress_ratio(struct vufs_model *m)
{
	struct vufs_hid *h = &m->hid;

	if (h->state == VUFS_HID_DEFRAG)
		return ftl_div(100ull * h->moved, h->wanted ? h->wanted : 1);
	if (h->state != VUFS_HID_COMPLETED || h->progress_read)
		return 0;
	h->progress_read = true;
	return 100;
}

static inline enum vufs_hid_state vufs_hid_read_state(struct vufs_model *m)
{
	enum vufs_hid_state state;

	vufs_hid_expire(m);
	state = m->hid.state;
	if (m->c->hid_state_once && (state == VUFS_HID_COMPLETED ||
				     state == VUFS_HID_NOT_REQUIRED))
		vufs_hid_idle(&m->hid);
	return state;
}

/* Power off: nothing goes on, nothing is known. */
static inline void vufs_hid_reset(struct vufs_model *m)
{
	vufs_hid_idle(&m->hid);
	m->hid.size = VUFS_HID_NONE;
	m->busy_until = 0;
	m->next = VUFS_HID_NONE;
}

#endif /* STOREKEEPER_VUFS_HID_H */
