/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * A faulty card: chooses the host's requests and the pages that a fault
 * strikes. The caller changes the medium and the answer. A card without faults
 * uses nothing of this.
 */
#ifndef STOREKEEPER_FTL_FAULT_H
#define STOREKEEPER_FTL_FAULT_H

#include "ftl_types.h"

/* Content of a discarded page when read; the names are in vemmc_faults.c. */
enum ftl_discarded {
	FTL_DISCARDED_ZEROS, /* or ones, as ERASED_MEM_CONT says */
	FTL_DISCARDED_OLD,
	FTL_DISCARDED_RANDOM,
};

/* Outcome of a read or write. */
enum ftl_outcome {
	FTL_WORKS,
	FTL_FAILS,
	FTL_LIES, /* a read: with a wrong bit */
};

struct ftl_fault_config {
	u32 discarded; /* enum ftl_discarded */
#define FTL_FAULT(name, value, description) u32 name;
#include "ftl_fault_list.h"
#undef FTL_FAULT
};

struct ftl_faults {
	struct ftl_fault_config cfg;
	/* Commands since the faults were armed. */
	u64 discards;
	u64 reads;
	u64 busy; /* writes and discards */
};

/* Faults of one discard. */
struct ftl_discard_fault {
	bool dies;
	bool noop; /* mapped pages stay mapped */
	enum ftl_discarded reads_as;
	bool later; /* the neighbours are garbled at the next power-up */
	u32 before; /* pages garbled right before the range */
	u32 after;
};

static inline struct ftl_fault_config ftl_fault_default(void)
{
	struct ftl_fault_config c = {};

#define FTL_FAULT(name, value, description) c.name = (value);
#include "ftl_fault_list.h"
#undef FTL_FAULT
	return c;
}

/* Returns NULL if the parameters are usable, else a message about the first bad one. */
static inline const char *ftl_fault_error(const struct ftl_fault_config *c)
{
	if (!c->garble_every)
		return "fault_garble_every: 1 or more";
	if (c->garble_later > 1)
		return "fault_garble_later: 0 or 1";
	if (c->noop > 1)
		return "fault_noop: 0 or 1";
	if (!c->stall_every)
		return "fault_stall_every: 1 or more";
	if (!c->read_burst)
		return "fault_read_burst: 1 or more";
	if (c->read_permille > 1000)
		return "fault_read_permille: up to 1000";
	if (c->read_change > 1)
		return "fault_read_change: 0 or 1";
	if (c->flush > 1)
		return "fault_flush: 0 or 1";
	if (c->wear_permille > 1000)
		return "fault_wear_permille: up to 1000";
	return NULL;
}

/* Arms the faults of @cfg; all counters start at 0. */
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

/* FTL_PAGE_SIZE incompressible bytes, determined by seed and page. */
static inline void ftl_fault_noise(u32 seed, u32 page, u64 *words)
{
	u32 count = FTL_PAGE_SIZE / sizeof(*words);
	u32 i;

	for (i = 0; i < count; i++)
		words[i] = ftl_fault_mix(seed, (u64)page * count + i);
}

static inline u64 ftl_fault_rest(u64 n, u64 divisor)
{
	return n - ftl_div(n, divisor) * divisor;
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
	d.noop = f->cfg.noop;
	d.reads_as = d.noop ? FTL_DISCARDED_OLD :
			      (enum ftl_discarded)f->cfg.discarded;
	if (ftl_fault_rest(f->discards, f->cfg.garble_every))
		return d;
	d.later = f->cfg.garble_later;
	d.before = garble < first ? garble : first;
	d.after = garble < pages - end ? garble : pages - end;
	return d;
}

static inline bool ftl_fault_chance(u32 seed, u64 n, u32 permille)
{
	return (ftl_fault_mix(seed, n) >> 32) * 1000 >> 32 < permille;
}

/* The host reads: for a while this works, then it may not, and so on. */
static inline enum ftl_outcome ftl_fault_read(struct ftl_faults *f)
{
	const struct ftl_fault_config *c = &f->cfg;
	u64 cycle = (u64)c->read_every + c->read_burst;
	u64 n = f->reads++;

	if (!c->read_every ||
	    ftl_fault_rest(n, cycle) < c->read_every ||
	    !ftl_fault_chance(c->seed, n, c->read_permille))
		return FTL_WORKS;
	return c->read_change ? FTL_LIES : FTL_FAILS;
}

/* Additional time of a finished write or discard, ns. */
static inline u64 ftl_fault_stall(struct ftl_faults *f)
{
	const struct ftl_fault_config *c = &f->cfg;

	if (ftl_fault_rest(++f->busy, c->stall_every))
		return 0;
	return (u64)c->stall_ms * 1000 * 1000;
}

/*
 * True if pages [first, first + count) cannot be written on a card that has
 * used up @worn permille of its life. The fault of a page is permanent: no
 * retry helps.
 */
static inline bool ftl_fault_program(const struct ftl_faults *f, u64 worn,
				     u32 first, u32 count)
{
	const struct ftl_fault_config *c = &f->cfg;
	u32 i;

	if (!c->wear_permille || worn < c->wear)
		return false;
	for (i = 0; i < count; i++) {
		if (ftl_fault_chance(~c->seed, first + i, c->wear_permille))
			return true;
	}
	return false;
}

#endif /* STOREKEEPER_FTL_FAULT_H */
