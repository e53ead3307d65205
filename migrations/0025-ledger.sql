-- The ledger: what merchants owe, entry by entry. The balance of an order is the sum of its entries, and
-- what a merchant owes is a sum over its orders: no figure is stored that could differ from them.

-- What the operator agreed on with a merchant. Null: no limit. Both limits are in US dollars.
alter table merchant
  -- How long after the invoice it may pay; 0: it pays before anything ships.
  add column payment_terms_days integer not null default 30
    check (payment_terms_days between 0 and 365),
  -- How much it may owe at most, from placement to payment.
  add column credit_limit numeric(14, 2) check (credit_limit >= 0),
  -- How much its memos may be worth at most.
  add column memo_limit numeric(14, 2) check (memo_limit >= 0);

alter table orders
  -- The merchant's at placement.
  add column payment_terms_days integer not null default 30
    check (payment_terms_days between 0 and 365),
  -- When the invoice was made; its charges are final from then on, and the terms begin.
  add column invoiced_on timestamptz;
-- Serves a merchant's account, and the check of its credit limit.
create index orders_unpaid on orders (merchant_uuid)
  include (uuid, invoiced_on, payment_terms_days)
  where order_type = 'invoice' and payment_status is null;

create table ledger_entry (
  order_uuid uuid not null references orders,
  -- Counts the entries of the order, from 0. The order is locked when one is written.
  number integer not null check (number >= 0),
  uuid uuid not null,
  -- The order's.
  merchant_uuid uuid not null,
  kind text not null check (kind in ('order', 'charge', 'payment', 'credit')),
  -- By how much the entry changes the balance: payments and discounts are negative, and so are the
  -- credits of goods.
  amount numeric(18, 2) not null,
  currency_code text not null default 'USD',
  -- What was charged, or what a credit is for, as a document says it.
  label text not null default '' check (length(label) <= 200),
  charge_kind text check (charge_kind in ('shipping', 'insurance', 'tax', 'fee', 'discount')),
  -- Of a charge that depends on the goods: it falls when they are cancelled or returned.
  percent numeric(6, 3) check (percent > 0 and percent <= 100),
  -- The number of the charge that this entry takes back, completely or in part.
  charge_number integer,
  -- How a payment was made, and its number at the bank.
  method text not null default '' check (length(method) <= 200),
  reference text not null default '' check (length(reference) <= 200),
  -- The day that the entry counts for; of a payment the day on which it was made.
  dated_on date not null,
  made_by text not null check (length(made_by) between 1 and 200),
  reason text not null default '' check (length(reason) <= 2000),
  created_on timestamptz not null default market_clock(),
  -- Serves the balance of an order.
  primary key (order_uuid, number),
  constraint charges_have_a_kind check ((kind = 'charge') = (charge_kind is not null)),
  constraint earlier_charges_are_taken_back check (charge_number < number)
);
-- Serves the ledger of a merchant, by time.
create index ledger_of_merchant on ledger_entry (merchant_uuid, created_on, order_uuid, number);

-- Charges that orders get when they become invoices.
create table charge_rule (
  uuid uuid primary key,
  -- Where the order ships to. Null: every country that has no rule of this kind.
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  kind text not null check (kind in ('shipping', 'insurance', 'tax', 'fee', 'discount')),
  label text not null check (length(label) between 1 and 200),
  -- In US dollars, and in percent of the goods; with both, their sum.
  amount numeric(14, 2) check (amount > 0),
  percent numeric(6, 3) check (percent > 0 and percent <= 100),
  created_on timestamptz not null default market_clock(),
  constraint rules_charge_something check (amount is not null or percent is not null)
);

-- The orders so far. What was cancelled is credited as the steps would have done it: each credit is the
-- rounded value before, less the rounded value after. A memo counts from its conversion.
with moment as (
  select orders.uuid, orders.merchant_uuid, orders.payment_status, orders.total, orders.memo_id,
    coalesce((select min(created_on) from event
      where order_uuid = orders.uuid and event_type = 'order.memo.convert'),
      orders.ordered_on) as began,
    coalesce((select max(created_on) from event
      where order_uuid = orders.uuid and event_type = 'order.pay'), orders.updated_on) as paid
  from orders where order_type = 'invoice'
), cancelled as (
  select moment.uuid, cancellation.created_on, sum(cancellation.quantity * line.price) as value,
    moment.memo_id is not null and cancellation.created_on < moment.began as on_memo
  from moment join cancellation on cancellation.order_uuid = moment.uuid
  join order_line as line on line.uuid = cancellation.line_uuid
  group by 1, 2, 4
), started as (
  select moment.*, total
    - coalesce((select sum(value) from cancelled where uuid = moment.uuid and on_memo), 0)
    - coalesce((select sum(returned_quantity * price) from order_line
      where order_uuid = moment.uuid), 0) as value
  from moment
), credited as (
  select uuid, merchant_uuid, paid, cancelled.created_on,
    round(started.value - sum(cancelled.value) over steps, 2)
      - round(started.value - sum(cancelled.value) over steps + cancelled.value, 2) as amount
  from started join cancelled using (uuid) where not on_memo
  window steps as (partition by uuid order by cancelled.created_on)
), entry as (
  select uuid, merchant_uuid, 'order' as kind, round(value, 2) as amount, began as created_on
  from started
  union all
  select uuid, merchant_uuid, 'credit', amount, created_on from credited where amount <> 0
  union all
  select uuid, merchant_uuid, 'payment', - owed, paid
  from started cross join lateral (
    select round(value, 2) + coalesce((select sum(amount) from credited
      where uuid = started.uuid and created_on <= started.paid), 0) as owed) as due
  where payment_status = 'paid' and owed > 0
)
insert into ledger_entry (order_uuid, number, uuid, merchant_uuid, kind, amount, dated_on, made_by,
  reason, created_on)
select uuid, row_number() over (partition by uuid order by kind <> 'order', created_on, kind) - 1,
  gen_random_uuid(), merchant_uuid, kind, amount, (created_on at time zone 'UTC')::date, 'migration',
  'from before the ledger was kept', created_on
from entry;

-- The last line of defence: what is written stays.
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'an entry of the ledger is never changed or deleted; write another entry';
end $$;
create trigger ledger_is_append_only before update or delete on ledger_entry
  for each row execute function refuse_ledger_change();
