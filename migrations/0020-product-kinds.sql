-- Every kind of product in snapshots, changes and `updated_since`.

-- When merchants of some price list began to see this offer of the stone instead of another; null:
-- when it was listed. The listing itself did not change then, so this counts as its `updated_on`
-- where it is later.
alter table offer add column shown_on timestamptz;

-- As in migration 0017, and it writes offer.shown_on.
create or replace function log_changes(ids bigint[], skus text[], kinds text[]) returns bigint
language plpgsql as $$
declare
  last_before bigint;
  logged bigint;
  stones text[];
begin
  select last into last_before from change_clock for update;
  select array_agg(several.certificate) into stones from (
    select offer.certificate from offer where offer.gem_id = any(ids)
    union
    select gem.certificate from gem cross join lateral (
      select from gem as other
      where other.certificate = gem.certificate and other.id <> gem.id and not other.apart limit 1
    ) as another
    where gem.id = any(ids) and gem.certificate is not null and not gem.apart
  ) as several;
  if stones is null then
    insert into change (sequence, gem_id, sku, kind)
    select last_before + row_number() over (order by n), gem_id, sku, kind
    from unnest(ids, skus, kinds) with ordinality as entry (gem_id, sku, kind, n)
    where kind is not null;
  else
    with touched as materialized (
      select distinct on (gem_id) gem_id, sku, kind, n
      from unnest(ids, skus, kinds) with ordinality as entry (gem_id, sku, kind, n)
      order by gem_id, n desc
    ), listed as (
      select id, sku, certificate, count(*) over stone as listings,
        max(case when state <> 'available' then state end) over stone as taken,
        row_number() over (partition by certificate
          order by state <> 'available', wholesale_price, created_on, id) as place,
        row_number() over (partition by certificate
          order by state <> 'available', wholesale_price_us, created_on, id) as place_us,
        first_value(hold_expires_on) over latest_hold as held_until,
        first_value(hold_merchant_uuid) over latest_hold as held_by
      from gem
      where certificate = any(stones) and not apart
        and (state in ('sold', 'memo') or (state = 'available' and quantity > 0))
      window stone as (partition by certificate),
        latest_hold as (partition by certificate order by hold_expires_on desc nulls last, id)
    ), present as materialized (
      select id as gem_id, sku, certificate, taken, held_until, held_by,
        taken is null and place = 1 as leads, taken is null and place_us = 1 as leads_us
      from listed
      -- What is sold keeps its row when the other offers go: it says who has seen the offer. So
      -- does one that merchants see only since then: it says since when.
      where listings > 1 or id in (
        select gem_id from offer
        where taken is not null or not leads or not leads_us or shown_on is not null)
    ), past as materialized (
      select * from offer where certificate = any(stones)
    ), compared as materialized (
      select gem_id, present.certificate, present.held_until, present.held_by, present.taken,
        coalesce(present.sku, gem.sku, touched.sku) as sku, touched.kind, touched.n,
        coalesce(past.leads, known.was) as was, coalesce(past.leads_us, known.was) as was_us,
        coalesce(past.seen, known.was) as seen, coalesce(past.seen_us, known.was) as seen_us,
        past.shown_on,
        coalesce(present.leads, known.on_sale) as leads,
        coalesce(present.leads_us, known.on_sale) as leads_us,
        case when past.certificate is null then gem.hold_expires_on else past.held_until end
          as held_before,
        case when present.certificate is null then gem.hold_expires_on else present.held_until end
          as held_now
      from present full join past using (gem_id)
      left join touched using (gem_id)
      left join gem on gem.id = gem_id
      cross join lateral (
        select on_sale, case when touched.kind in ('new', 'back') then false
          else touched.kind is not null or on_sale end as was
        from (select coalesce(gem.state = 'available' and gem.quantity > 0, false) as on_sale) as now
      ) as known
    ), removed as (
      delete from offer using compared
      where offer.gem_id = compared.gem_id and compared.certificate is null
    ), written as (
      insert into offer
        (gem_id, certificate, leads, leads_us, seen, seen_us, held_until, held_by, shown_on)
      select gem_id, certificate, leads, leads_us, seen or leads, seen_us or leads_us,
        held_until, held_by,
        case when (leads and not was) or (leads_us and not was_us) then market_clock()
          else shown_on end
      from compared where certificate is not null
      on conflict (gem_id) do update set certificate = excluded.certificate,
        leads = excluded.leads, leads_us = excluded.leads_us,
        seen = excluded.seen, seen_us = excluded.seen_us,
        held_until = excluded.held_until, held_by = excluded.held_by,
        shown_on = excluded.shown_on
      where offer is distinct from excluded
    ), told as (
      select gem_id, sku, n, own.kind, own.price_list
      from compared cross join lateral (
        -- Both lists show the same updated_on, so the other one hears of it, too.
        select case when leads and leads_us and (not was or not was_us) then 'details' end as moved
      ) as shown cross join lateral (
        select coalesce(
            offer_change(kind, was, leads, seen, taken, held_before, held_now), moved) as by_default,
          coalesce(offer_change(kind, was_us, leads_us, seen_us, taken, held_before, held_now), moved)
            as by_us
      ) as heard cross join lateral (
        select by_default, null where by_default = by_us
        union all
        select by_default, 'default' where by_default is distinct from by_us
        union all
        select by_us, 'us' where by_default is distinct from by_us
      ) as own (kind, price_list)
      where own.kind is not null
      union all
      select gem_id, sku, n, kind, null from touched
      where kind is not null and not exists (
        select from compared where compared.gem_id = touched.gem_id)
    )
    insert into change (sequence, gem_id, sku, kind, price_list)
    select last_before + row_number() over (order by n nulls last, gem_id, price_list),
      gem_id, sku, kind, price_list
    from told;
  end if;
  get diagnostics logged = row_count;
  if logged > 0 then
    update change_clock set last = last_before + logged;
    perform pg_notify('pavilion_change', (last_before + logged)::text);
  end if;
  return last_before + logged;
