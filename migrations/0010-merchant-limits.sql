-- Limits of one merchant, so that nobody can take the market, or a table, from the others.

-- Null: the standard limit of src/reference/merchant-limits.ts.
alter table merchant
  add column max_holds integer check (max_holds >= 0),
  add column max_hold_hours integer check (max_hold_hours >= 1),
  add column max_memo_stones integer check (max_memo_stones >= 0),
  -- In US dollars, at wholesale prices.
  add column max_memo_value integer check (max_memo_value >= 0),
  add column max_addresses integer check (max_addresses >= 0),
  add column max_templates integer check (max_templates >= 0),
  add column max_webhooks integer check (max_webhooks >= 0),
  add column max_keys integer check (max_keys >= 0);

-- How long a merchant has held a stone, over all its holds with less than a day between them. A
-- live hold is not counted yet: it stands in the stone's own row until it ends.
create table hold_time (
  gem_id bigint not null references gem on delete cascade,
  merchant_uuid uuid not null references merchant,
  held_seconds numeric(14, 6) not null check (held_seconds >= 0),
  -- When the last of the holds ended.
  held_until timestamptz not null,
  primary key (gem_id, merchant_uuid)
);
-- Serves the removal of rows that no longer count.
create index hold_time_age on hold_time (held_until);

-- The seconds that count for a hold which began at a given time. The day is HOLD_REST_HOURS in
-- src/gems/hold-time-store.ts; a test compares them.
create function held_before(stone bigint, holder uuid, began timestamptz) returns numeric
language sql stable as $$
  select coalesce(max(held_seconds), 0) from hold_time
  where gem_id = stone and merchant_uuid = holder and held_until > began - interval '24 hours'
$$;

-- Whatever ends a hold (its holder, the clock, an order, the operator), its time is counted here. The
-- row of the stone is locked by then, so two ends of its holds cannot be counted at the same time.
create function count_hold_time() returns trigger language plpgsql as $$
declare
  ended timestamptz := least(market_clock(), old.hold_expires_on);
  began timestamptz := least(old.hold_created_on, ended);
begin
  insert into hold_time (gem_id, merchant_uuid, held_seconds, held_until)
  values (old.id, old.hold_merchant_uuid, extract(epoch from ended - began)
    + held_before(old.id, old.hold_merchant_uuid, began), ended)
  on conflict (gem_id, merchant_uuid) do update
    set held_seconds = excluded.held_seconds, held_until = excluded.held_until;
  return null;
end $$;
create trigger gem_hold_ends after update of hold_uuid on gem for each row
  when (old.hold_uuid is not null and new.hold_uuid is distinct from old.hold_uuid)
  execute function count_hold_time();

-- Serves the check of a merchant's memo limits. A memo whose stones all came back has a status.
create index orders_on_memo on orders (merchant_uuid)
  where order_type = 'memo' and order_status is null;

-- What a merchant has on memo: neither returned, nor cancelled, nor turned into an invoice. A line
-- of melee counts as one stone; its value counts in full.
create function memo_use(buyer uuid, out stones bigint, out value numeric)
language sql stable as $$
  select coalesce(sum(case when stock_kind = 'variant' then units else 1 end), 0),
    coalesce(sum(price * units), 0)
  from (
    select line.stock_kind, line.price,
      line.quantity - line.cancelled_quantity - line.returned_quantity as units
    from orders join order_line as line on line.order_uuid = orders.uuid
    where orders.merchant_uuid = buyer
      and orders.order_type = 'memo' and orders.order_status is null
      and line.product_type <> 'cert'
  ) as kept
  where units > 0
$$;
