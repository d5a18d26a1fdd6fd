// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: CID, CSD and EXT_CSD (JESD84-B51). Field positions of CID and CSD are
 * bit numbers of the 128-bit register, those of EXT_CSD byte numbers.
 */
#include <linux/bits.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "vemmc.h"
#include "../compat.h"

/* Fields without a name in linux/mmc/mmc.h. */
#define EXT_CSD_OPTIMAL_TRIM_UNIT_SIZE 264
#define EXT_CSD_OPTIMAL_WRITE_SIZE 265
#define EXT_CSD_OPTIMAL_READ_SIZE 266
#define EXT_CSD_CACHE_FLUSH_POLICY 240
#define EXT_CSD_DEVICE_VERSION 262
#define EXT_CSD_SUPPORTED_CMD_SET 504

/* First byte of the properties segment: read-only from here on. */
#define VEMMC_PROPERTIES EXT_CSD_REV

static void vemmc_set_bits(u32 *reg, u32 start, u32 size, u32 value)
{
	u32 i;

	for (i = 0; i < size; i++) {
		u32 bit = start + i;

		if (value & BIT(i))
			reg[3 - bit / 32] |= BIT(bit % 32);
	}
}

static void vemmc_cid_init(struct vemmc_card *card)
{
	const struct vemmc_config *cfg = card->cfg;
	u32 *cid = card->cid;
	u32 i;

	vemmc_set_bits(cid, 120, 8, cfg->manfid);
	vemmc_set_bits(cid, 112, 2, 1); /* CBX: BGA, discrete embedded */
	vemmc_set_bits(cid, 104, 8, cfg->oemid);
	for (i = 0; i < sizeof(cfg->name); i++)
		vemmc_set_bits(cid, 96 - 8 * i, 8, cfg->name[i]);
	vemmc_set_bits(cid, 48, 8, cfg->prv);
	vemmc_set_bits(cid, 16, 32, cfg->serial);
	vemmc_set_bits(cid, 12, 4, cfg->month);
	vemmc_set_bits(cid, 8, 4, cfg->year - 1997); /* modulo 16 */
	vemmc_set_bits(cid, 0, 1, 1); /* end bit; the CRC stays 0 */
}

/*
 * Linux takes the preferred erase size, and with it discard_granularity, from
 * the capacity that the legacy C_SIZE gives (mmc_init_erase()): below 128 MiB
 * 512 KiB, below 512 MiB 1 MiB, below 1 GiB 2 MiB, else 4 MiB. A card above
 * 2 GiB says 0xfff there, which with C_SIZE_MULT 7 is 1 GiB.
 */
static u32 vemmc_c_size(const struct vemmc_config *cfg)
{
	switch (cfg->pref_erase_kib) {
	case 512:
		return 64 * 4 - 1;
	case 1024:
		return 256 * 4 - 1;
	case 2048:
		return 768 * 4 - 1;
	default:
		return 0xfff;
	}
}

static void vemmc_csd_init(struct vemmc_card *card)
{
	u32 classes = CCC_BASIC | CCC_BLOCK_READ | CCC_BLOCK_WRITE;
	u32 *csd = card->csd;

	if (card->cfg->discard)
		classes |= CCC_ERASE;
	vemmc_set_bits(csd, 126, 2, CSD_STRUCT_EXT_CSD);
	vemmc_set_bits(csd, 122, 4, CSD_SPEC_VER_4);
	vemmc_set_bits(csd, 112, 8, 0x4f); /* TAAC 40 ms */
	vemmc_set_bits(csd, 104, 8, 0x01); /* NSAC 100 clocks */
	vemmc_set_bits(csd, 96, 8, 0x32); /* TRAN_SPEED 26 MHz */
	vemmc_set_bits(csd, 84, 12, classes);
	vemmc_set_bits(csd, 80, 4, 9); /* READ_BL_LEN 512 */
	vemmc_set_bits(csd, 62, 12, vemmc_c_size(card->cfg));
	vemmc_set_bits(csd, 47, 3, 7); /* C_SIZE_MULT */
	vemmc_set_bits(csd, 42, 5, 31); /* ERASE_GRP_SIZE, with the next */
	vemmc_set_bits(csd, 37, 5, 31); /* ERASE_GRP_MULT: 512 KiB */
	vemmc_set_bits(csd, 26, 3, 2); /* R2W_FACTOR */
	vemmc_set_bits(csd, 22, 4, 9); /* WRITE_BL_LEN 512 */
	vemmc_set_bits(csd, 0, 1, 1); /* end bit */
}

