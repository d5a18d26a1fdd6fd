# SPDX-License-Identifier: Apache-2.0
# Copyright (C) 2026 The Storekeeper Project
"""The tables of the page in DuckDB's SQL by hand, to compare the cost of the expressions with.

Ibis prints a chain of sub-queries; here are the joins and filters that a person would write. The
one pass over all samples is nearly all of it.
"""

from __future__ import annotations

from storekeeper_fleet.base import DAY, QUARTER_DAYS, Window

SPANS = """
CREATE TABLE spans AS SELECT chip, config, since_wall_s, wear, count(*) AS n,
  min(wall_s) AS first_s, max(wall_s) AS last_s, min(written_bytes) AS w_min,
  max(written_bytes) AS w_max,
  min(written_bytes) FILTER (wall_s >= {quarter}) AS q_w, min(wall_s) FILTER (wall_s >= {quarter})
    AS q_s,
  sum(bytes_per_day) FILTER (wall_s >= {quarter})::BIGINT AS rate_sum,
  count(bytes_per_day) FILTER (wall_s >= {quarter}) AS rate_n,
  sum(read_p99_us)::BIGINT AS read_sum, count(read_p99_us) AS read_n,
  sum(write_p99_us)::BIGINT AS write_sum, count(write_p99_us) AS write_n,
  count(*) FILTER (trim_age_s <= 604800) AS trimmed, max(pre_eol_info) AS pre_eol
FROM samples WHERE wall_s >= {begin} AND wall_s < {end} GROUP BY ALL;
"""
DEVICES = """
CREATE TABLE devices AS WITH d AS (
  SELECT chip, arg_max(config, last_s) AS config, max(config) <> min(config) AS updated,
    sum(n)::BIGINT AS n, min(first_s) AS first_s, max(last_s) AS last_s,
    min(since_wall_s) AS since_s, max(since_wall_s) <> min(since_wall_s) AS reset,
    min(wear) FILTER (wear > 0) AS wear_first, max(wear) AS wear_last,
    min(w_min) AS w_min, max(w_max) AS w_max, min(q_w) AS q_w, min(q_s) AS q_s,
    sum(rate_sum) AS rate_sum, sum(rate_n) AS rate_n, sum(read_sum) AS read_sum,
    sum(read_n) AS read_n, sum(write_sum) AS write_sum, sum(write_n) AS write_n,
    sum(trimmed) AS trimmed FROM spans GROUP BY chip),
steps AS (
  SELECT chip, wear, wear_last, min(s.first_s) AS first_s, min(s.w_min) AS w_min,
    max(s.w_max) AS w_max FROM spans s JOIN d USING (chip)
  WHERE wear > 0 AND wear_last > wear_first AND NOT reset GROUP BY ALL),
stays AS (
  SELECT *, lag(wear) OVER w AS before, lag(w_max) OVER w AS before_w, lead(wear) OVER w AS after,
    lead(w_min) OVER w AS after_w FROM steps WINDOW w AS (PARTITION BY chip ORDER BY wear)),
ends AS (
  SELECT chip, max(wear - before) FILTER (wear = wear_last) AS jump,
    max(first_s) FILTER (wear = wear_last) AS level_first_s,
    max(w_min) FILTER (wear = wear_last) AS level_w,
    max(w_min - before_w) FILTER (wear = wear_last) AS late_w,
    max(wear) FILTER (before = wear - 1 AND after = wear + 1) AS whole,
    arg_max(after_w - w_min + w_max - before_w, wear)
      FILTER (before = wear - 1 AND after = wear + 1) / 2e9 AS whole_gb
  FROM stays GROUP BY chip)
SELECT d.*, (last_s - first_s) // 86400 AS days, wear_last - wear_first AS steps,
  (w_max - w_min) / 1e9 AS gb, level_first_s, (w_max - level_w) / 1e6 AS level_mb,
  jump, late_w, whole, whole_gb,
  (w_max - q_w) / 1e6 * 86400 / nullif(last_s - q_s, 0) AS mb_per_day,
  last_s >= {end} - 91 * 86400 AS present,
  device_model, build, chip_maker, chip_model, chip_firmware
FROM d LEFT JOIN ends USING (chip) JOIN configs USING (config);
"""
STEP = """
CREATE TABLE step AS SELECT chip_maker, chip_model, chip_firmware, count(*) AS devices,
  sum(days) AS days, count(whole_gb) AS steps, avg(whole_gb) * 1000 AS step_mb
FROM devices WHERE NOT reset GROUP BY ALL;
"""
_GROUPS = ("chip_model", "chip_firmware", "device_model", "build")
_BY = " UNION ALL ".join
TABLES = (
    "SELECT count(*), sum(days), sum(present::INT) FROM devices",
    "SELECT chip_firmware, gb::INT, count(*), sum(days), sum(steps) FROM devices GROUP BY ALL",
    "SELECT chip_firmware, whole_gb::INT, count(*) FROM devices GROUP BY ALL",
    "SELECT chip_firmware, whole, (level_first_s - since_s) // 31558464 AS years, count(*), "
    "sum(whole_gb), sum(whole_gb * whole_gb) FROM devices WHERE whole > 0 GROUP BY ALL",
    "SELECT chip_firmware, floor(((11 - wear_last) * step_mb - level_mb) / mb_per_day / 7) AS low,"
    " count(*) FROM devices JOIN step USING (chip_maker, chip_model, chip_firmware) WHERE present "
    "AND wear_last < 11 AND mb_per_day > 0 GROUP BY ALL",
    "SELECT chip, config, since_wall_s, wall_s, written_bytes FROM samples WHERE chip < "
    "-9223372036854775808 + 368934881474191032 ORDER BY ALL",
    "SELECT wear_last, count(*) FROM devices WHERE NOT present GROUP BY ALL",
    "SELECT wear, sum((least(last_s, {end} - 91 * 86400) - first_s) // 86400) FROM spans WHERE "
    "first_s < {end} - 91 * 86400 GROUP BY ALL",
    _BY(f"SELECT '{x}', {x}, count(*), sum(devices.days), sum(mb_per_day), sum(mb_per_day * 3650 / "
        "step_mb) FROM devices JOIN step USING (chip_maker, chip_model, chip_firmware) GROUP BY ALL"
        for x in _GROUPS),
    _BY(f"SELECT '{x}', {x}, floor(mb_per_day * 3650 / step_mb) AS p, count(*) FROM devices JOIN "
        "step USING (chip_maker, chip_model, chip_firmware) GROUP BY ALL" for x in _GROUPS),
    _BY(f"SELECT '{x}', {x}, (first_s - since_s) // 2419200 AS e, (last_s - since_s) // 2419200 "
        "AS l, CASE WHEN wear_last = 11 THEN (level_first_s - since_s) // 2419200 ELSE -1 END AS u,"
        " count(*) FROM devices GROUP BY ALL" for x in _GROUPS),
    "WITH t AS (FROM devices JOIN step USING (chip_maker, chip_model, chip_firmware) WHERE present "
    "AND wear_last < 11 ORDER BY ((11 - wear_last) * step_mb - level_mb) / mb_per_day LIMIT 50) "
    "SELECT t.chip, writer1_uid, closed_gates FROM t JOIN samples s ON t.chip = s.chip AND "
    "t.last_s = s.wall_s",
    "WITH w AS (SELECT chip, unnest([writer1_uid, writer2_uid, writer3_uid]) AS uid, unnest(["
    "writer1_bytes_per_day, writer2_bytes_per_day, writer3_bytes_per_day]) AS b FROM samples WHERE "
    "wall_s >= {end} - 604800 AND wall_s < {end}) SELECT uid, count(DISTINCT chip), sum(b) FROM w "
    "GROUP BY ALL",
    "WITH p AS (SELECT chip, device_model, build, min(first_s) AS f, sum(last_s - first_s) AS d, "
    "sum(w_max - w_min) AS w, sum(read_sum) AS r, sum(write_sum) AS q, sum(trimmed) AS t FROM spans"
    " JOIN configs USING (config) WHERE chip IN (SELECT chip FROM devices WHERE updated) GROUP BY "
    "ALL), o AS (SELECT *, lag(build) OVER x AS before, lag(w) OVER x AS w0, lag(d) OVER x AS d0, "
    "lag(r) OVER x AS r0, lag(q) OVER x AS q0, lag(t) OVER x AS t0 FROM p WINDOW x AS (PARTITION BY"
    " chip ORDER BY f)) SELECT device_model, before, build, count(*), sum(w0), sum(w), sum(d0), "
    "sum(d), sum(r0), sum(r), sum(q0), sum(q), sum(t0), sum(t) FROM o WHERE before IS NOT NULL "
    "GROUP BY ALL",
    _BY(f"SELECT {x}, count(DISTINCT chip), sum(trimmed), sum(n) FROM spans JOIN configs USING "
        "(config) GROUP BY ALL" for x in ("device_model", "build")),
    "SELECT g, count(DISTINCT chip) FROM (SELECT chip, unnest(split(closed_gates, ',')) AS g FROM "
    "samples WHERE wall_s >= {end} - 604800 AND wall_s < {end} AND (trim_age_s IS NULL OR "
    "trim_age_s > 604800)) GROUP BY ALL",
)


def statements(w: Window) -> list[str]:
    """In their order; those that make tables first."""
    return [x.format(begin=w.begin_s, end=w.end_s, quarter=w.end_s - QUARTER_DAYS * DAY)
            for x in (SPANS, DEVICES, STEP, *TABLES)]
