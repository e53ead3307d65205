-- Searches that merchants save, and the alerts that tell them of stones which start to match.
-- See docs/saved-searches.md and docs/decisions/0015-alerts.md.

create table saved_search (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  name text not null,
  kind text not null check (kind in ('diamond', 'gemstone')),
  -- As the body of a search has them.
  filters jsonb not null,
  -- In the merchant's currency; null: no limit.
  max_retail_price numeric(12, 2) check (max_retail_price > 0),
  alert text not null check (alert in ('off', 'instant', 'daily')),
  -- What `alert_matcher.version` was after the last change of its filters or its alert.
  version bigint not null default 0,
  -- Whether the stones that matched when it was saved are recorded; otherwise the matcher does it.
  known boolean not null default false,
  created_on timestamptz not null default market_now(),
  updated_on timestamptz not null default market_now()
);
-- Serves the merchant's list, and the count that limits it.
create index saved_search_list on saved_search (merchant_uuid, created_on, uuid);
-- Serves the matcher, which reads the searches with alerts.
create index saved_search_alerts on saved_search (uuid) where alert <> 'off';

-- The stones that a search has been compared with and that matched, so that each is announced once:
-- those that it found when it was saved, and those that were found since.
create table saved_search_stones (
  search_uuid uuid not null references saved_search on delete cascade,
  number bigint generated always as identity,
  -- The ids of stones, ascending, each as its difference from the one before; see known-stones.ts.
  stones bytea not null,
  -- The greatest of them: stones of a new import are beyond it, and need not be looked up.
  last_id bigint not null,
  -- When the event about them is due; null when it was recorded, or when none is meant to be.
  due_on timestamptz,
  primary key (search_uuid, number)
);
-- Serves the search for events that are due.
create index saved_search_stones_due on saved_search_stones (due_on, search_uuid)
  where due_on is not null;

-- How far the change log has been compared with the saved searches, and which node does it. A
-- transaction that changes a search with alerts locks this row, so that no change of a stone is
-- missed in between.
create table alert_matcher (
  only_row boolean primary key default true check (only_row),
  -- The number of the change log up to which it is done.
  place bigint not null,
  -- Counts the changes of searches with alerts.
  version bigint not null default 0,
  -- One node at a time does it, until its lease ends. The term counts how often it was another one.
  holder uuid,
  held_until timestamptz,
  term bigint not null default 0
);
insert into alert_matcher (place) select last from change_clock;
