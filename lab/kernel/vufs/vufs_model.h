/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: what the flash of a UFS holds where, and what commands cost. A unit of
 * 4 KiB is mapped or not, and what is mapped is fragmented or not. Without
 * kernel or libc calls, shared with user space.
 */
#ifndef STOREKEEPER_VUFS_MODEL_H
#define STOREKEEPER_VUFS_MODEL_H

#include "../ftl/ftl_platform.h"

#define VUFS_UNIT 4096u
#define VUFS_UNITS_PER_MIB 256u
#define VUFS_US 1000ull
#define VUFS_MS 1000000ull

struct vufs_config {
#define VUFS_FIXED(name, value, description) u32 name;
#define VUFS_CONFIG(name, value, description) u32 name;
#include "vufs_config_list.h"
#undef VUFS_FIXED
#undef VUFS_CONFIG
};

static inline struct vufs_config vufs_config_default(void)
{
	struct vufs_config c;

#define VUFS_FIXED(name, value, description) c.name = (value);
#define VUFS_CONFIG(name, value, description) c.name = (value);
#include "vufs_config_list.h"
#undef VUFS_FIXED
#undef VUFS_CONFIG
	return c;
}

/* bHIDState */
enum vufs_hid_state {
	VUFS_HID_IDLE,
	VUFS_HID_ANALYSIS,
	VUFS_HID_REQUIRED,
	VUFS_HID_DEFRAG,
	VUFS_HID_COMPLETED,
	VUFS_HID_NOT_REQUIRED,
	VUFS_HID_STATES,
};

/* dHIDAvailableSize: unknown. dHIDSize: as much as there is. */
#define VUFS_HID_NONE 0xffffffffu

/* vufs_hid.h */
struct vufs_hid {
	enum vufs_hid_state state;
	u32 size; /* dHIDSize */
	u32 found; /* fragmented units that are known, or VUFS_HID_NONE */
	u32 wanted; /* units to be moved by this defragmentation */
	u32 moved; /* of these */
	u32 cursor; /* where the search for the next one goes on */
	u32 step; /* units of the step under way; 0: none is */
	u64 until; /* the end of the analysis or of the step */
	u64 written; /* by the host, when the analysis ended, units */
	bool defrag_next; /* after the analysis */
	bool stop; /* after the step */
	bool progress_read;
};

struct vufs_stats {
	u64 reads; /* commands */
	u64 writes;
	u64 unmaps;
	u64 flushes;
	u64 read_units;
	u64 slow_read_units; /* fragmented ones among them */
	u64 host_write_units;
	u64 moved_units; /* by defragmentations */
	u64 unmapped_units; /* ranges asked for, mapped or not */
	u64 analyses;
	u64 defrags;
	u64 steps;
	u64 step_waits; /* commands that waited for a step */
	u64 step_wait_ns;
	u64 busy_ns; /* commands and steps */
	u64 max_service_ns; /* waiting included */
};

/*
 * Two sets, since a defragmentation that does not help takes a unit out of the
 * one that the device counts and leaves it in the one that costs time.
 */
struct vufs_model {
	const struct vufs_config *c;
	u32 units;
	u64 *mapped;
	u64 *fragmented; /* what an analysis finds */
	u64 *slow; /* what is read slowly */
	u32 mapped_units;
	u32 fragmented_units;
	u32 slow_units;
	u32 next; /* behind the last write */
	u64 busy_until;
	struct vufs_hid hid;
	struct vufs_stats s;
};

static inline bool vufs_test(const u64 *set, u32 unit)
{
	return set[unit / 64] >> (unit % 64) & 1;
}

static inline void vufs_put(u64 *set, u32 *count, u32 unit, bool in)
{
	u64 bit = 1ull << (unit % 64);

	if (vufs_test(set, unit) == in)
		return;
	set[unit / 64] ^= bit;
	*count += in ? 1 : -1;
}

static inline void vufs_put_fragmented(struct vufs_model *m, u32 unit, bool in)
{
	vufs_put(m->fragmented, &m->fragmented_units, unit, in);
	vufs_put(m->slow, &m->slow_units, unit, in);
}

static inline void vufs_model_destroy(struct vufs_model *m)
{
	ftl_free(m->mapped);
	ftl_free(m->fragmented);
	ftl_free(m->slow);
}

static inline bool vufs_model_init(struct vufs_model *m,
				   const struct vufs_config *c)
{
	struct vufs_model empty = {};
	u32 words = c->capacity_mib * VUFS_UNITS_PER_MIB / 64;

	*m = empty;
	m->c = c;
	m->units = words * 64;
	m->next = VUFS_HID_NONE;
	m->hid.size = VUFS_HID_NONE;
	m->hid.found = VUFS_HID_NONE;
	m->mapped = (u64 *)ftl_zalloc(words, sizeof(u64));
	m->fragmented = (u64 *)ftl_zalloc(words, sizeof(u64));
	m->slow = (u64 *)ftl_zalloc(words, sizeof(u64));
	if (m->mapped && m->fragmented && m->slow)
		return true;
	vufs_model_destroy(m);
	return false;
}

