-- A new markup applies at once to the stones on sale. Prices are rounded once, from the feed's own
-- figure, which may have more decimals than the cost. Null where the cost has all of them.
alter table gem add column cost_exact numeric(24, 12);
alter table import_before add column cost_exact numeric(24, 12);
-- Undoing an import restores old prices: they are computed again if the markup is newer than it.
alter table supplier add column markup_set_on timestamptz;

-- Whether the list price is that of a price grid. The feed's own price is never overwritten by one.
alter table gem add column list_price_from_grid boolean not null default false;
alter table import_before add column list_price_from_grid boolean not null default false;

-- Sheets of reference prices per carat, one for round stones (BR) and one for all others (PS). The
-- newest of each shape is in force; older ones are kept as history.
create table price_grid (
  uuid uuid primary key,
  shape text not null check (shape in ('BR', 'PS')),
  dated_on date not null,
  file_name text not null,
  row_count integer not null,
  loaded_on timestamptz not null default market_now(),
  -- When the last stone got its price. Null while they are computed, or if that was interrupted.
  applied_on timestamptz
);
-- Serves finding the sheets in force, and the list.
create index price_grid_newest on price_grid (shape, dated_on desc, loaded_on desc, uuid);

create table price_grid_cell (
  grid_uuid uuid not null references price_grid on delete cascade,
  clarity text not null,
  color text not null,
  weight_min numeric(8, 4) not null check (weight_min >= 0),
  weight_max numeric(8, 4) not null,
  price_per_carat numeric(12, 2) not null check (price_per_carat > 0),
  check (weight_min <= weight_max),
  -- Serves finding the price of a stone: the row with the largest lower bound that it reaches.
  primary key (grid_uuid, clarity, color, weight_min)
);
