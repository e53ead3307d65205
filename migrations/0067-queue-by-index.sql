-- Reading the queue of changes takes no longer when many entries went through it: until PostgreSQL
-- vacuums the table, reading all of it passes every entry that was removed. An index skips them.

-- Stones that nobody may see yet (`leadsIn` in src/gems/offer-store.ts).
create index change_queue_of_new on change_queue (id) where kind in ('new', 'back', 'added');
create index change_queue_of_products on change_queue (id) where product_id is not null;

-- As in migration 0060, except that offers which stay as they are are not written.
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
    -- One scan of the index with all certificates takes half the time of a scan for each.
    select gem.certificate from gem where not gem.apart and gem.certificate = any(array(
      select listed.certificate from gem as listed
      where listed.id = any(ids) and listed.certificate is not null and not listed.apart))
    group by gem.certificate having count(*) > 1
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
    ), decided as (
      select gem_id, certificate, leads, leads_us, seen or leads as seen,
        seen_us or leads_us as seen_us, held_until, held_by,
        case when (leads and not was) or (leads_us and not was_us) then market_clock()
          else shown_on end as shown_on,
        not leads and on_memo as on_memo, not leads_us and on_memo_us as on_memo_us
      from compared where certificate is not null
      -- Most are as they were, and finding that out by a conflict would lock their rows.
      except select gem_id, certificate, leads, leads_us, seen, seen_us, held_until, held_by,
        shown_on, on_memo, on_memo_us from past
    ), written as (
      insert into offer
        (gem_id, certificate, leads, leads_us, seen, seen_us, held_until, held_by, shown_on,
          on_memo, on_memo_us)
      select * from decided
      on conflict (gem_id) do update set certificate = excluded.certificate,
        leads = excluded.leads, leads_us = excluded.leads_us,
        seen = excluded.seen, seen_us = excluded.seen_us,
        held_until = excluded.held_until, held_by = excluded.held_by,
        shown_on = excluded.shown_on,
        on_memo = excluded.on_memo, on_memo_us = excluded.on_memo_us
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

-- As in migration 0060, except for how it finds out whether there is anything to do.
create or replace function number_changes(most integer) returns integer language plpgsql as $$
declare
  entries change_queue[];
  stones integer;
  step record;
  last_before bigint;
begin
  -- What another has taken is visible here until its commit: then this waits for the clock below.
  -- By the index, because the table is full of rows that were removed and not vacuumed.
  perform from change_queue order by id limit 1;
  if not found then
    return 0;
  end if;
  -- A number that others have seen must not be lost with the server, whatever the caller's setting.
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  perform from change_clock for update;
  with oldest as materialized (
    select id, entry_size(gem_ids) as size, sum(entry_size(gem_ids)) over (order by id) as so_far
    from (select id, gem_ids from change_queue order by id limit most) as entry
  ), next as (
    delete from change_queue
    where id = any(array(select id from oldest where so_far - size < most))
    returning *
  )
  select coalesce(array_agg(row(next.*)::change_queue order by id), '{}'),
    (select least(max(so_far), most) from oldest)
  into entries, stones from next;

  -- Nobody had an entry of these stones before, so they come first.
  for step in
    select gem_ids as ids, skus, array_fill('new'::text, array[cardinality(gem_ids)]) as kinds
    from unnest(entries) where gem_ids is not null order by id
  loop
    perform log_changes(step.ids, step.skus, step.kinds);
  end loop;

  -- Several entries of one stone are logged one after the other, in as many steps. Usually it is one.
  for step in
    select array_agg(gem_id order by id) filter (where changed) as ids,
      array_agg(sku order by id) filter (where changed) as skus,
      array_agg(kind order by id) filter (where changed) as kinds,
      array_agg(gem_id) filter (where former_type is not null) as moved,
      array_agg(former_type) filter (where former_type is not null) as former_types,
      array_agg(gem_id) filter (where not changed) as converted
    from (
      select *, kind is distinct from 'converted' as changed,
        row_number() over (partition by gem_id order by id) as turn
      from unnest(entries) where gem_id is not null
    ) as entry
    group by turn order by turn
  loop
    select last into last_before from change_clock;
    if step.ids is not null then
      perform log_changes(step.ids, step.skus, step.kinds);
    end if;
    if step.moved is not null then
      update change set former_type = entry.former_type
      from unnest(step.moved, step.former_types) as entry (gem_id, former_type)
      where sequence > last_before and change.gem_id = entry.gem_id;
    end if;
    if step.converted is not null then
      perform log_conversions(step.converted);
    end if;
  end loop;

  if exists (select from unnest(entries) where product_id is not null) then
    perform log_product_changes(array(
      select distinct product_id from unnest(entries) where product_id is not null));
  end if;

  if exists (select from unnest(entries) where kind = 'prices') then
    select last into last_before from change_clock;
    insert into change (sequence, merchant_uuid, kind)
    select last_before + row_number() over (order by id), merchant_uuid, 'prices'
    from unnest(entries) where kind = 'prices';
    update change_clock set last = (select max(sequence) from change);
    perform pg_notify('pavilion_change', last::text) from change_clock;
  end if;
  return coalesce(stones, 0);
end $$;
