-- One certificate, one stone: listings that name the same laboratory and number are offers of one
-- stone, from all suppliers.

-- The certificate of a single stone, `GIA/2201234567`: letters in upper case, letters and digits
-- only. Null without a laboratory or a number; a laboratory outside the reference list counts by
-- the name that the supplier wrote.
create function letters_and_digits(text text) returns text
language sql immutable parallel safe
-- Nearly all texts are ASCII, for which this takes a fraction of the time.
return case when octet_length(text) = length(text)
  then translate(upper(text), E' \t\r\n!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '')
  else regexp_replace(upper(text), '[^[:alnum:]]', '', 'g') end;

create function certificate_of(product_type text, lab text, lab_original text, cert_num text)
returns text language sql immutable parallel safe
return case when product_type <> 'melee' then
  nullif(letters_and_digits(coalesce(lab, lab_original)), '')
  || '/' || nullif(letters_and_digits(cert_num), '') end;

alter table gem
  add column certificate text generated always as (
    certificate_of(product_type, lab, lab_original, cert_num)) stored,
  -- The listing is a stone of its own, although another has the same certificate: the operator
  -- decided so, or both were sold before migration 0017.
  add column apart boolean not null default false;

-- Serves finding the other offers of a stone.
create index gem_offers on gem (certificate) where certificate is not null;

-- What the operator decided about a certificate whose offers contradict each other.
create table certificate_decision (
  certificate text primary key,
  decision text not null check (decision in ('keep', 'apart')),
  -- The offer that was kept.
  sku text,
  decided_on timestamptz not null default market_now(),
  constraint a_kept_offer_has_a_sku check ((decision = 'keep') = (sku is not null))
);

-- A listing is apart when the operator said so of its certificate. It is asked again when the
-- certificate changes, and when a sold stone comes back.
create function set_apart() returns trigger language plpgsql as $$
begin
  -- Most markets have no such decision, and the certificate need not be computed for it.
  new.apart := exists (select from certificate_decision where decision = 'apart') and exists (
    select from certificate_decision
    where decision = 'apart'
      and certificate = certificate_of(new.product_type, new.lab, new.lab_original, new.cert_num)
  );
  return new;
end $$;
create trigger gem_listed before insert on gem for each row
  when (new.cert_num is not null) execute function set_apart();
create trigger gem_certificate_changes before update on gem for each row
  when ((old.product_type, old.lab, old.lab_original, old.cert_num) is distinct from
      (new.product_type, new.lab, new.lab_original, new.cert_num)
    or (old.state in ('sold', 'memo') and new.state not in ('sold', 'memo')))
  execute function set_apart();

-- Before this rule a stone could be sold by two suppliers: all sales but the first are apart.
update gem set apart = true
where certificate is not null and state in ('sold', 'memo') and exists (
  select from gem as first
  where first.certificate = gem.certificate and first.state in ('sold', 'memo')
    and first.id < gem.id);

-- Whatever the nodes do: of the offers of one stone at most one is sold or on memo.
create unique index one_sale_per_stone on gem (certificate)
  where certificate is not null and not apart and state in ('sold', 'memo');

-- The offers of one stone as ids, at least the given one.
create function offers_of(offer bigint) returns setof bigint language sql stable as $$
  select offer
  union
  select other.id from gem join gem as other on other.certificate = gem.certificate
  where gem.id = offer and not gem.apart and not other.apart
$$;

-- A merchant's holds of all offers of a stone count together.
create or replace function held_before(stone bigint, holder uuid, began timestamptz) returns numeric
language sql stable as $$
  select coalesce(max(held_seconds), 0) from hold_time
  where gem_id in (select offers_of(stone)) and merchant_uuid = holder
    and held_until > began - interval '24 hours'
$$;

-- The listings of stones that have several, as far as they are on sale, sold or on memo. A listing
-- without a row is the only one of its stone; a sold one keeps its row when the others go. The table
-- is written by log_changes and by nothing else, while it has the lock of change_clock: no other
-- lock is needed, and what is written here commits in the order of the log. There are no references
-- to gem for the same reason.
create table offer (
  gem_id bigint primary key,
  certificate text not null,
  -- Whether merchants of the default list, and of the US list, see this offer of the stone.
  leads boolean not null,
  leads_us boolean not null,
  -- Whether they have ever seen it: it is then `back` when it leads again, and not `new`.
  seen boolean not null,
  seen_us boolean not null,
  -- The latest hold on any offer of the stone, as it is stored: it may have ended by the clock.
  held_until timestamptz,
  held_by uuid
);
create index offer_of_certificate on offer (certificate);
-- Serves curated search, to which a merchant's own held stones are free.
create index offer_holder on offer (held_by) where held_by is not null;

-- Which price list the change is for; null: for both.
alter table change add column price_list text check (price_list in ('default', 'us'));

-- What the followers of one price list hear of an offer: null when nothing changed for them.
create function offer_change(
  kind text, was boolean, leads boolean, seen boolean, taken text,
  held_before timestamptz, held_until timestamptz
) returns text language sql immutable parallel safe
return case
  when not was and not leads then null
  when not was then case when kind in ('new', 'back') then kind
    when seen then 'back' else 'new' end
  when not leads then case when kind in ('sold', 'memo', 'gone') then kind
    else coalesce(taken, 'gone') end
  when kind is not null then kind
  when held_before is not distinct from held_until then null
  when held_until is null then 'release'
  else 'hold' end;

-- Logs what happened to stones (kind null: nothing that a follower saw) and decides which of the
-- offers of their stones lead. Called last in a transaction: the lock of change_clock makes the
-- transactions that change offers one after the other, so each sees what the ones before it did.
-- Returns the last number of the log. See src/events/change-log.ts.
create function log_changes(ids bigint[], skus text[], kinds text[]) returns bigint
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
      -- What is sold keeps its row when the other offers go: it says who has seen the offer.
      where listings > 1 or (taken is not null and id in (select gem_id from offer))
    ), past as materialized (
      select * from offer where certificate = any(stones)
    ), compared as materialized (
      select gem_id, present.certificate, present.held_until, present.held_by, present.taken,
        coalesce(present.sku, gem.sku, touched.sku) as sku, touched.kind, touched.n,
        coalesce(past.leads, known.was) as was, coalesce(past.leads_us, known.was) as was_us,
        coalesce(past.seen, known.was) as seen, coalesce(past.seen_us, known.was) as seen_us,
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
        (gem_id, certificate, leads, leads_us, seen, seen_us, held_until, held_by)
      select gem_id, certificate, leads, leads_us, seen or leads, seen_us or leads_us,
        held_until, held_by
      from compared where certificate is not null
      on conflict (gem_id) do update set certificate = excluded.certificate,
        leads = excluded.leads, leads_us = excluded.leads_us,
        seen = excluded.seen, seen_us = excluded.seen_us,
        held_until = excluded.held_until, held_by = excluded.held_by
      where offer is distinct from excluded
    ), told as (
      select gem_id, sku, n, own.kind, own.price_list
      from compared cross join lateral (
        select offer_change(kind, was, leads, seen, taken, held_before, held_now) as by_default,
          offer_change(kind, was_us, leads_us, seen_us, taken, held_before, held_now) as by_us
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

-- The offers that are listed now. Followers hear which of them no longer lead.
select log_changes(array_agg(id), array_agg(sku), array_agg(null::text))
from gem where certificate in (
  select certificate from gem where certificate is not null and not apart
  group by certificate having count(*) > 1);
