-- What became of the last backups by `pavilion backup`, for metrics and `doctor`: a backup that has
-- failed for weeks is noticed before it is needed. The row is written after the backup, which does not
-- have it. One row; none before the first backup.
create table backup_status (
  only_row boolean primary key default true,
  succeeded_on timestamptz,
  failed_on timestamptz,
  -- Since the last one that succeeded.
  failures integer not null default 0,
  -- Why the last one failed.
  problem text,
  constraint backup_status_has_one_row check (only_row),
  constraint failures_are_counted check (failures >= 0)
);
