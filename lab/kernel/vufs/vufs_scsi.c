// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: SCSI commands that read, write and unmap.
 */
#include <linux/scatterlist.h>
#include <scsi/scsi.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_proto.h>

#include "vufs.h"
#include "../compat.h"

/* Additional sense codes. */
#define ASC_INVALID_OPCODE 0x20
#define ASC_LBA_RANGE 0x21
#define ASC_INVALID_FIELD 0x24
#define ASC_WRITE_ERROR 0x0c

/* UNMAP: a header, then descriptors of an address and a number of blocks. */
#define UNMAP_HEADER 8
#define UNMAP_DESCRIPTOR 16

static void vufs_refuse(struct scsi_cmnd *cmd, u8 key, u8 asc)
{
	scsi_build_sense(cmd, 0, key, asc, 0);
}

/* Address and number of blocks; the lock is not needed: they do not change. */
static bool vufs_range(const struct vufs *ufs, struct scsi_cmnd *cmd,
		       u32 *first, u32 *n)
{
	const u8 *cdb = cmd->cmnd;
	bool sixteen = cmd->cmd_len == 16;
	u64 lba = sixteen ? get_unaligned_be64(cdb + 2) :
			    get_unaligned_be32(cdb + 2);
	u64 count = sixteen ? get_unaligned_be32(cdb + 10) :
			      get_unaligned_be16(cdb + 7);

	if (lba > ufs->model.units || count > ufs->model.units - lba) {
		vufs_refuse(cmd, ILLEGAL_REQUEST, ASC_LBA_RANGE);
		return false;
	}
	*first = lba;
	*n = count;
	return true;
}

static int vufs_move(struct vufs *ufs, struct scsi_cmnd *cmd, u32 unit,
		     bool write)
{
	u32 flags = write ? SG_MITER_FROM_SG : SG_MITER_TO_SG;
	struct sg_mapping_iter miter;
	u32 off = 0;
	int err = 0;

	sg_miter_start(&miter, scsi_sglist(cmd), scsi_sg_count(cmd), flags);
	while (!err && sg_miter_next(&miter)) {
		u8 *at = miter.addr;
		u32 left = miter.length;

		while (left && !err) {
			u32 len = min(left, VUFS_UNIT - off);

			err = write ?
			      vufs_medium_write(ufs, unit, off, at, len) :
			      vufs_medium_read(ufs, unit, off, at, len);
			at += len;
			left -= len;
			off += len;
			if (off == VUFS_UNIT) {
				off = 0;
				unit++;
			}
		}
	}
	sg_miter_stop(&miter);
	return err;
}

static u64 vufs_transfer(struct vufs *ufs, struct scsi_cmnd *cmd, bool write)
{
	u32 first, n;
	u64 ns;

	if (!vufs_range(ufs, cmd, &first, &n))
		return 0;
	if (scsi_bufflen(cmd) != n * VUFS_UNIT) {
		vufs_refuse(cmd, ILLEGAL_REQUEST, ASC_INVALID_FIELD);
		return 0;
	}
	if (vufs_move(ufs, cmd, first, write)) {
		vufs_refuse(cmd, MEDIUM_ERROR, ASC_WRITE_ERROR);
		return 0;
	}
	spin_lock_irq(&ufs->lock);
	ns = write ? vufs_write(&ufs->model, first, n) :
		     vufs_read(&ufs->model, first, n);
	spin_unlock_irq(&ufs->lock);
	return ns;
}

static u64 vufs_unmap(struct vufs *ufs, struct scsi_cmnd *cmd)
{
	u8 list[UNMAP_HEADER + UNMAP_DESCRIPTOR] = {};
	u32 n;
	u64 lba, ns;

	/* VPD b0 says one descriptor at most. */
	scsi_sg_copy_to_buffer(cmd, list, sizeof(list));
	if (get_unaligned_be16(list + 2) < UNMAP_DESCRIPTOR)
		return 0;
	lba = get_unaligned_be64(list + UNMAP_HEADER);
	n = get_unaligned_be32(list + UNMAP_HEADER + 8);
	if (lba > ufs->model.units || n > ufs->model.units - lba) {
		vufs_refuse(cmd, ILLEGAL_REQUEST, ASC_LBA_RANGE);
		return 0;
	}
	vufs_medium_unmap(ufs, lba, n);
	spin_lock_irq(&ufs->lock);
	ns = vufs_unmap_command(&ufs->model) +
	     vufs_unmap_range(&ufs->model, lba, n);
	spin_unlock_irq(&ufs->lock);
	return ns;
}

static u64 vufs_synchronize(struct vufs *ufs)
{
	u64 ns;

	spin_lock_irq(&ufs->lock);
	ns = vufs_flush(&ufs->model);
	spin_unlock_irq(&ufs->lock);
	return ns;
}

u64 vufs_scsi_command(struct vufs *ufs, struct scsi_cmnd *cmd)
{
	u64 ns = ufs->model.c->t_ctl_us * VUFS_US;

	mutex_lock(&ufs->medium_lock);
	switch (cmd->cmnd[0]) {
	case READ_10:
	case READ_16:
		ns = vufs_transfer(ufs, cmd, false);
		break;
	case WRITE_10:
	case WRITE_16:
		ns = vufs_transfer(ufs, cmd, true);
		break;
	case UNMAP:
		ns = vufs_unmap(ufs, cmd);
		break;
	case SYNCHRONIZE_CACHE:
	case SYNCHRONIZE_CACHE_16:
		ns = vufs_synchronize(ufs);
		break;
	case TEST_UNIT_READY:
	case START_STOP:
		break;
	default:
		if (!vufs_scsi_describe(ufs, cmd))
			vufs_refuse(cmd, ILLEGAL_REQUEST, ASC_INVALID_OPCODE);
	}
	mutex_unlock(&ufs->medium_lock);
	return ns;
}
