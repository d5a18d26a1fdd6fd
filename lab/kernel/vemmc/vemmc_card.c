// SPDX-License-Identifier: GPL-2.0
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * vemmc: the card's command set (JESD84-B51 6.10), without its data paths.
 */
#include <linux/minmax.h>
#include <linux/scatterlist.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "vemmc.h"

/* OCR: powered up, sector addressing, 2.7-3.6 V and 1.70-1.95 V. */
#define VEMMC_OCR 0xc0ff8080u

/* CURRENT_STATE, the one linux/mmc/mmc.h does not name. */
#define VEMMC_STATE_SLEEP 10

/* CMD23 argument. */
#define VEMMC_CMD23_RELIABLE BIT(31)
#define VEMMC_CMD23_COUNT GENMASK(15, 0)

int vemmc_card_init(struct vemmc_card *card, const struct vemmc_config *cfg)
{
	struct ftl_params params = ftl_config_params(&cfg->flash, cfg->model);
	int err;

	mutex_init(&card->lock);
	card->cfg = cfg;
	card->user_pages = params.pages;
	card->boot_pages = cfg->boot_kib * 1024 / FTL_PAGE_SIZE;
	if (!ftl_init(&card->ftl, &params))
		return -ENOMEM;
	err = vemmc_medium_init(&card->medium,
				card->user_pages + 2 * card->boot_pages,
				cfg->cache_kib * 1024 / FTL_PAGE_SIZE);
	if (err) {
		ftl_destroy(&card->ftl);
		return err;
	}
	vemmc_registers_init(card);
	return 0;
}

void vemmc_card_destroy(struct vemmc_card *card)
{
	vemmc_faults_destroy(card);
	vemmc_medium_destroy(&card->medium);
	ftl_destroy(&card->ftl);
}

/* The cache is written back: only a power cut makes the card forget. */
void vemmc_card_reset(struct vemmc_card *card)
{
	vemmc_medium_flush(&card->medium);
	card->medium.cache_on = false;
	vemmc_registers_reset(card);
	card->status = 0;
	card->state = R1_STATE_IDLE;
	card->rca = 1;
	card->block_count = 0;
	card->reliable = false;
	card->erase_start_set = false;
	card->erase_end_set = false;
}

void vemmc_card_power_up(struct vemmc_card *card)
{
	mutex_lock(&card->lock);
	if (card->dead)
		ftl_power_loss(&card->ftl, card->ftl.busy_until);
	card->dead = card->faults.died;
	vemmc_card_reset(card);
	if (card->faults.armed)
		vemmc_fault_power_up(card);
	mutex_unlock(&card->lock);
}

void vemmc_card_power_cut(struct vemmc_card *card, bool keep_some)
{
	mutex_lock(&card->lock);
	if (!card->dead) {
		card->dead = true;
		card->count.power_cuts++;
		card->count.lost_pages +=
			vemmc_medium_power_cut(&card->medium, keep_some);
	}
	mutex_unlock(&card->lock);
}

/* R1: errors since the last R1, the state, READY_FOR_DATA. */
static void vemmc_r1(struct vemmc_card *card, struct mmc_command *cmd)
{
	cmd->resp[0] = card->status | card->state << 9 | R1_READY_FOR_DATA;
	card->status = 0;
}

/* No answer; the next R1 says so. */
static void vemmc_illegal(struct vemmc_card *card, struct mmc_command *cmd)
{
	card->status |= R1_ILLEGAL_COMMAND;
	cmd->error = -ETIMEDOUT;
}

static void vemmc_send_ext_csd(struct vemmc_card *card, struct mmc_data *data)
{
	size_t want = min_t(size_t, data->blksz * data->blocks,
			    VEMMC_EXT_CSD_SIZE);

	vemmc_registers_refresh(card);
	data->bytes_xfered = sg_copy_from_buffer(data->sg, data->sg_len,
						 card->ext_csd, want);
}

/* Identification, before the card is in the transfer state. */
static bool vemmc_identify(struct vemmc_card *card, struct mmc_command *cmd)
{
	switch (cmd->opcode) {
	case MMC_GO_IDLE_STATE:
		vemmc_card_reset(card);
		return true;
	case MMC_SEND_OP_COND:
		cmd->resp[0] = VEMMC_OCR;
		card->state = R1_STATE_READY;
		return true;
	case MMC_ALL_SEND_CID:
		memcpy(cmd->resp, card->cid, sizeof(card->cid));
		card->state = R1_STATE_IDENT;
		return true;
	case MMC_SET_RELATIVE_ADDR:
		vemmc_r1(card, cmd);
		card->rca = cmd->arg >> 16;
		card->state = R1_STATE_STBY;
		return true;
	case MMC_SEND_CSD:
		memcpy(cmd->resp, card->csd, sizeof(card->csd));
		return true;
	case MMC_SEND_CID:
		memcpy(cmd->resp, card->cid, sizeof(card->cid));
		return true;
	case MMC_SELECT_CARD:
		if (cmd->arg >> 16 != card->rca) {
			card->state = R1_STATE_STBY;
			if (cmd->flags & MMC_RSP_PRESENT)
				cmd->error = -ETIMEDOUT;
			return true;
		}
		vemmc_r1(card, cmd);
		card->state = R1_STATE_TRAN;
		return true;
	case MMC_SLEEP_AWAKE:
		if (cmd->arg >> 16 != card->rca)
			return false; /* the SDIO probe has this number, too */
		vemmc_r1(card, cmd);
		card->state = cmd->arg & BIT(15) ? VEMMC_STATE_SLEEP :
						   R1_STATE_STBY;
		return true;
	default:
		return false;
	}
}

