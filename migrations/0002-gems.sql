-- Suppliers, and every stone that can be sold by its SKU: single diamonds, melee parcels and
-- coloured gemstones. The check lists repeat src/reference/attributes.ts; a test compares them.

create table supplier (
  id integer generated always as identity primary key,
  uuid uuid not null unique,
  name text not null,
  contact text not null default '',
  country_code text check (country_code ~ '^[A-Z]{3}$'),
  -- The currency of the feed's prices.
  currency_code text not null default 'USD' check (currency_code ~ '^[A-Z]{3}$'),
  -- Wholesale price = the feed's price x (1 + markup / 100), for each of the two price lists.
  markup numeric(7, 2) not null default 0 check (markup > -100),
  markup_us numeric(7, 2) not null default 0 check (markup_us > -100),
  delivery_days_min integer not null default 3 check (delivery_days_min >= 0),
  delivery_days_max integer not null default 7,
  returnable boolean not null default true,
  days_to_return integer not null default 14 check (days_to_return >= 0),
  memo boolean not null default false,
  memo_days_to_return integer not null default 14 check (memo_days_to_return >= 0),
  internal_days_to_return integer not null default 21 check (internal_days_to_return >= 0),
  -- The clarity that a stone of SI3, which the reference list lacks, is sold as.
  si3 text not null default 'SI2' check (si3 in ('SI2', 'I1')),
  -- The supplier's stock leaves the market this many days after its last import. Null: never.
  fresh_days integer default 8 check (fresh_days > 0),
  -- The operator's own column mapping, {column: field}, or null.
  mapping jsonb,
  -- When the last import of the supplier was finished.
  synced_on timestamptz,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  constraint delivery_days check (delivery_days_min <= delivery_days_max)
);
-- Two suppliers never share a name; serves the lookup by name.
create unique index supplier_name on supplier (lower(name));

