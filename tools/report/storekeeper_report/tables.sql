-- SPDX-License-Identifier: Apache-2.0
-- Copyright (C) 2026 The Storekeeper Project
--
-- What `storekeeper-report --sqlite` writes. Times are seconds since the epoch (wall_s), units stand
-- in the names, what is not known is NULL. The views are for use, README.md describes them; the
-- tables have the rows of the dumps as docs/dump.schema.json describes them.

CREATE TABLE chip (
  chip_id INTEGER PRIMARY KEY,
  chip TEXT,              -- hash of its identity, NULL when it is not reported
  model TEXT, firmware TEXT, kind TEXT, device TEXT, build TEXT,
  made_wall_s INTEGER,    -- of the newest dump
  level TEXT, used_from_pct INTEGER, used_to_pct INTEGER,
  written_bytes INTEGER, bytes_per_day INTEGER,
  earliest_wall_s INTEGER, latest_wall_s INTEGER);
CREATE TABLE wear (
  chip_id INTEGER REFERENCES chip, wall_s INTEGER,
  life_time_a INTEGER, life_time_b INTEGER, pre_eol_info INTEGER, written_bytes INTEGER);
CREATE TABLE alert (
  chip_id INTEGER REFERENCES chip, code TEXT, level TEXT, since_wall_s INTEGER, text TEXT);
CREATE TABLE latency (
  chip_id INTEGER REFERENCES chip, wall_s INTEGER, span_s INTEGER, source TEXT, kind TEXT,
  count INTEGER, mean_us REAL, p50_us REAL, p90_us REAL, p99_us REAL, p999_us REAL);
CREATE TABLE uid_write (
  chip_id INTEGER REFERENCES chip, uid INTEGER, name TEXT, bytes_per_day INTEGER,
  device_bytes_per_day INTEGER, fsyncs_per_day INTEGER, life_pct_per_year REAL);
CREATE TABLE run (
  run_id INTEGER PRIMARY KEY, chip_id INTEGER REFERENCES chip, started_wall_s INTEGER,
  duration_ms INTEGER, manual INTEGER, complete INTEGER, outcome TEXT, reason TEXT);
CREATE TABLE run_mount (
  run_id INTEGER REFERENCES run, mount TEXT, outcome TEXT, reason TEXT, duration_ms INTEGER,
  filesystem_bytes INTEGER, block_layer_bytes INTEGER, discard_us INTEGER);
CREATE TABLE filesystem (
  chip_id INTEGER REFERENCES chip, mount TEXT, type TEXT, source TEXT, options TEXT,
  size_bytes INTEGER, free_bytes INTEGER, layer TEXT);

CREATE VIEW life AS
  SELECT chip_id, chip, model, firmware, device, level,
         100 - used_from_pct AS remaining_pct, used_from_pct, used_to_pct,
         round(bytes_per_day / 1e9, 3) AS gb_per_day,
         date(earliest_wall_s, 'unixepoch') AS earliest_end,
         date(latest_wall_s, 'unixepoch') AS latest_end
  FROM chip;

-- JESD84-B51 DEVICE_LIFE_TIME_EST: 1 to 11; 0 and the rest say nothing.
CREATE VIEW wear_over_time AS
  SELECT chip_id, datetime(wall_s, 'unixepoch') AS at,
         CASE WHEN life_time_a BETWEEN 1 AND 11 THEN (life_time_a - 1) * 10 END AS used_a_pct,
         CASE WHEN life_time_b BETWEEN 1 AND 11 THEN (life_time_b - 1) * 10 END AS used_b_pct,
         round(written_bytes / 1e9, 3) AS written_gb
  FROM wear;

-- Each difference counts for the month in which it was seen.
CREATE VIEW written_by_month AS
  SELECT chip_id, strftime('%Y-%m', wall_s, 'unixepoch') AS month,
         round(sum(more_bytes) / 1e9, 3) AS written_gb
  FROM (SELECT chip_id, wall_s, written_bytes - lag(written_bytes) OVER (
               PARTITION BY chip_id ORDER BY wall_s) AS more_bytes FROM wear)
  WHERE more_bytes >= 0 GROUP BY chip_id, month;

CREATE VIEW latency_by_month AS
  SELECT chip_id, strftime('%Y-%m', wall_s, 'unixepoch') AS month, source, kind,
         sum(count) AS requests, round(sum(mean_us * count) / sum(count) / 1e3, 3) AS mean_ms,
         round(max(p99_us) / 1e3, 3) AS worst_p99_ms
  FROM latency WHERE count > 0 GROUP BY chip_id, month, source, kind;

-- Shares of what reached the flash; of what a uid wrote itself where a dump has nothing else.
CREATE VIEW writers AS
  SELECT chip_id, uid, uid / 100000 AS user, name, round(bytes_per_day / 1e9, 3) AS gb_per_day,
         round(device_bytes_per_day / 1e9, 3) AS flash_gb_per_day, fsyncs_per_day,
         life_pct_per_year,
         round(100.0 * flash_bytes / sum(flash_bytes) OVER (PARTITION BY chip_id), 1) AS share_pct
  FROM (SELECT *, coalesce(device_bytes_per_day, bytes_per_day) AS flash_bytes FROM uid_write);

CREATE VIEW runs AS
  SELECT run.run_id, chip_id, datetime(started_wall_s, 'unixepoch') AS started, run.outcome,
         run.reason, manual, complete, round(run.duration_ms / 1e3, 3) AS seconds,
         round(sum(block_layer_bytes) / 1e9, 3) AS discarded_gb,
         max(discard_us) / 1e3 AS discard_ms
  FROM run LEFT JOIN run_mount USING (run_id) GROUP BY run.run_id;

CREATE VIEW free_space AS
  SELECT chip_id, mount, type, round(size_bytes / 1e9, 3) AS size_gb,
         round(free_bytes / 1e9, 3) AS free_gb,
         round(100.0 * free_bytes / nullif(size_bytes, 0), 1) AS free_pct
  FROM filesystem;
