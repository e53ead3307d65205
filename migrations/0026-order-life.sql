-- Suppliers that confirm orders, and suppliers that ship to merchants themselves.
alter table supplier add column confirms boolean not null default false;
alter table supplier add column ships boolean not null default false;

-- Who has to deliver a line, and whether it was promised. `confirmed_by` is null until somebody
-- answers; `placement` when the supplier needs no confirmation. `step` and `step_by` are named by an
-- update, checked by the trigger below and never stored.
alter table order_line add column supplier_id integer references supplier;
alter table order_line add column confirmed_on timestamptz;
alter table order_line add column confirmed_by text
  check (confirmed_by in ('placement', 'supplier', 'operator'));
alter table order_line add column declined_on timestamptz;
alter table order_line add column step text;
alter table order_line add column step_by text;
update order_line set
  supplier_id = (select id from supplier where id::text = product ->> 'supplier_id'),
  confirmed_on = created_on,
  confirmed_by = case when fulfilled_quantity > 0 then 'operator' else 'placement' end;
alter table order_line add constraint confirmations_have_a_time
  check ((confirmed_on is null) = (confirmed_by is null));
-- A line that was declined was not confirmed before, and nothing of it has shipped.
alter table order_line add constraint declined_lines_wait_for_nothing check (
  declined_on is null or (open_quantity = 0 and fulfilled_quantity = 0 and cancelled_quantity > 0
    and confirmed_by is distinct from 'supplier' and confirmed_by is distinct from 'operator'));
-- Serves the search for orders that wait for an answer.
create index order_line_unconfirmed on order_line (order_uuid)
  where confirmed_by is null and open_quantity > 0;

alter table orders add column step text;
alter table orders add column step_by text;
-- A memo becomes an invoice before it is paid.
alter table orders add constraint memos_are_not_paid
  check (order_type = 'invoice' or payment_status is null);

-- The state of the units of a line that wait: waitingState in src/orders/order-life.ts.
create function waiting_state(line order_line) returns text language sql immutable as $$
  select case coalesce(line.confirmed_by, '')
    when '' then 'unconfirmed' when 'placement' then 'accepted' else 'confirmed' end
$$;

-- Which step may move units from which state to which, and who may take it: the same table as STEPS
-- in src/orders/order-life.ts; a test compares them. Steps that move no units are not in it.
create function may_move_units(
  step text, role text, order_type text, came_from text, goes_to text
) returns boolean language sql immutable as $$
  select coalesce((step, role, came_from, goes_to) in (
    ('confirm', 'supplier', 'unconfirmed', 'confirmed'),
    ('confirm', 'operator', 'unconfirmed', 'confirmed'),
    ('fulfill', 'supplier', 'unconfirmed', 'shipped'),
    ('fulfill', 'supplier', 'accepted', 'shipped'),
    ('fulfill', 'supplier', 'confirmed', 'shipped'),
    ('fulfill', 'operator', 'unconfirmed', 'shipped'),
    ('fulfill', 'operator', 'accepted', 'shipped'),
    ('fulfill', 'operator', 'confirmed', 'shipped'),
    ('cancel', 'merchant', 'unconfirmed', 'cancelled'),
    ('cancel', 'merchant', 'accepted', 'cancelled'),
    ('cancel', 'operator', 'unconfirmed', 'cancelled'),
    ('cancel', 'operator', 'accepted', 'cancelled'),
    ('cancel', 'operator', 'confirmed', 'cancelled'),
    ('decline', 'supplier', 'unconfirmed', 'cancelled'),
    ('decline', 'supplier', 'accepted', 'cancelled'),
    ('decline', 'operator', 'unconfirmed', 'cancelled'),
    ('decline', 'operator', 'accepted', 'cancelled'),
    ('return', 'operator', 'unconfirmed', 'returned'),
    ('return', 'operator', 'accepted', 'returned'),
    ('return', 'operator', 'confirmed', 'returned'),
    ('return', 'operator', 'shipped', 'returned'),
    ('receive_return', 'operator', 'shipped', 'returned')
  ), false) and (step <> 'return' or order_type = 'memo')
    and (step <> 'receive_return' or order_type = 'invoice')
