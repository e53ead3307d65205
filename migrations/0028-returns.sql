-- Returns of invoiced goods: what a merchant asks to send back, and what became of it.

create table order_return (
  uuid uuid primary key,
  order_uuid uuid not null references orders,
  merchant_uuid uuid not null references merchant,
  status text not null check (status in ('requested', 'approved', 'rejected', 'received')),
  -- Why the merchant returns it, and why the operator rejected it.
  reason text not null check (length(reason) between 1 and 200),
  reject_reason text not null default '' check (length(reject_reason) <= 200),
  created_on timestamptz not null,
  updated_on timestamptz not null
);
-- Serve the lists, newest first, of one merchant and of all.
create index order_return_of_merchant on order_return (merchant_uuid, created_on, uuid)
  include (status);
create index order_return_by_time on order_return (created_on, uuid)
  include (status, merchant_uuid);
-- Serves the returns of an order, which its next request adds up.
create index order_return_of_order on order_return (order_uuid, created_on, uuid);
-- Serves the operator's list of what it has to decide or to receive.
create index order_return_open on order_return (created_on, uuid)
  where status in ('requested', 'approved');

create table order_return_line (
  return_uuid uuid not null references order_return,
  line_uuid uuid not null references order_line,
  quantity integer not null check (quantity >= 1),
  primary key (return_uuid, line_uuid)
);
-- Serves how many units of a line are asked to go back.
create index order_return_line_of_line on order_return_line (line_uuid);

-- The same steps as STEPS in src/orders/returns/return.ts; a test compares them. A violation is a bug.
create function guard_return_status() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) in (
    ('requested', 'approved'),
    ('requested', 'rejected'),
    ('approved', 'rejected'),
    ('approved', 'received')
  ) then
    return new;
  end if;
  raise exception 'return %: % cannot become %', old.uuid, old.status, new.status
    using errcode = 'check_violation', constraint = 'return_steps';
end $$;

create trigger return_steps before update of status on order_return for each row
  when (old.status is distinct from new.status) execute function guard_return_status();