static void vemmc_ext_csd_init(struct vemmc_card *card)
{
	const struct vemmc_config *cfg = card->cfg;
	u32 sectors = card->user_pages * VEMMC_SECTORS_PER_PAGE;
	u8 *e = card->ext_csd;

	e[EXT_CSD_REV] = cfg->ext_csd_rev;
	e[EXT_CSD_STRUCTURE] = 2; /* CSD version 1.2 */
	e[EXT_CSD_SUPPORTED_CMD_SET] = EXT_CSD_CMD_SET_NORMAL;
	e[EXT_CSD_CARD_TYPE] = cfg->card_type;
	e[EXT_CSD_DRIVER_STRENGTH] = 1;
	put_unaligned_le32(sectors, &e[EXT_CSD_SEC_CNT]);
	e[EXT_CSD_S_A_TIMEOUT] = 17; /* 100 ns << 17: 13 ms */
	e[EXT_CSD_PART_SWITCH_TIME] = 10; /* 100 ms */
	e[EXT_CSD_OUT_OF_INTERRUPT_TIME] = 10;
	e[EXT_CSD_REL_WR_SEC_C] = 1;
	e[EXT_CSD_HC_WP_GRP_SIZE] = 1;
	e[EXT_CSD_HC_ERASE_GRP_SIZE] = cfg->erase_group_kib / 512;
	e[EXT_CSD_ERASE_TIMEOUT_MULT] = 1; /* 300 ms for a group */
	e[EXT_CSD_TRIM_MULT] = 1;
	e[EXT_CSD_ERASED_MEM_CONT] = cfg->erased_mem_cont;
	e[EXT_CSD_BOOT_MULT] = cfg->boot_kib / 128;
	e[EXT_CSD_RST_N_FUNCTION] = EXT_CSD_RST_N_ENABLED;
	e[EXT_CSD_WR_REL_PARAM] = EXT_CSD_WR_REL_PARAM_EN;
	if (cfg->discard)
		e[EXT_CSD_SEC_FEATURE_SUPPORT] = EXT_CSD_SEC_GB_CL_EN;
	if (cfg->ext_csd_rev >= 6) {
		e[EXT_CSD_GENERIC_CMD6_TIME] = 50; /* 500 ms */
		e[EXT_CSD_POWER_OFF_LONG_TIME] = 60; /* 600 ms */
		put_unaligned_le32(cfg->cache_kib * 8, &e[EXT_CSD_CACHE_SIZE]);
	}
	if (cfg->ext_csd_rev >= 7) {
		put_unaligned_be64(cfg->fwrev, &e[EXT_CSD_FIRMWARE_VERSION]);
		e[EXT_CSD_DEVICE_VERSION] = 1;
		/* The trim unit is 4 KiB << (n - 1); the others count 4 KiB. */
		e[EXT_CSD_OPTIMAL_TRIM_UNIT_SIZE] =
			ilog2(ftl_map_unit(&card->ftl)) + 1;
		e[EXT_CSD_OPTIMAL_WRITE_SIZE] = ftl_map_unit(&card->ftl);
		e[EXT_CSD_OPTIMAL_READ_SIZE] = 1;
	}
	if (cfg->ext_csd_rev >= 8)
		e[EXT_CSD_CACHE_FLUSH_POLICY] = 1; /* oldest first */
}