end $$;

alter table change
  -- The variant of a piece of jewelry or a watch; gem_id is null then.
  add column variant_id uuid,
  -- What kind of product it was, where the change made it another kind or deleted it.
  add column former_type text
    check (former_type in ('diamond', 'gemstone', 'melee', 'jewelry', 'watch')),
  -- Only these merchants hear of it; null: all whom the other columns name.
  add column merchants uuid[],
  add constraint prices_are_of_no_product check (
    num_nonnulls(gem_id, variant_id) = case when kind = 'prices' then 0 else 1 end);

-- What merchants last heard of each variant, so that a change is logged when they see something
-- else, by an import, an order or a catalogue alike. A variant that nobody has ever seen
-- has no row. Written by log_product_changes and by nothing else, while it has the lock of
-- change_clock; there are no references to variant, because no other lock is needed.
create table shown_variant (
  variant_id uuid primary key,
  sku text not null,
  product_type text not null,
  listed boolean not null,
  -- What can be ordered: 0 when the supplier no longer lists it.
  quantity integer not null,
  wholesale_price numeric(12, 2) not null,
  wholesale_price_us numeric(12, 2) not null,
  retail_price numeric(12, 2) not null,
  -- Digests of what else merchants see of it.
  media text not null,
  details text not null,
  -- Who sees it while it is in stock: everyone, or these merchants in the order of their uuids.
  is_public boolean not null,
  merchants uuid[] not null
);

-- The variants of products as merchants see them now.
create function variants_shown(products uuid[]) returns setof shown_variant
language sql stable as $$
  with audience as (
    select asked.product_id, coalesce(bool_or(published and public), false) as is_public,
      coalesce(array_agg(distinct merchant_uuid order by merchant_uuid)
        filter (where merchant_uuid is not null), '{}') as merchants
    from (select distinct unnest(products) as product_id) as asked
    left join catalogue_product on catalogue_product.product_id = asked.product_id
    left join catalogue on catalogue.uuid = catalogue_product.catalogue_uuid
    left join catalogue_merchant on catalogue_merchant.catalogue_uuid = catalogue.uuid
    group by asked.product_id
  )
  select variant.id, variant.sku, product.type, variant.listed,
    case when variant.listed then variant.quantity else 0 end,
    variant.wholesale_price, variant.wholesale_price_us, variant.retail_price,
    md5(variant.media::text),
    md5(row(product.id, product.title, product.description, variant.variant_options::text,
      variant.filter_variant_options::text, variant.returnable, variant.delivery_days_min,
      variant.delivery_days_max, variant.created_on, variant.updated_on)::text),
    audience.is_public, audience.merchants
  from audience
  join product on product.id = audience.product_id
  join variant on variant.product_id = product.id
$$;

-- The merchants of the first list that are not in the second; null when there are none.
create function merchants_without(merchants uuid[], others uuid[]) returns uuid[]
language sql immutable parallel safe
return (select array_agg(merchant order by merchant) from unnest(merchants) as merchant
  where merchant <> all(others));

-- Logs what merchants see of the changes of these products, variant by variant: who no longer sees
-- it, who sees it now, and who sees it changed. Called last in a transaction, as log_changes is.
-- Where a variant was or becomes public, the change is told to everyone: a merchant that it is
-- shared with besides hears of it, too, and finds the variant as it was.
create function log_product_changes(products uuid[]) returns bigint
language plpgsql as $$
declare
  last_before bigint;
  logged bigint;
