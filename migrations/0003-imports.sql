-- Imports of suppliers' feeds: their history, what they rejected, and what undoing one needs.

-- One row per import, with its counts.
create table import (
  uuid uuid primary key,
  supplier_id integer not null references supplier,
  mode text not null check (mode in ('update', 'replace')),
  -- 'reading' has changed nothing yet. An import in 'applying' or 'undoing' whose process died is
  -- finished or undone by the next one (see src/feeds/importing/recover-imports.ts).
  status text not null check (status in (
    'reading', 'applying', 'done', 'failed', 'undoing', 'undone')),
  file_name text not null default '',
  currency_code text not null,
  rows integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  removed integer not null default 0,
  rejected integer not null default 0,
  -- The changed stones whose row says that they are not on offer.
  not_offered integer not null default 0,
  -- How each column was mapped: [{column, field, confidence, reason}].
  columns jsonb not null default '[]',
  -- Values that were ignored, and counts such as how many stones had SI3.
  notes jsonb not null default '{}',
  -- Why it failed, in a sentence.
  failure text,
  -- The supplier's synced_on before this import, for undoing it.
  synced_before timestamptz,
  started_on timestamptz not null default clock_timestamp(),
  finished_on timestamptz
);
-- Serves the history of one supplier and the search for its last import.
create index import_of_supplier on import (supplier_id, started_on desc);
-- Serves the history of all suppliers, newest first.
create index import_history on import (started_on desc, uuid);
-- Serves the search for imports whose process died.
create index import_unfinished on import (supplier_id)
  where status in ('reading', 'applying', 'undoing');

-- Rows that were rejected. The first ten thousand of an import are kept; `rejected` counts all.
create table import_rejection (
  import_uuid uuid not null references import on delete cascade,
  place integer not null,
  row integer not null,
  "column" text not null,
  value text not null,
  reason text not null,
  -- Readable but doubtful: a person must check it.
  quarantined boolean not null default false,
  vendor_sku text,
  primary key (import_uuid, place)
);

-- The stones that an import added, in the batches that were committed.
create table import_added (
  import_uuid uuid not null references import on delete cascade,
  batch integer not null,
  gem_ids bigint[] not null,
  primary key (import_uuid, batch)
);

-- The stones that an import changed, as they were before: the columns that a feed decides, with the
-- types that they have in gem.
create table import_before as
  select id as gem_id, state, quantity, feed_quantity, feed_hash, feed_gone, updated_on,
    product_type, type, species, origin, treatment, shape, cut_code, weight, length, width, depth,
    ratio, ratio_group, depth_percentage, table_percentage, crown_angle, pavilion_angle,
    pavilion_depth, culet_size, girdle_min, girdle_max, color, color_max, clarity, clarity_max,
    is_fancy, fancy_color_intensity, overtone, cut_grade, polish_grade, symmetry_grade,
    fluorescence, eye_clean, grow_method, lab, lab_original, cert_num, cert_url, country_code,
    cost, list_price, wholesale_price, wholesale_price_us, memo, returnable, memo_days_to_return,
    days_to_return, internal_days_to_return, delivery_days_min, delivery_days_max, image_top_url,
    video_url, ux_url, original_imported_ext_url, pair_vendor_sku, pair_separable
  from gem with no data;
alter table import_before
  add column import_uuid uuid not null references import on delete cascade,
  -- The quantity after the import: what is missing from it now was sold since.
  add column quantity_after integer not null,
  add primary key (import_uuid, gem_id);
