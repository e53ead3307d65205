-- Feed sources: where the files of suppliers are fetched from, and what happened each time. Events of
-- the operator, who hears of a source that fails.

create table feed_source (
  uuid uuid primary key,
  supplier_id integer not null references supplier,
  -- As it is shown: without a password, and with parameters that look like secrets left out.
  url text not null check (length(url) <= 2000),
  every_seconds integer not null check (every_seconds >= 60),
  mode text not null check (mode in ('update', 'replace')),
  username text,
  -- Encrypted, and opened only to fetch. secret_query is the whole query of an address whose
  -- parameters are left out of url.
  password text,
  private_key text,
  secret_query text,
  -- The SHA-256 fingerprint that the server must have, as ssh-keygen prints it.
  host_key text,
  -- Options of the import.
  sheet text,
  mapping jsonb,
  -- What the last imported file was, for noticing that it has not changed.
  seen jsonb,
  -- Failures since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  paused_on timestamptz,
  due_on timestamptz not null default market_clock(),
  -- The run that holds the source. It renews lease_until while it is alive; when that is over,
  -- any node may take the source.
  run_uuid uuid,
  lease_until timestamptz,
  created_on timestamptz not null default market_now(),
  updated_on timestamptz not null default market_now(),
  constraint lease_has_a_run check ((run_uuid is null) = (lease_until is null)),
  constraint failing_has_a_start check ((failures = 0) = (failing_since is null))
);
-- Serves the search for sources that are due.
create index feed_source_due on feed_source (due_on) where paused_on is null;
-- Serves the sources of a supplier.
create index feed_source_of_supplier on feed_source (supplier_id);

create table feed_source_run (
  uuid uuid primary key,
  source_uuid uuid not null references feed_source on delete cascade,
  started_by text not null check (started_by in ('schedule', 'operator')),
  -- Null while it runs.
  outcome text check (outcome in ('done', 'unchanged', 'failed')),
  file_name text,
  bytes bigint,
  -- The import that it made; its counts are there.
  import_uuid uuid references import on delete set null,
  -- Why it failed: a code for programs, and a sentence.
  code text,
  failure text,
  started_on timestamptz not null default market_clock(),
  finished_on timestamptz,
  constraint finished_has_an_outcome check ((outcome is null) = (finished_on is null)),
  constraint failure_has_a_reason check ((outcome is not distinct from 'failed') = (failure is not null))
);
-- Serves the runs of a source, newest first, and the removal of old ones.
create index feed_source_run_history on feed_source_run (source_uuid, started_on desc, uuid);

-- An event of the operator belongs to no merchant and has no number of a merchant.
alter table event
  alter column merchant_uuid drop not null,
  alter column sequence drop not null,
  add constraint merchant_counts check ((merchant_uuid is null) = (sequence is null)),
  -- The number of the event among all events of the market. It is given after the commit
  -- (see src/events/operator-events.ts), so that merchants do not wait for each other.
  add column market_sequence bigint;
-- Counts them. Its row is locked while events are numbered.
create table market_event_clock (
  only_row boolean primary key default true check (only_row),
  last bigint not null
);
update event set market_sequence = numbered.place
from (select uuid, row_number() over (order by created_on, uuid) as place from event) as numbered
where numbered.uuid = event.uuid;
insert into market_event_clock (last) select count(*) from event;
-- Serves the operator's list of events.
create unique index event_market_sequence on event (market_sequence) where market_sequence is not null;
-- Serves the search for events without a number.
create index event_not_numbered on event (created_on, uuid) where market_sequence is null;
-- Serves the operator's list of the events of one type.
create index event_of_type on event (event_type, market_sequence) where market_sequence is not null;
