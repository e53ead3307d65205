-- Adding a stone costs less: a certificate begins with its number, so that one index serves both the
-- offers of a stone and the operator's search by number; and no trigger runs for each listing.

drop index gem_cert_num_search;
drop index gem_vendor_sku_search;
drop trigger gem_listed on gem;
-- Its two indexes go with it, and are created again below.
alter table gem drop column certificate;

-- Nearly all numbers are written in this form already, which is found out in a tenth of the time.
create or replace function letters_and_digits(text text) returns text
language sql immutable parallel safe
return case when text collate "C" !~ '[^0-9A-Z]' then text
  when octet_length(text) = length(text)
  then translate(upper(text collate "C"), E' \t\r\n!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '')
  else regexp_replace(upper(text), '[^[:alnum:]]', '', 'g') end;

-- `2201234567/GIA`. Null without a laboratory or a number.
create or replace function certificate_of(
  product_type text, lab text, lab_original text, cert_num text
) returns text language sql immutable parallel safe
return case when product_type <> 'melee' then
  nullif(letters_and_digits(cert_num), '')
  || '/' || nullif(letters_and_digits(coalesce(lab, lab_original)), '') end;

alter table gem add column certificate text collate "C" generated always as (
  certificate_of(product_type, lab, lab_name, cert_num)) stored;
alter table offer alter column certificate type text collate "C"
  using split_part(certificate, '/', 2) || '/' || split_part(certificate, '/', 1);
alter table certificate_decision alter column certificate type text collate "C"
  using split_part(certificate, '/', 2) || '/' || split_part(certificate, '/', 1);

-- Serves finding the other offers of a stone, and the operator's search by the beginning of a number.
-- The certificate is the last column of a wide row: reading it from an index takes half the time.
create index gem_offers on gem (certificate) include (id, apart) where certificate is not null;
create unique index one_sale_per_stone on gem (certificate)
  where certificate is not null and not apart and state in ('sold', 'memo');
-- The same search for what has a number and is not an offer: parcels, and stones without a laboratory.
create index gem_other_numbers on gem (letters_and_digits(cert_num) collate "C")
  where certificate is null and cert_num is not null;
-- Serves the operator's search by the beginning of a supplier's stock number.
create index gem_vendor_sku_search on gem (upper(vendor_sku collate "C"));

-- As in migration 0020, and it writes what the triggers wrote: offer.on_memo (the stone went on memo
-- while this offer led, or before it had other offers), and gem.apart of a new listing of a
-- certificate that the operator decided about. Deciding takes the lock of change_clock, too, so
-- neither misses the other.
drop trigger offer_listed on offer;
drop trigger offer_led on offer;
drop function remember_memo();
create or replace function log_changes(ids bigint[], skus text[], kinds text[]) returns bigint
language plpgsql as $$
declare
  last_before bigint;
  logged bigint;
  stones text[];
begin
  select last into last_before from change_clock for update;
  if exists (select from certificate_decision where decision = 'apart') then
    update gem set apart = true from certificate_decision as decided
    where gem.id = any(ids) and not gem.apart
      and decided.certificate = gem.certificate and decided.decision = 'apart';
  end if;
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
      select id, sku, certificate, state, hold_expires_on, count(*) over stone as listings,
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
      select id as gem_id, sku, certificate, state, hold_expires_on, taken, held_until, held_by,
        taken is null and place = 1 as leads, taken is null and place_us = 1 as leads_us
      from listed
      -- What is sold keeps its row when the other offers go: it says who has seen the offer. So
      -- does one that merchants see only since then: it says since when.
      where listings > 1 or exists (
        select from offer where gem_id = listed.id
          and (taken is not null or not leads or not leads_us or shown_on is not null))
    ), past as materialized (
      select * from offer where certificate = any(stones)
    ), compared as materialized (
      select gem_id, present.certificate, present.held_until, present.held_by, present.taken,
        coalesce(present.sku, gem.sku, touched.sku) as sku, touched.kind, touched.n,
        coalesce(past.leads, known.was) as was, coalesce(past.leads_us, known.was) as was_us,
        coalesce(past.seen, known.was) as seen, coalesce(past.seen_us, known.was) as seen_us,
        past.shown_on,
        coalesce(past.on_memo or (past.leads and present.taken = 'memo'), present.state = 'memo')
          as on_memo,
        coalesce(past.on_memo_us or (past.leads_us and present.taken = 'memo'),
          present.state = 'memo') as on_memo_us,
        coalesce(present.leads, known.on_sale) as leads,
        coalesce(present.leads_us, known.on_sale) as leads_us,
        case when past.certificate is null then present.hold_expires_on else past.held_until end
          as held_before,
        case when present.certificate is null then gem.hold_expires_on else present.held_until end
          as held_now
      from present full join past using (gem_id)
      left join touched using (gem_id)
      -- Listings that were offers and are not any more; the others need not be read again.
      -- The limit makes it a search by index, however many the planner expects.
      left join lateral (
        select sku, state, quantity, hold_expires_on from gem
        where gem.id = case when present.certificate is null then past.gem_id end limit 1
      ) as gem on true
      cross join lateral (
        select on_sale, case when touched.kind in ('new', 'back') then false
          else touched.kind is not null or on_sale end as was
        from (select coalesce(present.state = 'available',
          gem.state = 'available' and gem.quantity > 0, false) as on_sale) as now
      ) as known
    ), removed as (
      delete from offer using compared
      where offer.gem_id = compared.gem_id and compared.certificate is null
    ), written as (
      insert into offer
        (gem_id, certificate, leads, leads_us, seen, seen_us, held_until, held_by, shown_on,
          on_memo, on_memo_us)
      select gem_id, certificate, leads, leads_us, seen or leads, seen_us or leads_us,
        held_until, held_by,
        case when (leads and not was) or (leads_us and not was_us) then market_clock()
          else shown_on end,
        not leads and on_memo, not leads_us and on_memo_us
      from compared where certificate is not null
      on conflict (gem_id) do update set certificate = excluded.certificate,
        leads = excluded.leads, leads_us = excluded.leads_us,
        seen = excluded.seen, seen_us = excluded.seen_us,
        held_until = excluded.held_until, held_by = excluded.held_by,
        shown_on = excluded.shown_on,
        on_memo = excluded.on_memo, on_memo_us = excluded.on_memo_us
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

-- The index of the operator's list is also that of the primary key, and has the certificates for
-- log_changes: one index less to keep.
alter table price_change drop constraint price_change_gem_id_fkey;
alter table hold_time drop constraint hold_time_gem_id_fkey;
alter table gem drop constraint gem_pkey;
drop index gem_list;
create unique index gem_pkey on gem (id)
  include (supplier_id, product_type, state, hold_expires_on, certificate, apart);
alter table gem add primary key using index gem_pkey;
alter table hold_time add foreign key (gem_id) references gem on delete cascade;
alter table price_change add foreign key (gem_id) references gem on delete cascade;
