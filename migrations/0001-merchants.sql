-- Merchants, the tokens by which they and the operator call, and what a merchant has set.

create table merchant (
  uuid uuid primary key,
  external_id text not null default '',
  activated boolean not null default true,
  deleted boolean not null default false,
  -- Off: every call with one of the merchant's tokens is answered 401.
  api_enabled boolean not null default true,
  -- Orders of a test merchant carry the debug flag.
  test boolean not null default false,
  approval_status text,
  onboarding_status text not null default '',
  subscription_status text not null default '',
  first_name text not null default '',
  last_name text not null default '',
  legal_dba text not null,
  email text not null,
  internal_email text not null default '',
  cc_emails text,
  business_phone text not null default '',
  business_type text not null default '',
  tax_id text not null default '',
  url text,
  gateway_customer_id text not null default '',
  -- The country decides the price list: US has its own, every other the default.
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  currency_code text not null default 'USD' check (currency_code ~ '^[A-Z]{3}$'),
  margin_mode text not null default 'weight' check (margin_mode in ('weight', 'price')),
  billing_address_1 text not null default '',
  billing_address_2 text not null default '',
  billing_city text not null default '',
  billing_country_code text not null default '',
  billing_postal_code text not null default '',
  billing_region text not null default '',
  shipping_address_1 text not null default '',
  shipping_address_2 text not null default '',
  shipping_city text not null default '',
  shipping_country_code text not null default '',
  shipping_postal_code text not null default '',
  shipping_region text not null default '',
  "references" jsonb not null default '[]',
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now()
);
-- An email names one living merchant; serves `--merchant <email>` too.
create unique index merchant_email on merchant (lower(email)) where not deleted;

create table token (
  uuid uuid primary key,
  -- Null for the operator's tokens.
  merchant_uuid uuid references merchant,
  type text not null check (type in ('api_key', 'merchant', 'admin')),
  name text not null default '',
  scopes text[] not null,
  -- SHA-256 of the token; the token itself is shown once and kept nowhere.
  hash bytea not null unique,
  -- The last four characters, so that a person can tell two tokens apart in a list.
  hint text not null,
  -- Null: the installation's limit. 0: no limit.
  rate_limit_per_minute integer check (rate_limit_per_minute >= 0),
  created_on timestamptz not null default now(),
  expires_on timestamptz,
  revoked_on timestamptz,
  last_used_on timestamptz,
  constraint operator_tokens_have_no_merchant check ((type = 'admin') = (merchant_uuid is null))
);
-- Serves the token list of one merchant.
create index token_of_merchant on token (merchant_uuid, created_on, uuid);

create table merchant_address (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  name text not null,
  phone text not null default '',
  address_1 text not null,
  address_2 text not null default '',
  city text not null,
  postal_code text not null,
  country_code text not null check (country_code ~ '^[A-Z]{2}$'),
  region text not null default '',
  address_type text not null default 'shipping',
  is_default boolean not null default false,
  created_on timestamptz not null default now()
);
-- A merchant has one default address at most; serves the address list, which puts it first.
create unique index merchant_address_default on merchant_address (merchant_uuid) where is_default;
create index merchant_address_list on merchant_address (merchant_uuid, created_on, uuid);

create table merchant_template (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  "group" text not null,
  position integer not null check (position >= 1),
  label text not null,
  color text not null,
  clarity text not null,
  grade_name text not null check (grade_name in ('ideal', 'excellent', 'very good')),
  "order" integer,
  created_on timestamptz not null default now(),
  -- Two templates of a group on one position would make the order of curated stones a matter of
  -- luck. Deferrable, so that two may swap places in one transaction.
  constraint one_template_per_position unique (merchant_uuid, "group", position) deferrable
);

create table profit_margin (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  product_type text not null default 'diamond' check (product_type in ('diamond', 'gemstone')),
  weight_or_price text not null check (weight_or_price in ('weight', 'price')),
  weight_min numeric(9, 4) not null default 0,
  weight_max numeric(9, 4) not null default 0,
  price_min numeric(14, 2) not null default 0,
  price_max numeric(14, 2) not null default 0,
  mined_percent numeric(7, 2) not null check (mined_percent >= 0),
  lab_percent numeric(7, 2) not null check (lab_percent >= 0),
  constraint tier_bounds check (
    0 <= weight_min and weight_min <= weight_max and 0 <= price_min and price_min <= price_max
  )
);
-- Serves the margin list and the price rules of one merchant.
create index profit_margin_of_merchant on profit_margin (merchant_uuid, product_type, weight_min, price_min);

-- The newest row of a currency is in force; older ones are its history.
create table exchange_rate (
  currency_code text not null check (currency_code ~ '^[A-Z]{3}$'),
  -- How many units of the currency one US dollar buys.
  rate numeric(18, 8) not null check (rate > 0),
  set_on timestamptz not null default clock_timestamp(),
  primary key (currency_code, set_on)
);

-- The first answer to a request with an Idempotency-Key, for 24 hours. It is written in the
-- transaction of the work itself, so that neither exists without the other.
create table idempotency_key (
  -- The merchant's uuid; for the operator the token's.
  owner uuid not null,
  -- SHA-256 of the key. The key itself opens the body, so it is not kept.
  key_hash bytea not null,
  -- SHA-256 over method, path and body: the same key with another request is a mistake.
  fingerprint bytea not null,
  status integer not null,
  -- The answer, encrypted under the caller's key: it may hold a new token, which is shown once.
  body bytea not null,
  created_on timestamptz not null default now(),
  primary key (owner, key_hash)
);
-- Serves the removal of answers older than a day.
create index idempotency_key_age on idempotency_key (created_on);

-- Every node keeps verified tokens and merchants' price rules in memory; these notifications
-- tell all of them what to forget. The payload is a merchant's uuid, or 'token <uuid>'.
create function notify_access() returns trigger language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  if tg_table_name = 'token' then
    perform pg_notify('pavilion_access', 'token ' || changed.uuid);
  elsif tg_table_name = 'merchant' then
    perform pg_notify('pavilion_access', 'merchant ' || changed.uuid);
  else
    perform pg_notify('pavilion_access', 'merchant ' || changed.merchant_uuid);
  end if;
  return null;
end $$;

create trigger token_changed
  after update of revoked_on, expires_on, scopes, rate_limit_per_minute or delete on token
  for each row execute function notify_access();
create trigger merchant_changed after update or delete on merchant
  for each row execute function notify_access();
create trigger profit_margin_changed after insert or update or delete on profit_margin
  for each row execute function notify_access();

create function notify_rates() returns trigger language plpgsql as $$
begin
  perform pg_notify('pavilion_access', 'rates');
  return null;
end $$;
create trigger exchange_rate_changed after insert or update or delete on exchange_rate
  for each statement execute function notify_rates();
