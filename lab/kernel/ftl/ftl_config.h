/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * Card parameters in the units people write (MiB, KiB, us, ms) and their
 * translation to those of the flash translation layer (pages, ns).
 */
#ifndef STOREKEEPER_FTL_CONFIG_H
#define STOREKEEPER_FTL_CONFIG_H

#include "ftl_types.h"

struct ftl_config {
#define FTL_CONFIG(name, value, description) u32 name;
#include "ftl_config_list.h"
#undef FTL_CONFIG
};

static inline struct ftl_config ftl_config_default(void)
{
	struct ftl_config c;

#define FTL_CONFIG(name, value, description) c.name = (value);
#include "ftl_config_list.h"
#undef FTL_CONFIG
	return c;
}

static inline struct ftl_params ftl_config_params(const struct ftl_config *c,
						  enum ftl_model model)
{
	struct ftl_params p = {};
	const u64 us = 1000;

	p.model = model;
	p.pages = c->capacity_mib * FTL_PAGES_PER_MIB;
	p.block_pages = c->block_kib * 1024 / FTL_PAGE_SIZE;
	p.unit_pages = c->unit_kib * 1024 / FTL_PAGE_SIZE;
	p.spare_blocks = c->spare_blocks;
	p.log_low = c->log_low;
	p.op_permille = c->op_permille;
	p.endurance = c->endurance;
	p.endurance_log = c->endurance_log;
	p.bad_reserve = c->bad_reserve;
	p.worn_permille = c->worn_permille;
	p.t_cmd_r = c->t_cmd_r_us * us;
	p.t_cmd_w = c->t_cmd_w_us * us;
	p.t_read = c->t_read_us * us;
	p.t_prog = c->t_prog_us * us;
	p.t_cread = c->t_cread_us * us;
	p.t_cprog = c->t_cprog_us * us;
	p.t_erase = c->t_erase_us * us;
	p.t_trim = c->t_trim_us * us;
	p.t_trim_mib = c->t_trim_mib_us * us;
	p.t_flush = c->t_flush_us * us;
	p.idle = c->idle_ms * us * 1000;
	return p;
}

#endif /* STOREKEEPER_FTL_CONFIG_H */
