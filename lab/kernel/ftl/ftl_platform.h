/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * Copyright (C) 2026 The Storekeeper Project
 *
 * The platform of the flash translation layer: fixed-width types, zeroed memory
 * and a 64-bit division. The kernel module, the unit tests and the simulator
 * differ in nothing else.
 */
#ifndef STOREKEEPER_FTL_PLATFORM_H
#define STOREKEEPER_FTL_PLATFORM_H

#ifdef __KERNEL__

#include <linux/math64.h>
#include <linux/types.h>
#include <linux/vmalloc.h>

static inline void *ftl_zalloc(size_t count, size_t size)
{
	return vcalloc(count, size);
}

static inline void ftl_free(const void *p)
{
	vfree(p);
}

static inline u64 ftl_div(u64 dividend, u64 divisor)
{
	return div64_u64(dividend, divisor);
}

#else

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

static inline void *ftl_zalloc(size_t count, size_t size)
{
	return calloc(count, size);
}

static inline void ftl_free(void *p)
{
	free(p);
}

static inline u64 ftl_div(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

#endif

#endif /* STOREKEEPER_FTL_PLATFORM_H */
