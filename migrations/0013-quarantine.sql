-- A rejected row can be named, and sent back to the supplier as it was.
alter table import_rejection
  add column uuid uuid not null default gen_random_uuid(),
  -- The row's own cells, in the order of the import's columns. Null where they were not kept: see
  -- src/feeds/importing/rejection-log.ts.
  add column cells jsonb,
  -- Of a row in quarantine: the stone as it would be on sale. Null once a newer import is there.
  add column draft jsonb;
-- Serves releasing and dismissing a row in quarantine.
create unique index import_rejection_uuid on import_rejection (uuid) where quarantined;

-- What the operator decided about a row in quarantine. It holds for the supplier's next files as
-- long as they repeat the same price for the same weight.
create table quarantine_decision (
  supplier_id integer not null references supplier on delete cascade,
  vendor_sku text not null,
  decision text not null check (decision in ('released', 'dismissed')),
  -- The price as the file writes it, so that a new exchange rate is not another price.
  price_text text not null,
  weight numeric not null,
  decided_on timestamptz not null default market_now(),
  primary key (supplier_id, vendor_sku)
);
