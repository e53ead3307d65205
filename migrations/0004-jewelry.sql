-- Jewelry and watches: the products of a supplier (the vendor), their variants, which are sold, and
-- the catalogues that decide who sees them.

-- What a shop shows on one page; its variants differ in metal, size and the like.
create table product (
  id uuid primary key,
  supplier_id integer not null references supplier,
  -- The supplier's own number: the parent stock number, or the number of the only variant.
  vendor_sku text not null,
  type text not null check (type in ('jewelry', 'watch')),
  title text not null check (title <> ''),
  description text not null default '',
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  -- Identifies a product in later imports; serves the importer's lookup.
  constraint product_of_supplier unique (supplier_id, vendor_sku)
);

-- What is ordered by its SKU.
create table variant (
  id uuid primary key,
  product_id uuid not null references product,
  supplier_id integer not null references supplier,
  sku text not null unique,
  vendor_sku text not null,
  -- Its position among the variants of the product.
  position integer not null default 0,
  -- What a buyer picks, {"metal": "18k yellow gold", "size": "6.5"}. This and the columns below
  -- are json and not jsonb, because a shop shows the keys in their order.
  variant_options json not null default '{}',
  -- What it is filtered by: each value is a string or a list of strings.
  filter_variant_options json not null default '{}',
  -- Prices in US dollars. cost is what the supplier asks; retail_price is the supplier's own.
  cost numeric(12, 2) not null check (cost > 0),
  wholesale_price numeric(12, 2) not null check (wholesale_price > 0),
  wholesale_price_us numeric(12, 2) not null check (wholesale_price_us > 0),
  retail_price numeric(12, 2) not null check (retail_price > 0),
  -- False when the supplier's file no longer has it: the quantity stays, but cannot be ordered.
  listed boolean not null default true,
  quantity integer not null default 1,
  -- The quantity in the supplier's last file: when the next file repeats it, what was sold since
  -- stays sold.
  feed_quantity integer,
  returnable boolean not null default true,
  days_to_return integer,
  memo boolean not null default false,
  memo_days_to_return integer,
  delivery_days_min integer,
  delivery_days_max integer,
  -- Images and videos, [{"kind": "image", "url": "https://…"}].
  media json not null default '[]',
  -- Where it is.
  country_code text check (country_code ~ '^[A-Z]{3}$'),
  -- What else the feed has, which is not filtered by: {"Jewelry Designer": "…"}.
  details json not null default '{}',
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  -- Identifies a variant in later imports; serves the importer's lookup.
  constraint variant_of_supplier unique (supplier_id, vendor_sku),
  -- Holds even if lockVariants fails. A violation is a bug, not a refusal.
  constraint variant_stock_is_not_negative check (quantity >= 0),
  constraint variant_delivery_days check (delivery_days_min <= delivery_days_max)
);
-- Serves reading the variants of changed products, by position.
create index variant_of_product on variant (product_id, position, id);

-- A set of products that the operator shows to some merchants or to all.
create table catalogue (
  uuid uuid primary key,
  name text not null check (name <> ''),
  -- Every merchant sees a catalogue that is published and public; a merchant also sees those that
  -- are shared with it.
  published boolean not null default false,
  public boolean not null default false,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now()
);
-- Two catalogues never share a name.
create unique index catalogue_name on catalogue (lower(name));

create table catalogue_product (
  catalogue_uuid uuid not null references catalogue on delete cascade,
  product_id uuid not null references product on delete cascade,
  primary key (catalogue_uuid, product_id)
);
-- Serves reading the catalogues of changed products.
create index catalogue_of_product on catalogue_product (product_id);

-- The merchants that a catalogue is shared with.
create table catalogue_merchant (
  catalogue_uuid uuid not null references catalogue on delete cascade,
  merchant_uuid uuid not null references merchant,
  shared_on timestamptz not null default now(),
  primary key (catalogue_uuid, merchant_uuid)
);

-- Every node serves jewelry from a copy in memory. As its last step, a writer takes the next number
-- of the clock and writes it to the products that it changed. The clock's row stays locked until
-- the commit, so a reader that has seen a number has seen all lower ones. See
-- src/jewelry/showroom/clock.ts.
create table showroom_clock (
  -- A second row would count a second sequence.
  only_row boolean primary key default true check (only_row),
  last bigint not null
);
insert into showroom_clock (last) values (0);

-- The clock's number of a product's last change.
create table product_version (
  product_id uuid primary key references product on delete cascade,
  version bigint not null
);
-- Serves reading what changed since a number.
create index product_version_since on product_version (version);

-- Imports of jewelry feeds.
create table jewelry_import (
  uuid uuid primary key,
  supplier_id integer not null references supplier,
  mode text not null check (mode in ('update', 'replace')),
  file_name text not null default '',
  -- The report as it was returned: counts, rejections, mapping.
  report json not null,
  created_on timestamptz not null default clock_timestamp(),
  undone_on timestamptz
);
-- Serves the history, and finding the last import of a supplier.
create index jewelry_import_of_supplier on jewelry_import (supplier_id, created_on, uuid);

-- What an import found before it wrote, so that it can be undone.
create table jewelry_import_row (
  import_uuid uuid not null references jewelry_import on delete cascade,
  variant_id uuid not null references variant,
  -- The variant and its product as they were; null when the import added the variant.
  before json,
  -- The quantity after the import: what is missing from it now was sold since.
  quantity_after integer not null,
  primary key (import_uuid, variant_id)
);