-- One row per stone or parcel.
create table gem (
  id bigint generated always as identity primary key,
  sku text not null unique,
  supplier_id integer not null references supplier,
  vendor_sku text not null,
  product_type text not null check (product_type in ('diamond', 'melee', 'gemstone')),
  type text not null check (type in ('mined', 'lab grown')),

  -- Only coloured gemstones have these three.
  species text,
  origin text,
  treatment text,

  -- The stone. Weights in carats, lengths in millimetres.
  shape text not null check (shape in (
    'asscher', 'baguette', 'briolette', 'bullets', 'calf', 'cushion', 'emerald', 'half_moon',
    'heart', 'hexagon', 'lozenge', 'marquise', 'octagon', 'oval', 'pear', 'princess', 'radiant',
    'rectangle', 'round', 'shield', 'tapered_baguette', 'trapezoid', 'triangle')),
  cut_code text not null check (cut_code in (
    'rose_cut', 'brilliant_cut', 'step_cut', 'mirror_cut', 'european_cut', 'old_mine_cut',
    'mixed_cut', 'modified_cut')),
  weight numeric(9, 4) not null check (weight > 0),
  length numeric(7, 3) check (length > 0),
  width numeric(7, 3) check (width > 0),
  depth numeric(7, 3) check (depth > 0),
  ratio numeric(7, 3) check (ratio > 0),
  ratio_group text check (ratio_group in ('square', 'rectangular')),
  depth_percentage numeric(5, 2) check (depth_percentage between 0 and 100),
  table_percentage numeric(5, 2) check (table_percentage between 0 and 100),
  crown_angle numeric(5, 2) check (crown_angle between 0 and 90),
  pavilion_angle numeric(5, 2) check (pavilion_angle between 0 and 90),
  pavilion_depth numeric(5, 2) check (pavilion_depth between 0 and 100),
  culet_size text check (culet_size in ('N', 'VS', 'S', 'M', 'SL', 'L', 'VL', 'EL')),
  -- girdle_max is the thick end.
  girdle_min text check (girdle_min in ('XTK', 'VTK', 'TK', 'STK', 'MD', 'TN', 'VTN', 'ETN')),
  girdle_max text check (girdle_max in ('XTK', 'VTK', 'TK', 'STK', 'MD', 'TN', 'VTN', 'ETN')),
  -- Of a diamond a grade, or a hue when is_fancy; of a gemstone a word. Of a parcel, color and
  -- clarity are those of its worst stones, color_max and clarity_max those of its best.
  color text,
  color_max text,
  clarity text check (clarity in (
    'FL', 'IF', 'VVS1', 'VVS2', 'VS1', 'VS2', 'SI1', 'SI2', 'I1', 'I2', 'I3')),
  clarity_max text check (clarity_max in (
    'FL', 'IF', 'VVS1', 'VVS2', 'VS1', 'VS2', 'SI1', 'SI2', 'I1', 'I2', 'I3')),
  is_fancy boolean not null default false,
  fancy_color_intensity text check (fancy_color_intensity in (
    'FAN', 'FDK', 'FDP', 'FLT', 'FNT', 'INT', 'LIT', 'VIV', 'VLT')),
  overtone text,
  cut_grade text check (cut_grade in ('IDL', 'EX', 'VG', 'G', 'F', 'P')),
  polish_grade text check (polish_grade in ('EX', 'VG', 'G', 'F', 'P')),
  symmetry_grade text check (symmetry_grade in ('EX', 'VG', 'G', 'F', 'P')),
  fluorescence text check (fluorescence in (
    'Very Strong', 'Strong', 'Medium', 'Faint', 'Slight', 'Very Slight', 'None')),
  eye_clean text check (eye_clean in ('yes', 'borderline', 'no')),
  grow_method text check (grow_method in ('CVD', 'HPHT')),

  -- The certificate. A lab that is not in the reference list is kept in lab_original; lab is null.
  lab text check (lab in ('GIA', 'GCAL', 'IGI')),
  lab_original text,
  cert_num text,
  cert_url text,
  -- Where the stone is.
  country_code text check (country_code ~ '^[A-Z]{3}$'),

  -- Prices in US dollars: of the whole stone, or of one carat of a melee parcel. cost is what the
  -- supplier asks; list_price is the reference list's price that the feed carries.
  cost numeric(12, 2) not null check (cost > 0),
  list_price numeric(12, 2) check (list_price > 0),
  wholesale_price numeric(12, 2) not null check (wholesale_price > 0),
  wholesale_price_us numeric(12, 2) not null check (wholesale_price_us > 0),

  -- Availability; see src/gems/gem-life.ts. Held is not a state but a lease on an available stone,
  -- so that it ends by itself when no process is running.
  state text not null default 'available'
    check (state in ('available', 'memo', 'sold', 'gone', 'disabled')),
  -- Who changes the state or the lease: such a statement writes 'feed', 'order', 'operator' or
  -- 'hold' here. The trigger gem_moves checks it and sets it back to null, so a stored row never
  -- has one, and a statement without it is refused.
  mover text,
  quantity integer not null default 1,
  hold_uuid uuid,
  hold_merchant_uuid uuid references merchant,
  hold_created_on timestamptz,
  hold_expires_on timestamptz,
  can_hold boolean not null default true,
  memo boolean not null default false,
  returnable boolean not null default true,
  is_manual boolean not null default false,
  is_sustainable boolean,
  sustainability_details jsonb,
  memo_days_to_return integer,
  days_to_return integer,
  internal_days_to_return integer,
  delivery_days_min integer,
  delivery_days_max integer,
  -- Size tolerance of a melee parcel, in millimetres.
  tolerance_positive numeric(5, 3),
  tolerance_negative numeric(5, 3),

  image_top_url text,
  image_bottom_url text,
  video_url text,
  ux_url text,
  cached_ux_url text,
  v360_json_base_url text,
  v360_info jsonb,
  original_imported_ext_url text,
  media_requested boolean not null default false,

  -- The supplier's stock number of the stone that this one is paired with.
  pair_vendor_sku text,
  pair_separable boolean,

  -- A digest of the feed's row and of the settings it was read with: equal means unchanged.
  feed_hash bytea,
  -- The feed dropped the stone while it was held, on memo or sold: it is gone when that ends. The
  -- flag stays on a stone that left this way, so that undoing the import finds it.
  feed_gone boolean not null default false,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  -- How many stones of a parcel the feed last offered. A feed that repeats the number does not
  -- offer again what was sold since.
  feed_quantity integer,

  -- Identifies a stone in later imports; serves the importer's lookup.
  constraint stone_of_supplier unique (supplier_id, vendor_sku),
  -- These hold even if the locks of orders fail. A violation is a bug, not a refusal.
  constraint stock_is_not_negative check (quantity >= 0),
  constraint single_stones_are_one check (product_type = 'melee' or quantity <= 1),
  constraint sold_stones_are_out_of_stock check (
    state not in ('sold', 'memo') or quantity = 0),
  constraint hold_is_whole check (
    (hold_uuid is null) = (hold_merchant_uuid is null)
    and (hold_uuid is null) = (hold_expires_on is null)
    and (hold_uuid is null) = (hold_created_on is null)),
  constraint only_available_stones_are_held check (hold_uuid is null or state = 'available'),
  constraint delivery_days check (delivery_days_min <= delivery_days_max),
  constraint color_fits_the_stone check (
    product_type = 'gemstone'
    or (is_fancy and color in ('BK', 'BL', 'BN', 'CH', 'CM', 'CG', 'GY', 'GR', 'OR', 'PN', 'PL',
      'RD', 'VL', 'YL', 'WH', 'OT'))
    or (not is_fancy and color in ('D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O',
      'OP', 'P', 'Q', 'QR', 'R', 'S', 'ST', 'T', 'U', 'UV', 'V', 'W', 'WX', 'X', 'Y', 'YZ', 'Z'))),
  constraint gemstones_have_a_species check ((product_type = 'gemstone') = (species is not null)),
  constraint mover_is_null_at_rest check (mover is null)
);
-- Serves the operator's list of certificates seen at two suppliers, and order search.
create index gem_certificate on gem (cert_num) where cert_num is not null;
-- Serves the tree of melee parcels.
create index gem_melee on gem (shape, type) where product_type = 'melee';
-- Serves the running holds of one merchant.
create index gem_holds on gem (hold_merchant_uuid, hold_expires_on) where hold_uuid is not null;
-- Serves the loading of the gemstone index and the preview of gemstone margins: there are a few
-- thousand gemstones among a million diamonds.
create index gem_gemstones on gem (id) where product_type = 'gemstone';

