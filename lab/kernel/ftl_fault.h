/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * A faulty card: which of the host's requests a fault strikes, and where. What
 * it does to the medium and the answer is the caller's. Nothing here takes part
 * in a card without faults.
 */
#ifndef STOREKEEPER_FTL_FAULT_H
#define STOREKEEPER_FTL_FAULT_H

#include "ftl_types.h"

struct ftl_fault_config {
#define FTL_FAULT(name, value, description) u32 name;
#include "ftl_fault_list.h"
#undef FTL_FAULT
};

struct ftl_faults {
	struct ftl_fault_config cfg;
	u64 discards; /* since the faults were armed */
};

/* What a discard does beside or instead of discarding. */
struct ftl_discard_fault {
	bool dies;
	bool later; /* the neighbours are garbled at the next power-up */
	u32 before; /* pages garbled right before the range */
	u32 after;
};

static inline struct ftl_fault_config ftl_fault_default(void)
{
	struct ftl_fault_config c;

#define FTL_FAULT(name, value, description) c.name = (value);
#include "ftl_fault_list.h"
#undef FTL_FAULT
	return c;
}

/* NULL if the parameters are usable, else what is wrong with them. */
static inline const char *ftl_fault_error(const struct ftl_fault_config *c)
{
	if (!c->garble_every)
		return "fault_garble_every: 1 or more";
	if (c->garble_later > 1)
		return "fault_garble_later: 0 or 1";
	return NULL;
}

/* Counts start anew. */
static inline void ftl_faults_arm(struct ftl_faults *f,
				  const struct ftl_fault_config *cfg)
{
	*f = (struct ftl_faults){};
	f->cfg = *cfg;
}

/* splitmix64: one well mixed word for each @n. */
static inline u64 ftl_fault_mix(u32 seed, u64 n)
{
	u64 x = ((u64)seed << 40) + (n + 1) * 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

/* FTL_PAGE_SIZE bytes that nothing compresses; the same for the same page. */
static inline void ftl_fault_noise(u32 seed, u32 page, u64 *words)
{
	u32 count = FTL_PAGE_SIZE / sizeof(*words);
	u32 i;

	for (i = 0; i < count; i++)
		words[i] = ftl_fault_mix(seed, (u64)page * count + i);
}

/* The host discards pages [first, end) of @pages. */
static inline struct ftl_discard_fault
ftl_fault_discard(struct ftl_faults *f, u32 first, u32 end, u32 pages)
{
	u32 garble = f->cfg.garble / FTL_PAGE_SIZE +
		     !!(f->cfg.garble % FTL_PAGE_SIZE);
	struct ftl_discard_fault d = {};

	f->discards++;
	if (f->cfg.die && f->discards >= f->cfg.die) {
		d.dies = true;
		return d;
	}
	if (f->discards % f->cfg.garble_every)
		return d;
	d.later = f->cfg.garble_later;
	d.before = garble < first ? garble : first;
	d.after = garble < pages - end ? garble : pages - end;
	return d;
}

#endif /* STOREKEEPER_FTL_FAULT_H */
