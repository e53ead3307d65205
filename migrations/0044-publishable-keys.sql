-- Publishable keys, which a shop's own page shows to everybody: they are used from the pages of the
-- listed origins only, and see retail prices only.
alter table token add column origins text[] not null default '{}'
  constraint origins_are_few check (cardinality(origins) <= 20);
alter table token drop constraint token_type_check;
alter table token add constraint token_type_check
  check (type in ('api_key', 'merchant', 'admin', 'supplier', 'publishable'));
alter table token drop constraint tokens_have_one_owner;
alter table token add constraint tokens_have_one_owner check (
  (merchant_uuid is not null) = (type in ('api_key', 'merchant', 'publishable'))
  and (supplier_uuid is not null) = (type = 'supplier'));
alter table token add constraint publishable_keys_have_origins
  check ((type = 'publishable') = (cardinality(origins) > 0));

-- Enquiries that were sent, by address and by key, on all nodes together. The key is a hash: the
-- table names nobody.
create table enquiry_count (
  key bytea primary key,
  count integer not null,
  ends_on timestamptz not null
);
-- Serves the removal of windows that have ended.
create index enquiry_count_end on enquiry_count (ends_on);