begin
  select last into last_before from change_clock for update;
  with present as materialized (
    select * from variants_shown(products)
  ), compared as materialized (
    select present.variant_id, present.sku, present.listed,
      past.variant_id is not null as is_known,
      present.quantity > 0 as on_sale, coalesce(past.quantity > 0, false) as was_on_sale,
      present.quantity > 0 and present.is_public as all_see,
      coalesce(past.quantity > 0 and past.is_public, false) as all_saw,
      case when present.quantity > 0 then present.merchants else '{}' end as some_see,
      case when past.quantity > 0 then past.merchants else '{}' end as some_saw,
      nullif(past.product_type, present.product_type) as former_type,
      case
        when (past.wholesale_price, past.wholesale_price_us, past.retail_price) is distinct from
          (present.wholesale_price, present.wholesale_price_us, present.retail_price) then 'price'
        when past.media <> present.media then 'media'
        when (past.details, past.quantity, past.product_type) is distinct from
          (present.details, present.quantity, present.product_type) then 'details'
      end as kind
    from present left join shown_variant as past using (variant_id)
  ), written as (
    insert into shown_variant
    select * from present
    where is_public or merchants <> '{}'
      or exists (select from shown_variant where shown_variant.variant_id = present.variant_id)
    on conflict (variant_id) do update set sku = excluded.sku,
      product_type = excluded.product_type, listed = excluded.listed,
      quantity = excluded.quantity, wholesale_price = excluded.wholesale_price,
      wholesale_price_us = excluded.wholesale_price_us, retail_price = excluded.retail_price,
      media = excluded.media, details = excluded.details,
      is_public = excluded.is_public, merchants = excluded.merchants
    where shown_variant is distinct from excluded
  ), told as (
    -- No longer seen.
    select variant_id, sku, former_type, 1 as step,
      case when not on_sale and listed then 'sold' else 'gone' end as kind,
      case when not all_saw then merchants_without(some_saw, some_see) end as merchants
    from compared
    where not all_see and (all_saw or merchants_without(some_saw, some_see) is not null)
    union all
    -- Seen now: back in stock, or new.
    select variant_id, sku, former_type, 2,
      case when is_known and not was_on_sale then 'back' else 'new' end,
      case when not all_see then merchants_without(some_see, some_saw) end
    from compared
    where not all_saw and (all_see or merchants_without(some_see, some_saw) is not null)
    union all
    -- Seen before and now.
    select variant_id, sku, former_type, 3, kind,
      case when not all_see then
        merchants_without(some_see, coalesce(merchants_without(some_see, some_saw), '{}')) end
    from compared
    where kind is not null and ((all_saw and all_see) or (not all_saw and not all_see
      and merchants_without(some_see, coalesce(merchants_without(some_see, some_saw), '{}'))
        is not null))
  )
  insert into change (sequence, variant_id, sku, kind, former_type, merchants)
  select last_before + row_number() over (order by sku, step), variant_id, sku, kind, former_type,
    merchants
  from told;
  get diagnostics logged = row_count;
  if logged > 0 then
    update change_clock set last = last_before + logged;
    perform pg_notify('pavilion_change', (last_before + logged)::text);
  end if;
  return last_before + logged;
end $$;

-- Nobody has followed jewelry so far, so nothing is logged.
insert into shown_variant
select shown.* from variants_shown(array(select id from product)) as shown
where shown.is_public or shown.merchants <> '{}';

-- Since when merchants can see a product, which may be later than its last change: a catalogue is
-- opened when it becomes published and public. What was there before counts from the beginning.
alter table catalogue add column opened_on timestamptz not null default '-infinity';
alter table catalogue alter column opened_on set default market_now();
alter table catalogue_product add column added_on timestamptz not null default '-infinity';
alter table catalogue_product alter column added_on set default market_now();

-- A parcel has the terms of its supplier where it has none of its own, from when it is listed on: a
-- parcel that changed with its supplier's settings would change without an entry in the log.
create function set_parcel_terms() returns trigger language plpgsql as $$
begin
  select coalesce(new.memo_days_to_return, memo_days_to_return),
    coalesce(new.days_to_return, days_to_return),
    coalesce(new.internal_days_to_return, internal_days_to_return),
    coalesce(new.delivery_days_min, least(delivery_days_min, new.delivery_days_max)),
    coalesce(new.delivery_days_max, greatest(delivery_days_max, new.delivery_days_min))
  into new.memo_days_to_return, new.days_to_return, new.internal_days_to_return,
    new.delivery_days_min, new.delivery_days_max
  from supplier where id = new.supplier_id;
  return new;
end $$;
create trigger parcel_terms before insert or update on gem for each row
  when (new.product_type = 'melee' and num_nulls(new.memo_days_to_return, new.days_to_return,
    new.internal_days_to_return, new.delivery_days_min, new.delivery_days_max) > 0)
  execute function set_parcel_terms();
update gem set product_type = product_type
where product_type = 'melee' and num_nulls(memo_days_to_return, days_to_return,
  internal_days_to_return, delivery_days_min, delivery_days_max) > 0;