$$;

-- The units of a line move along that table only. A violation is a bug, not a refusal. What was
-- agreed about a line never changes.
create function guard_order_line() returns trigger language plpgsql as $$
declare
  was text := waiting_state(old);
  is_now text := waiting_state(new);
  shipped integer := new.fulfilled_quantity - old.fulfilled_quantity;
  cancelled integer := new.cancelled_quantity - old.cancelled_quantity;
  returned integer := new.returned_quantity - old.returned_quantity;
  from_waiting integer := old.open_quantity - new.open_quantity;
  from_buyer integer := shipped + cancelled + returned - from_waiting;
  kind text;
  broken text;
begin
  select order_type into kind from orders where uuid = old.order_uuid;
  broken := case
    when (old.order_uuid, old.sku, old.quantity, old.price)
      is distinct from (new.order_uuid, new.sku, new.quantity, new.price)
      then 'what was agreed may not change'
    when least(shipped, cancelled, returned, from_waiting, from_buyer) < 0 or from_buyer > returned
      then 'units do not move that way'
    when shipped > 0 and not may_move_units(new.step, new.step_by, kind, was, 'shipped')
      then was || ' units may not ship'
    when cancelled > 0 and not may_move_units(new.step, new.step_by, kind, was, 'cancelled')
      then was || ' units may not be cancelled'
    when returned > from_buyer and not may_move_units(new.step, new.step_by, kind, was, 'returned')
      then was || ' units may not be returned'
    when from_buyer > 0 and not may_move_units(new.step, new.step_by, kind, 'shipped', 'returned')
      then 'shipped units may not be returned'
    when was <> is_now and not may_move_units(new.step, new.step_by, kind, was, is_now)
      -- Shipping confirms.
      and not (shipped > 0 and is_now = 'confirmed')
      then was || ' units may not become ' || is_now
    when shipped > 0 and is_now <> 'confirmed'
      then 'what has shipped is confirmed'
    when old.declined_on is distinct from new.declined_on
      and (new.step is distinct from 'decline' or old.declined_on is not null)
      then 'the answer may not change'
    when new.step = 'decline' and cancelled > 0 and new.declined_on is null
      then 'a declined line says so'
    when new.step = 'cancel' and new.step_by = 'merchant' and cancelled > 0 and exists (
        select from order_line where order_uuid = old.order_uuid and fulfilled_quantity > 0)
      then 'part of the order has shipped'
  end;
  if broken is not null then
    raise exception 'order line %: % by %: %', old.uuid, coalesce(new.step, 'no step'),
      coalesce(new.step_by, 'nobody'), broken
      using errcode = 'check_violation', constraint = 'order_steps';
  end if;
  new.step := null;
  new.step_by := null;
  return new;
end $$;

create trigger order_steps before update on order_line for each row
  execute function guard_order_line();

-- Only the operator turns a memo into an invoice, and never back.
create function guard_order() returns trigger language plpgsql as $$
begin
  if old.order_type <> new.order_type
    and (new.step, new.step_by, old.order_type, new.order_type)
      is distinct from ('convert', 'operator', 'memo', 'invoice') then
    raise exception 'order %: % by % may not turn a % into a %', old.uuid,
      coalesce(new.step, 'no step'), coalesce(new.step_by, 'nobody'), old.order_type, new.order_type
      using errcode = 'check_violation', constraint = 'order_steps';
  end if;
  new.step := null;
  new.step_by := null;
  return new;
end $$;

create trigger order_steps before update on orders for each row
  when (old.order_type <> new.order_type or new.step is not null or new.step_by is not null)
  execute function guard_order();