-- 'held' while a hold on the stone is running, otherwise its state. See src/gems/gem-life.ts.
create function life_state(gem gem) returns text language sql volatile as $$
  select case
    when gem.state = 'available' and gem.hold_expires_on > clock_timestamp() then 'held'
    else gem.state
  end
$$;

-- Which mover may take a stone from which state to which: the same table as MOVES in
-- src/gems/gem-life.ts; a test compares them. A violation is a bug, not a refusal.
create function guard_gem_move() returns trigger language plpgsql as $$
declare
  came_from text := life_state(old);
  goes_to text := life_state(new);
begin
  if came_from = goes_to and came_from <> 'held' then
    -- The state stays, for example when the columns of an expired lease are cleared.
    new.mover := null;
    return new;
  end if;
  if (new.mover, came_from, goes_to) in (
    ('feed', 'available', 'gone'),
    ('feed', 'gone', 'available'),
    ('order', 'available', 'memo'),
    ('order', 'available', 'sold'),
    ('order', 'held', 'memo'),
    ('order', 'held', 'sold'),
    ('order', 'memo', 'available'),
    ('order', 'memo', 'gone'),
    ('order', 'memo', 'sold'),
    ('order', 'sold', 'available'),
    ('order', 'sold', 'gone'),
    ('order', 'gone', 'memo'),
    ('order', 'gone', 'sold'),
    ('operator', 'available', 'disabled'),
    ('operator', 'held', 'available'),
    ('operator', 'held', 'disabled'),
    ('operator', 'gone', 'disabled'),
    ('operator', 'disabled', 'available'),
    ('operator', 'disabled', 'gone'),
    ('hold', 'available', 'held'),
    ('hold', 'available', 'gone'),
    ('hold', 'held', 'available'),
    ('hold', 'held', 'gone'),
    ('hold', 'held', 'held')
  ) and (came_from <> 'held' or goes_to <> 'held'
    or old.hold_merchant_uuid = new.hold_merchant_uuid) then
    new.mover := null;
    return new;
  end if;
  raise exception 'gem %: % may not move it from % to %',
    old.sku, coalesce(new.mover, 'nobody'), came_from, goes_to
    using errcode = 'check_violation', constraint = 'gem_moves';
end $$;

-- The condition skips the function for updates that change neither state nor lease.
create trigger gem_moves before update on gem for each row
  when (old.state is distinct from new.state
    or old.hold_uuid is distinct from new.hold_uuid
    or old.hold_merchant_uuid is distinct from new.hold_merchant_uuid
    or old.hold_expires_on is distinct from new.hold_expires_on
    or new.mover is not null)
  execute function guard_gem_move();

-- What happened to the stock, in the order of commits. `sequence` is counted by change_clock, whose
-- row a transaction locks last and until it commits: a reader never sees a number before a lower
-- one. See src/events/change-log.ts.
create table change_clock (
  -- A second row would count a second sequence.
  only_row boolean primary key default true check (only_row),
  last bigint not null
);
insert into change_clock (last) values (0);

create table change (
  sequence bigint primary key,
  -- Null when the kind is 'prices': then all prices of merchant_uuid (null: of everyone) changed.
  gem_id bigint,
  sku text,
  merchant_uuid uuid,
  kind text not null check (kind in ('new', 'price', 'media', 'details', 'hold', 'release', 'sold',
    'memo', 'gone', 'back', 'prices')),
  changed_on timestamptz not null default clock_timestamp()
);
-- Serves the removal of old entries.
create index change_age on change (changed_on);
