-- A count of orders says which order it counts and which transaction wrote it. A node that has
-- counted the orders of a list then adds what was written since, instead of counting all of them
-- again: src/orders/order-counts.ts. Counts that were added up name no order; their transaction is
-- the last of those that they contain.
alter table order_count add column order_uuid uuid;
alter table order_count add column transaction bigint not null default 0;
alter table order_count
  alter column transaction set default pg_current_xact_id()::text::bigint;
-- Serves reading what was written since a transaction.
create index order_count_since on order_count (transaction);

-- The count of an order that was removed names none: nobody could tell any more what it matched.
create or replace function count_order() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into order_count values (old.merchant_uuid, old.order_type, old.payment_status,
      old.fulfillment_status, old.open_quantity > 0, old.debug, -1,
      case when tg_op = 'UPDATE' then old.uuid end);
  end if;
  if tg_op <> 'DELETE' then
    insert into order_count values (new.merchant_uuid, new.order_type, new.payment_status,
      new.fulfillment_status, new.open_quantity > 0, new.debug, 1, new.uuid);
  end if;
  return null;
end $$;
