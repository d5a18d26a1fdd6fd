// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: reads, writes and erasure.
 */
#include <linux/minmax.h>
#include <linux/scatterlist.h>

#include "vemmc.h"
#include "../compat.h"

static u32 vemmc_area(const struct vemmc_card *card)
{
	return card->ext_csd[EXT_CSD_PART_CONFIG] & EXT_CSD_PART_CONFIG_ACC_MASK;
}

/* First page of the accessed area in the medium; @pages is its size. */
static u32 vemmc_area_base(const struct vemmc_card *card, u32 *pages)
{
	u32 area = vemmc_area(card);

	*pages = area ? card->boot_pages : card->user_pages;
	return area ? card->user_pages + (area - 1) * card->boot_pages : 0;
}

static int vemmc_copy(struct vemmc_card *card, struct mmc_data *data, u64 pos,
		      size_t len)
{
	bool write = data->flags & MMC_DATA_WRITE;
	bool reliable = write && card->reliable && !vemmc_fault_flush(card);
	struct sg_mapping_iter it;
	int err = 0;

	sg_miter_start(&it, data->sg, data->sg_len,
		       write ? SG_MITER_FROM_SG : SG_MITER_TO_SG);
	while (len && !err && sg_miter_next(&it)) {
		size_t n = min(len, it.length);

		if (write)
			err = vemmc_medium_write(&card->medium, pos, it.addr, n,
						 reliable);
		else
			vemmc_medium_read(&card->medium, pos, it.addr, n);
		pos += n;
		len -= n;
	}
	sg_miter_stop(&it);
	return err;
}

/*
 * Boot partitions have no translation layer, but flash of the same speed; what
 * fails does not reach the layer.
 */
static u64 vemmc_plain_time(const struct vemmc_card *card, bool write,
			    u32 pages)
{
	const struct ftl_params *p = &card->ftl.p;

	return write ? p->t_cmd_w + pages * p->t_prog :
		       p->t_cmd_r + pages * p->t_read;
}

static u64 vemmc_service(struct vemmc_card *card, bool write, u32 first,
			 u32 pages, u64 now)
{
	u64 ns;

	if (vemmc_area(card))
		return vemmc_plain_time(card, write, pages);
	if (!write)
		return ftl_read(&card->ftl, now, first, pages);
	ns = ftl_write(&card->ftl, now, first, pages);
	if (card->reliable || !card->medium.cache_on)
		ns += ftl_sync(&card->ftl, now + ns);
	return ns;
}

u64 vemmc_transfer(struct vemmc_card *card, struct mmc_command *cmd, u64 now)
{
	struct mmc_data *data = cmd->data;
	bool write = data->flags & MMC_DATA_WRITE;
	enum ftl_outcome outcome = FTL_WORKS;
	u32 blocks = data->blocks;
	u32 first, pages, base, area_pages;
	size_t len;

	if (data->blksz != VEMMC_SECTOR) {
		card->status |= R1_BLOCK_LEN_ERROR;
		data->error = -ETIMEDOUT;
		return 0;
	}
	base = vemmc_area_base(card, &area_pages);
	if ((u64)cmd->arg + blocks > (u64)area_pages * VEMMC_SECTORS_PER_PAGE) {
		card->status |= R1_OUT_OF_RANGE;
		data->error = -ETIMEDOUT;
		return 0;
	}
	/* CMD23 announced less than the host now moves: the rest never comes. */
	if (card->block_count && card->block_count < blocks) {
		blocks = card->block_count;
		data->error = -ETIMEDOUT;
	}
	/* Sectors that share a page with others cost the whole page. */
	first = cmd->arg / VEMMC_SECTORS_PER_PAGE;
	pages = DIV_ROUND_UP(cmd->arg + blocks, VEMMC_SECTORS_PER_PAGE) - first;
	if (card->faults.armed && !vemmc_area(card))
		outcome = vemmc_fault_transfer(card, write, first, pages);
	if (outcome == FTL_FAILS) {
		card->status |= write ? R1_ERROR : R1_CARD_ECC_FAILED;
		data->error = -EIO;
		return vemmc_plain_time(card, write, pages);
	}
	len = (size_t)blocks * VEMMC_SECTOR;
	if (vemmc_copy(card, data, (u64)base * FTL_PAGE_SIZE +
		       (u64)cmd->arg * VEMMC_SECTOR, len)) {
		card->status |= R1_ERROR; /* no memory for the medium */
		data->error = -EIO;
		return 0;
	}
	data->bytes_xfered = len;
	if (outcome == FTL_LIES)
		vemmc_fault_alter(data, len);
	if (write) {
		card->count.writes++;
		card->count.reliable_writes += card->reliable;
	} else {
		card->count.reads++;
	}
	return vemmc_service(card, write, first, pages, now);
}

/*
 * Linux discards with DISCARD, or with TRIM on a card without DISCARD. On a
 * card with DISCARD it uses TRIM for zeroing.
 */
static bool vemmc_is_discard(const struct vemmc_card *card, u32 arg)
{
	return arg == MMC_DISCARD_ARG ||
	       (arg == MMC_TRIM_ARG && card->cfg->ext_csd_rev < 6);
}

u64 vemmc_erase(struct vemmc_card *card, u32 arg, u64 now)
{
	u64 start = card->erase_start;
	u64 end = (u64)card->erase_end + 1;
	u32 group = card->cfg->erase_group_kib * 1024 / VEMMC_SECTOR;
	u32 base, pages, first, last;
	struct ftl_discard_fault fault = {};
	void *fill = NULL;

	if (!card->erase_start_set || !card->erase_end_set) {
		card->status |= R1_ERASE_SEQ_ERROR;
		return 0;
	}
	card->erase_start_set = false;
	card->erase_end_set = false;
	base = vemmc_area_base(card, &pages);
	if (arg == MMC_ERASE_ARG) { /* whole groups, the last one included */
		start = rounddown(start, group);
		end = min_t(u64, roundup(end, group),
			    (u64)pages * VEMMC_SECTORS_PER_PAGE);
	}
	if (end <= start || end > (u64)pages * VEMMC_SECTORS_PER_PAGE) {
		card->status |= R1_ERASE_PARAM;
		return 0;
	}
	if (card->faults.armed && !vemmc_area(card) &&
	    vemmc_is_discard(card, arg)) {
		fault = vemmc_fault_discard(card, start, end);
		if (fault.dies)
			return 0;
	}
	/* A discarded range may hold anything; this card returns zeros. */
	if (fault.reads_as == FTL_DISCARDED_RANDOM)
		fill = card->medium.random;
	else if (card->cfg->erased_mem_cont && arg != MMC_DISCARD_ARG)
		fill = card->medium.ones;
	card->count.trimmed_bytes += (end - start) * VEMMC_SECTOR;
	if (fault.reads_as != FTL_DISCARDED_OLD &&
	    vemmc_medium_erase(&card->medium, (u64)base * FTL_PAGE_SIZE +
			       start * VEMMC_SECTOR,
			       (end - start) * VEMMC_SECTOR, fill))
		card->status |= R1_ERROR; /* no memory for the medium */
	if (vemmc_area(card))
		return card->ftl.p.t_trim;
	first = DIV_ROUND_UP(start, VEMMC_SECTORS_PER_PAGE);
	last = fault.noop ? 0 : end / VEMMC_SECTORS_PER_PAGE;
	return ftl_trim(&card->ftl, now, first, last > first ? last - first : 0);
}
