// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: the data of units. The caller holds the medium's lock.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "vufs.h"

/* Writes come from write-back: allocating must not wait for it. */
#define VUFS_GFP (GFP_NOIO | __GFP_NOWARN)

static_assert(VUFS_UNIT == PAGE_SIZE);

static void vufs_unit_free(struct vufs *ufs, void *page)
{
	if (!page)
		return;
	free_page((unsigned long)page);
	ufs->held--;
}

int vufs_medium_read(struct vufs *ufs, u32 unit, u32 off, void *buf, u32 len)
{
	const void *page = xa_load(&ufs->pages, unit);

	if (page)
		memcpy(buf, page + off, len);
	else
		memset(buf, 0, len);
	return 0;
}

int vufs_medium_write(struct vufs *ufs, u32 unit, u32 off, const void *buf,
		      u32 len)
{
	void *page = xa_load(&ufs->pages, unit);
	bool zero = len == VUFS_UNIT && !memchr_inv(buf, 0, len);
	int err;

	if (zero) {
		vufs_unit_free(ufs, xa_erase(&ufs->pages, unit));
		return 0;
	}
	if (!page) {
		page = (void *)get_zeroed_page(VUFS_GFP);
		if (!page)
			return -ENOMEM;
		err = xa_err(xa_store(&ufs->pages, unit, page, VUFS_GFP));
		if (err) {
			free_page((unsigned long)page);
			return err;
		}
		ufs->held++;
	}
	memcpy(page + off, buf, len);
	return 0;
}

void vufs_medium_unmap(struct vufs *ufs, u32 first, u32 n)
{
	unsigned long unit;
	void *page;

	if (!n)
		return;
	xa_for_each_range(&ufs->pages, unit, page, first, first + n - 1) {
		xa_erase(&ufs->pages, unit);
		vufs_unit_free(ufs, page);
	}
}

void vufs_medium_destroy(struct vufs *ufs)
{
	vufs_medium_unmap(ufs, 0, ufs->model.units);
	xa_destroy(&ufs->pages);
}
