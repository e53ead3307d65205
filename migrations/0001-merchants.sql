-- Merchants, the tokens that they and the operator call with, the console's sessions, and what a
-- merchant can set.

create table merchant (
  uuid uuid primary key,
  external_id text not null default '',
  activated boolean not null default true,
  deleted boolean not null default false,
  -- When it is off, every request with one of the merchant's tokens gets a 401.
  api_enabled boolean not null default true,
  -- The orders of a test merchant have the debug flag.
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
  -- The country decides the price list: the US has its own, every other country the default.
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
-- Two merchants that are not deleted never share an email; serves `--merchant <email>`, too.
create unique index merchant_email on merchant (lower(email)) where not deleted;

-- What a request is authenticated by. A merchant has tokens of its own; 'admin' is the operator's.
create table token (
  uuid uuid primary key,
  -- Null for the operator's tokens.
  merchant_uuid uuid references merchant,
  type text not null check (type in ('api_key', 'merchant', 'admin')),
  name text not null default '',
  scopes text[] not null,
  -- SHA-256 of the token; the token itself is shown once and never stored.
  hash bytea not null unique,
  -- The last four characters, so that a person can tell two tokens apart in a list.
  hint text not null,
  -- Null: the installation's limit. 0: no limit.
  rate_limit_per_minute integer check (rate_limit_per_minute >= 0),
  created_on timestamptz not null default now(),
  expires_on timestamptz,
  revoked_on timestamptz,
  last_used_on timestamptz,
  -- A session is a token that its holder can end by signing out.
  is_session boolean not null default false,
  -- The key that opened the session. Revoking a key ends the sessions that it opened.
  opened_by uuid references token,
  constraint operator_tokens_have_no_merchant check ((type = 'admin') = (merchant_uuid is null))
);
-- Serves the token list of one merchant.
create index token_of_merchant on token (merchant_uuid, created_on, uuid);
-- Serves the end of a key's sessions.
create index token_sessions_of_key on token (opened_by) where opened_by is not null;

create function end_sessions_of_key() returns trigger language plpgsql as $$
begin
  update token set revoked_on = new.revoked_on
  where opened_by = new.uuid and revoked_on is null;
  return null;
end $$;
create trigger token_sessions_end after update of revoked_on on token
  for each row when (old.revoked_on is null and new.revoked_on is not null)
  execute function end_sessions_of_key();

-- Links that sign a person into the console once.
create table sign_in_link (
  -- SHA-256 of the code in the link; the code itself is printed once and never stored.
  hash bytea primary key,
  -- Null when the link is the operator's.
  merchant_uuid uuid references merchant,
  created_on timestamptz not null default now(),
  expires_on timestamptz not null,
  used_on timestamptz
);
-- Serves the removal of old links.
create index sign_in_link_age on sign_in_link (expires_on);

-- Where a merchant has orders shipped to.
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
-- A merchant has at most one default address; serves the address list, which puts it first.
create unique index merchant_address_default on merchant_address (merchant_uuid) where is_default;
-- Serves the address list of one merchant.
create index merchant_address_list on merchant_address (merchant_uuid, created_on, uuid);

-- A merchant's own quality templates, which curated search offers stones by.
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
  -- With two templates of a group at one position, the order of curated stones would be random.
  -- Deferrable, so that two templates can swap positions in one transaction.
  constraint one_template_per_position unique (merchant_uuid, "group", position) deferrable
);

-- The tiers of a merchant's margins: what is added to a wholesale price for the retail price.
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
create index profit_margin_of_merchant
  on profit_margin (merchant_uuid, product_type, weight_min, price_min);

-- The newest row of a currency is in force; older ones are its history.
create table exchange_rate (
  currency_code text not null check (currency_code ~ '^[A-Z]{3}$'),
  -- How many units of the currency one US dollar buys.
  rate numeric(18, 8) not null check (rate > 0),
  set_on timestamptz not null default clock_timestamp(),
  primary key (currency_code, set_on)
);

-- Every node caches verified tokens and the price rules of merchants; these notifications tell
-- all of them what to drop. The payload is 'token <uuid>', 'merchant <uuid>' or 'rates'.
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
