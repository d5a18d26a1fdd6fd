// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// C11's header has no C++ form before C++23; the names it would give are those of <atomic>.
#pragma once

#include <atomic>

using std::atomic_bool;
using std::atomic_compare_exchange_strong_explicit;
using std::atomic_compare_exchange_weak_explicit;
using std::atomic_exchange_explicit;
using std::atomic_fetch_add_explicit;
using std::atomic_fetch_and_explicit;
using std::atomic_fetch_or_explicit;
using std::atomic_fetch_sub_explicit;
using std::atomic_init;
using std::atomic_int;
using std::atomic_int_fast32_t;
using std::atomic_int_least32_t;
using std::atomic_load_explicit;
using std::atomic_store_explicit;
using std::atomic_thread_fence;
using std::atomic_uint;
using std::atomic_uint_fast32_t;
using std::atomic_uint_least32_t;
using std::atomic_uintptr_t;
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;
