-- Numbers of the change log that followers have seen must never be given again. After a failover to a
-- standby that lacked the last of them, or after a restore, they would be: the log has gone back. So
-- change_clock remembers the history of the server that gave its last number, and another history goes on
-- far above all numbers that can have been lost (docs/decisions/0027-log-history.md).
alter table change_clock
  add column history text,
  -- Whether a standby had to confirm the last number, and so has everything that anyone saw.
  add column replicated boolean not null default false,
  -- Who has followed the log to a lower number may have seen something that was lost since.
  add column unbroken_after bigint not null default 0;

-- Where the log goes on without a loss: who has followed it to `after` goes on with `first`.
create table change_continuation (
  after bigint primary key,
  first bigint not null
);

-- Which history of which server this is: every promotion and every restore to a moment begins another
-- timeline. Hosted servers that do not tell are believed never to lose anything.
create function server_history() returns text language plpgsql as $$
begin
  if pg_is_in_recovery() then
    raise read_only_sql_transaction using message = 'this server is a standby';
  end if;
  return (select system_identifier from pg_control_system()) || '/' ||
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
exception
  when insufficient_privilege or feature_not_supported or undefined_function then
    return 'unknown';
end $$;

-- Called before anything is numbered. A merchant's events skip numbers only where some may be lost.
create function follow_history() returns void language plpgsql as $$
declare
  present text := server_history();
  synchronous boolean := current_setting('synchronous_standby_names') <> '';
  clock change_clock;
  above bigint;
begin
  if exists (select from change_clock where history = present and replicated = synchronous) then
    return;
  end if;
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  select * into clock from change_clock for update;
  above := clock.last;
  if clock.history is distinct from present then
    above := clock.last + 100000000;
    if clock.replicated then
      -- Nothing was numbered since an earlier failover: what went on here goes on later.
      update change_continuation set first = above + 1 where first = clock.last + 1;
      insert into change_continuation (after, first) values (clock.last, above + 1);
    else
      update change_clock set unbroken_after = above;
      update event_clock set last = last + 1000000;
    end if;
    perform pg_notify('pavilion_change', above::text);
  end if;
  update change_clock set last = above, history = present, replicated = synchronous;
end $$;

update change_clock set history = server_history();
