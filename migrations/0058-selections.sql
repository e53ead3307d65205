-- Stones that merchants choose: to show to a customer, and to watch. See docs/guides/shares.md and
-- docs/guides/watch-list.md.

-- Pages that show stones to a customer at the merchant's retail prices, until they end.
create table share (
  uuid uuid primary key,
  -- The SHA-256 of the code in the link; the code itself is shown once and not stored.
  hash bytea not null unique,
  merchant_uuid uuid not null references merchant,
  skus text[] not null constraint shares_have_stones check (cardinality(skus) between 1 and 20),
  -- What the merchant says to the customer, above the stones.
  title text,
  note text,
  -- The person or the key that made it, as the audit names them.
  created_by text not null,
  created_on timestamptz not null default market_now(),
  expires_on timestamptz not null,
  revoked_on timestamptz
);
-- Serves the merchant's list, newest first, and the count that limits it.
create index share_list on share (merchant_uuid, created_on, uuid);
-- Serves the removal of shares that ended long ago.
create index share_end on share (least(revoked_on, expires_on));

-- Stones that a merchant watches.
create table watched_stone (
  merchant_uuid uuid not null references merchant,
  sku text not null,
  -- What the stone cost in the merchant's price list when it was marked, in US dollars.
  wholesale_price numeric(12, 2) not null,
  -- What the merchant was last told, so that each change is told once.
  told_status text not null check (told_status in ('available', 'held', 'sold', 'withdrawn')),
  told_price numeric(12, 2) not null,
  -- When it was last on sale again after it was sold or withdrawn.
  back_on timestamptz,
  created_by text not null,
  created_on timestamptz not null default market_now(),
  primary key (merchant_uuid, sku)
);
-- Serves the merchant's list, newest first.
create index watched_stone_list on watched_stone (merchant_uuid, created_on, sku);
-- Serves the comparison with the change log: who watches the stones that changed.
create index watched_stone_sku on watched_stone (sku);

-- How far the change log has been compared with the watched stones. The node that compares locks it.
create table watch_place (
  only_row boolean primary key default true check (only_row),
  place bigint not null
);
insert into watch_place (place) select last from change_clock;
