-- How many orders there are of each kind, so that a list knows its length without counting all of
-- them. An order adds a row in its own transaction, and a change of an order one that takes it away
-- and one that adds it: writers never wait for each other. A background task adds the rows up; see
-- src/orders/order-counts.ts.
create table order_count (
  merchant_uuid uuid not null,
  order_type text not null,
  payment_status text,
  fulfillment_status text,
  is_open boolean not null,
  debug boolean not null,
  orders integer not null
);
create index order_count_of_merchant on order_count (merchant_uuid);

create function count_order() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    insert into order_count values (old.merchant_uuid, old.order_type, old.payment_status,
      old.fulfillment_status, old.open_quantity > 0, old.debug, -1);
  end if;
  if tg_op <> 'DELETE' then
    insert into order_count values (new.merchant_uuid, new.order_type, new.payment_status,
      new.fulfillment_status, new.open_quantity > 0, new.debug, 1);
  end if;
  return null;
end $$;

create trigger order_count after insert or delete on orders
  for each row execute function count_order();
create trigger order_count_change after update on orders for each row
  when ((old.merchant_uuid, old.order_type, old.payment_status, old.fulfillment_status,
      old.open_quantity > 0, old.debug)
    is distinct from (new.merchant_uuid, new.order_type, new.payment_status,
      new.fulfillment_status, new.open_quantity > 0, new.debug))
  execute function count_order();

insert into order_count
  select merchant_uuid, order_type, payment_status, fulfillment_status, open_quantity > 0, debug,
    count(*)
  from orders group by 1, 2, 3, 4, 5, 6;