static u64 vemmc_block_io(struct vemmc_card *card, struct mmc_command *cmd,
			  u64 now)
{
	u64 ns;

	if (!cmd->data) {
		vemmc_illegal(card, cmd);
		return 0;
	}
	ns = vemmc_transfer(card, cmd, now);
	card->block_count = 0;
	card->reliable = false;
	vemmc_r1(card, cmd);
	return ns;
}

static u64 vemmc_erase_command(struct vemmc_card *card, struct mmc_command *cmd,
			       u64 now)
{
	u64 ns = 0;

	if (!card->cfg->discard) {
		vemmc_illegal(card, cmd);
		return 0;
	}
	switch (cmd->opcode) {
	case MMC_ERASE_GROUP_START:
		card->erase_start = cmd->arg;
		card->erase_start_set = true;
		card->erase_end_set = false;
		break;
	case MMC_ERASE_GROUP_END:
		card->erase_end = cmd->arg;
		card->erase_end_set = true;
		break;
	default:
		if (cmd->arg == MMC_ERASE_ARG || cmd->arg == MMC_TRIM_ARG ||
		    (cmd->arg == MMC_DISCARD_ARG &&
		     card->cfg->ext_csd_rev >= 6))
			ns = vemmc_erase(card, cmd->arg, now);
		else
			card->status |= R1_ERASE_PARAM;
	}
	vemmc_r1(card, cmd);
	return ns;
}

static u64 vemmc_command(struct vemmc_card *card, struct mmc_command *cmd,
			 u64 now)
{
	u64 ns = 0;

	if (vemmc_identify(card, cmd))
		return 0;
	if (card->state != R1_STATE_TRAN && cmd->opcode != MMC_SEND_STATUS) {
		vemmc_illegal(card, cmd);
		return 0;
	}
	switch (cmd->opcode) {
	case MMC_SEND_STATUS:
		if (cmd->arg >> 16 == card->rca)
			vemmc_r1(card, cmd);
		else
			cmd->error = -ETIMEDOUT;
		break;
	case MMC_SWITCH:
		vemmc_r1(card, cmd);
		if (!vemmc_switch(card, cmd->arg, now, &ns))
			card->status |= R1_SWITCH_ERROR;
		break;
	case MMC_SEND_EXT_CSD:
		/* CMD8 without data is SD's SEND_IF_COND. */
		if (!cmd->data) {
			vemmc_illegal(card, cmd);
			break;
		}
		vemmc_r1(card, cmd);
		vemmc_send_ext_csd(card, cmd->data);
		break;
	case MMC_STOP_TRANSMISSION:
		vemmc_r1(card, cmd);
		break;
	case MMC_SET_BLOCKLEN:
		if (cmd->arg != VEMMC_SECTOR)
			card->status |= R1_BLOCK_LEN_ERROR;
		vemmc_r1(card, cmd);
		break;
	case MMC_SET_BLOCK_COUNT:
		card->block_count = cmd->arg & VEMMC_CMD23_COUNT;
		card->reliable = cmd->arg & VEMMC_CMD23_RELIABLE;
		vemmc_r1(card, cmd);
		break;
	case MMC_READ_SINGLE_BLOCK:
	case MMC_READ_MULTIPLE_BLOCK:
	case MMC_WRITE_BLOCK:
	case MMC_WRITE_MULTIPLE_BLOCK:
		return vemmc_block_io(card, cmd, now);
	case MMC_ERASE_GROUP_START:
	case MMC_ERASE_GROUP_END:
	case MMC_ERASE:
		return vemmc_erase_command(card, cmd, now);
	default:
		vemmc_illegal(card, cmd);
	}
	return ns;
}

u64 vemmc_card_request(struct vemmc_card *card, struct mmc_request *mrq,
		       u64 now)
{
	u64 ns = (u64)card->cfg->t_ctl_us * NSEC_PER_USEC;

	mutex_lock(&card->lock);
	if (card->dead) {
		mrq->cmd->error = -ETIMEDOUT;
		goto out;
	}
	if (mrq->sbc) {
		ns += vemmc_command(card, mrq->sbc, now + ns);
		if (mrq->sbc->error)
			goto out;
	}
	ns += vemmc_command(card, mrq->cmd, now + ns);
	if (mrq->stop && !mrq->cmd->error &&
	    (!mrq->sbc || (mrq->data && mrq->data->error)))
		ns += vemmc_command(card, mrq->stop, now + ns);
	if (card->faults.armed)
		ns += vemmc_fault_stall(card, mrq->cmd->opcode);
	card->count.max_service_ns = max(card->count.max_service_ns, ns);
out:
	mutex_unlock(&card->lock);
	return ns;
}