/* True if the unit is drawn with @permille probability; every run draws the same units. */
static inline bool vufs_drawn(const struct vufs_model *m, u32 unit,
			      u32 permille)
{
	u32 x = unit * 0x9e3779b9u + m->c->seed;

	x = (x ^ (x >> 16)) * 0x85ebca6bu;
	x = (x ^ (x >> 13)) * 0xc2b2ae35u;
	x ^= x >> 16;
	return x % 1000 < permille;
}

/* Fragments @permille of the mapped units, as years of use do. */
static inline void vufs_age(struct vufs_model *m, u32 permille)
{
	u32 unit;

	for (unit = 0; unit < m->units; unit++)
		if (vufs_test(m->mapped, unit) && vufs_drawn(m, unit, permille))
			vufs_put_fragmented(m, unit, true);
}

/* Commands. Each function plays a command's effect and returns its service time in ns. */
static inline u64 vufs_read(struct vufs_model *m, u32 first, u32 n)
{
	u64 factor = 0;
	u32 slow = 0;
	u32 i;

	for (i = 0; i < n; i++)
		slow += vufs_test(m->slow, first + i);
	m->s.reads++;
	m->s.read_units += n;
	m->s.slow_read_units += slow;
	factor = n - slow + (u64)slow * m->c->read_slow;
	return (m->c->t_cmd_r_us + m->c->t_read_us * factor) * VUFS_US;
}

static inline u64 vufs_write(struct vufs_model *m, u32 first, u32 n)
{
	bool small = n < m->c->small_kib / 4 && first != m->next;
	u32 i;

	for (i = first; i < first + n; i++) {
		vufs_put(m->mapped, &m->mapped_units, i, true);
		vufs_put_fragmented(m, i,
				    small || vufs_drawn(m, i, m->c->age));
	}
	m->next = first + n;
	m->s.writes++;
	m->s.host_write_units += n;
	return (m->c->t_cmd_w_us + (u64)m->c->t_write_us * n) * VUFS_US;
}

/* A range of an UNMAP, which costs vufs_unmap_command() besides. */
static inline u64 vufs_unmap_range(struct vufs_model *m, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n; i++) {
		vufs_put(m->mapped, &m->mapped_units, i, false);
		vufs_put_fragmented(m, i, false);
	}
	m->s.unmapped_units += n;
	return ftl_div(m->c->t_unmap_mib_us * VUFS_US * n, VUFS_UNITS_PER_MIB);
}

static inline u64 vufs_unmap_command(struct vufs_model *m)
{
	m->s.unmaps++;
	return m->c->t_unmap_us * VUFS_US;
}

static inline u64 vufs_flush(struct vufs_model *m)
{
	m->s.flushes++;
	return m->c->t_flush_us * VUFS_US;
}

/* One command after another: when one that comes now is done. */
static inline u64 vufs_queue(struct vufs_model *m, u64 now, u64 ns)
{
	u64 begin = m->busy_until > now ? m->busy_until : now;

	if (m->hid.step && m->hid.until > now) {
		m->s.step_waits++;
		m->s.step_wait_ns += m->hid.until - now;
	}
	m->busy_until = begin + ns;
	m->s.busy_ns += ns;
	if (m->busy_until - now > m->s.max_service_ns)
		m->s.max_service_ns = m->busy_until - now;
	return m->busy_until;
}

static inline u64 vufs_written_units(const struct vufs_model *m)
{
	return m->s.host_write_units + m->s.moved_units;
}

static inline u32 vufs_life_permille(const struct vufs_model *m)
{
	u64 life = (u64)m->units * (m->c->endurance ? m->c->endurance : 1);

	return m->c->worn_permille + ftl_div(vufs_written_units(m) * 1000, life);
}

/* bDeviceLifeTimeEstA and B: 1 is up to 10 %, 11 beyond the life. */
static inline u32 vufs_life_time(const struct vufs_model *m)
{
	u32 tenths = vufs_life_permille(m) / 100;

	return tenths < 10 ? tenths + 1 : 11;
}

/* bPreEOLInfo: 1 normal, 2 from 90 % of the life, 3 from its end. */
static inline u32 vufs_pre_eol_info(const struct vufs_model *m)
{
	u32 used = vufs_life_permille(m);

	return used < 900 ? 1 : used < 1000 ? 2 : 3;
}

#endif /* STOREKEEPER_VUFS_MODEL_H */