void vemmc_registers_init(struct vemmc_card *card)
{
	vemmc_cid_init(card);
	vemmc_csd_init(card);
	vemmc_ext_csd_init(card);
}

void vemmc_registers_reset(struct vemmc_card *card)
{
	u8 *e = card->ext_csd;

	e[EXT_CSD_CACHE_CTRL] = 0;
	e[EXT_CSD_POWER_OFF_NOTIFICATION] = 0;
	e[EXT_CSD_HPI_MGMT] = 0;
	e[EXT_CSD_ERASE_GROUP_DEF] = 0;
	e[EXT_CSD_PART_CONFIG] &= ~EXT_CSD_PART_CONFIG_ACC_MASK;
	e[EXT_CSD_BUS_WIDTH] = 0;
	e[EXT_CSD_HS_TIMING] = 0;
	e[EXT_CSD_POWER_CLASS] = 0;
}

void vemmc_registers_refresh(struct vemmc_card *card)
{
	u8 *e = card->ext_csd;

	if (card->cfg->ext_csd_rev < 7)
		return;
	e[EXT_CSD_PRE_EOL_INFO] = ftl_pre_eol_info(&card->ftl);
	e[EXT_CSD_DEVICE_LIFE_TIME_EST_TYP_A] = ftl_life_time_a(&card->ftl);
	e[EXT_CSD_DEVICE_LIFE_TIME_EST_TYP_B] = ftl_life_time_b(&card->ftl);
}

static u64 vemmc_flush(struct vemmc_card *card, u64 now)
{
	if (!vemmc_fault_flush(card))
		vemmc_medium_flush(&card->medium);
	return ftl_flush(&card->ftl, now);
}

static bool vemmc_cache_ctrl(struct vemmc_card *card, u8 value, u64 now,
			     u64 *ns)
{
	if (!card->cfg->cache_kib || card->cfg->ext_csd_rev < 6)
		return false;
	/* Turning the cache off flushes it. */
	if (card->medium.cache_on && !(value & 1))
		*ns += vemmc_flush(card, now);
	card->medium.cache_on = value & 1;
	return true;
}

bool vemmc_switch(struct vemmc_card *card, u32 arg, u64 now, u64 *ns)
{
	u32 access = arg >> 24 & 3;
	u32 index = arg >> 16 & 0xff;
	u8 value = arg >> 8;
	u8 old = card->ext_csd[index];

	if (access == MMC_SWITCH_MODE_CMD_SET)
		return true;
	if (index >= VEMMC_PROPERTIES)
		return false;
	if (access == MMC_SWITCH_MODE_SET_BITS)
		value |= old;
	else if (access == MMC_SWITCH_MODE_CLEAR_BITS)
		value = old & ~value;

	switch (index) {
	case EXT_CSD_FLUSH_CACHE: /* reads as 0 */
		if (value & 1)
			*ns += vemmc_flush(card, now);
		return true;
	case EXT_CSD_CACHE_CTRL:
		if (!vemmc_cache_ctrl(card, value, now, ns))
			return false;
		break;
	case EXT_CSD_PART_CONFIG:
		/* 0 is the user area, 1 and 2 the boot partitions. */
		if ((value & EXT_CSD_PART_CONFIG_ACC_MASK) >
		    (card->boot_pages ? 2 : 0))
			return false;
		break;
	case EXT_CSD_ERASE_GROUP_DEF:
	case EXT_CSD_BUS_WIDTH:
	case EXT_CSD_HS_TIMING:
	case EXT_CSD_POWER_CLASS:
	case EXT_CSD_POWER_OFF_NOTIFICATION:
	case EXT_CSD_BOOT_WP:
	case EXT_CSD_EXP_EVENTS_CTRL:
	case EXT_CSD_EXP_EVENTS_CTRL + 1:
		break;
	default: /* not supported, or one-time programmable */
		return false;
	}
	card->ext_csd[index] = value;
	return true;
}
