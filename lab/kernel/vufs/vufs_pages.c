// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vufs: SCSI commands that describe the logical unit.
 */
#include <linux/string.h>
#include <scsi/scsi.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_proto.h>

#include "vufs.h"
#include "../compat.h"

#define VPD_SUPPORTED 0x00
#define VPD_BLOCK_LIMITS 0xb0
#define VPD_CHARACTERISTICS 0xb1
#define VPD_PROVISIONING 0xb2

#define MODE_CACHING 0x08
#define MODE_ALL 0x3f

#define VUFS_ANSWER 64
#define VUFS_TRANSFER_BLOCKS 128 /* 512 KiB */

void vufs_scsi_answer(struct scsi_cmnd *cmd, const u8 *data, u32 len,
		      u32 allowed)
{
	u32 n = min3(len, allowed, scsi_bufflen(cmd));

	scsi_sg_copy_from_buffer(cmd, data, n);
	scsi_set_resid(cmd, scsi_bufflen(cmd) - n);
}

/* Padded with blanks, not terminated. */
static void vufs_text(u8 *to, const char *text, u32 len)
{
	memset(to, ' ', len);
	memcpy(to, text, min_t(size_t, strlen(text), len));
}

static u32 vufs_inquiry(u8 *data)
{
	const struct vufs_strings *strings = vufs_strings_get();

	data[2] = 6; /* SPC-4 */
	data[3] = 2;
	data[4] = 36 - 5;
	data[7] = 2; /* command queue */
	vufs_text(data + 8, strings->manufacturer, 8);
	vufs_text(data + 16, strings->product, 16);
	vufs_text(data + 32, strings->revision, 4);
	return 36;
}

static u32 vufs_block_limits(const struct vufs *ufs, u8 *data)
{
	u32 most = ufs->model.c->unmap_max_mib * VUFS_UNITS_PER_MIB;

	put_unaligned_be16(0x3c, data + 2);
	put_unaligned_be16(1, data + 6);
	put_unaligned_be32(VUFS_TRANSFER_BLOCKS, data + 8);
	put_unaligned_be32(most, data + 20);
	put_unaligned_be32(1, data + 24); /* descriptors of an UNMAP */
	put_unaligned_be32(1, data + 28); /* granularity, blocks */
	return 0x3c + 4;
}

/* A vital product data page; 0: there is none. */
static u32 vufs_vpd(const struct vufs *ufs, u8 page, u8 *data)
{
	data[1] = page;
	switch (page) {
	case VPD_SUPPORTED:
		data[3] = 4;
		data[5] = VPD_BLOCK_LIMITS;
		data[6] = VPD_CHARACTERISTICS;
		data[7] = VPD_PROVISIONING;
		return 8;
	case VPD_BLOCK_LIMITS:
		return vufs_block_limits(ufs, data);
	case VPD_CHARACTERISTICS:
		data[3] = 0x3c;
		data[5] = 1; /* does not rotate */
		return 0x3c + 4;
	case VPD_PROVISIONING:
		data[3] = 4;
		data[5] = 0x84; /* UNMAP; unmapped blocks read as zeros */
		data[6] = 2; /* thin */
		return 8;
	}
	return 0;
}

static u32 vufs_capacity_10(const struct vufs *ufs, u8 *data)
{
	put_unaligned_be32(ufs->model.units - 1, data);
	put_unaligned_be32(VUFS_UNIT, data + 4);
	return 8;
}

static u32 vufs_capacity_16(const struct vufs *ufs, u8 *data)
{
	put_unaligned_be64(ufs->model.units - 1, data);
	put_unaligned_be32(VUFS_UNIT, data + 8);
	data[14] = 0xc0; /* LBPME, LBPRZ */
	return 32;
}

static u32 vufs_luns(u8 *data)
{
	put_unaligned_be32(8, data);
	return 16;
}

/* The caching page behind a header of so many bytes. */
static u32 vufs_mode_sense(const u8 *cdb, u8 *data, u32 header)
{
	u8 page = cdb[2] & 0x3f;
	u32 len = header;

	if (page != MODE_CACHING && page != MODE_ALL)
		return 0;
	data[len] = MODE_CACHING;
	data[len + 1] = 0x12;
	data[len + 2] = 4; /* writes are cached */
	len += 0x14;
	if (header == 4)
		data[0] = len - 1;
	else
		put_unaligned_be16(len - 2, data);
	return len;
}

bool vufs_scsi_describe(struct vufs *ufs, struct scsi_cmnd *cmd)
{
	const u8 *cdb = cmd->cmnd;
	u8 data[VUFS_ANSWER] = {};
	u32 allowed = 0;
	u32 len = 0;

	switch (cdb[0]) {
	case INQUIRY:
		allowed = get_unaligned_be16(cdb + 3);
		len = cdb[1] & 1 ? vufs_vpd(ufs, cdb[2], data) :
				   vufs_inquiry(data);
		break;
	case READ_CAPACITY:
		allowed = 8;
		len = vufs_capacity_10(ufs, data);
		break;
	case SERVICE_ACTION_IN_16:
		allowed = get_unaligned_be32(cdb + 10);
		if ((cdb[1] & 0x1f) == SAI_READ_CAPACITY_16)
			len = vufs_capacity_16(ufs, data);
		break;
	case MODE_SENSE:
		allowed = cdb[4];
		len = vufs_mode_sense(cdb, data, 4);
		break;
	case MODE_SENSE_10:
		allowed = get_unaligned_be16(cdb + 7);
		len = vufs_mode_sense(cdb, data, 8);
		break;
	case REPORT_LUNS:
		allowed = get_unaligned_be32(cdb + 6);
		len = vufs_luns(data);
		break;
	}
	if (len)
		vufs_scsi_answer(cmd, data, len, allowed);
	return len;
}
