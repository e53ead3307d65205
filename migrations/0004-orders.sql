-- Orders, their lines, what happened to them afterwards, and the events that tell of it. What was
-- agreed at placement (merchant, addresses, margins, products, prices) is copied in and is never
-- rewritten; only the columns that say how far the order has come are.

create table orders (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  -- The caller's own number, or one that we made; `external_order_id` in v3.
  order_id text not null check (length(order_id) between 1 and 200),
  order_reference text not null default '' check (length(order_reference) <= 200),
  order_type text not null check (order_type in ('invoice', 'memo')),
  order_channel text not null check (order_channel in ('api', 'console', 'operator')),
  order_status text check (order_status in ('cancelled', 'returned', 'closed')),
  payment_status text check (payment_status in ('paid')),
  fulfillment_status text check (fulfillment_status in ('partial', 'fulfilled')),
  shipping_status text check (shipping_status in ('partially_shipped', 'shipped')),
  notes text not null default '' check (length(notes) <= 2000),
  -- Placed in the sandbox, or by a merchant that the operator marked as a test merchant.
  debug boolean not null default false,
  -- `M-000123`. It stays when the memo becomes an invoice.
  memo_id text,
  memo_due_date timestamptz,
  -- An order is created at the moment when it is ordered: v3's created_on is this, too.
  ordered_on timestamptz not null,
  updated_on timestamptz not null,
  -- Price x quantity of all lines in US dollars, as agreed: cancelling leaves it as it is.
  total numeric(18, 4) not null check (total >= 0),
  -- Units that were not shipped, cancelled or returned yet, over all lines.
  open_quantity integer not null check (open_quantity >= 0),

  -- Copies made at placement, in the shape of the interface.
  merchant jsonb not null,
  merchant_legal_dba text collate "C" not null,
  billing_address jsonb not null,
  shipping_address jsonb not null,
  margins jsonb not null,

  -- What a text search finds the order by, lower case and without positions: ids, names, SKUs,
  -- certificates and weights for everyone; `operator_words` has the vendor codes on top.
  words tsvector not null,
  operator_words tsvector not null,

  constraint memos_have_a_number check (order_type = 'invoice' or memo_id is not null),
  constraint invoices_are_not_due_back check (order_type = 'memo' or memo_due_date is null)
);
-- An order id names one order of a merchant; serves the check at placement, too.
create unique index orders_order_id on orders (merchant_uuid, order_id);
create unique index orders_order_reference on orders (merchant_uuid, order_reference)
  where order_reference <> '';
create unique index orders_memo_id on orders (memo_id) where memo_id is not null;
-- Serve the lists by time, of one merchant and of all. The included columns let a filtered page,
-- and its exact count, be read from the index alone.
create index orders_of_merchant on orders (merchant_uuid, ordered_on, uuid)
  include (order_type, payment_status, fulfillment_status, debug, open_quantity);
create index orders_by_time on orders (ordered_on, uuid)
  include (order_type, payment_status, fulfillment_status, debug, open_quantity, merchant_uuid);
-- Serve the lists by total, and the operator's by merchant.
create index orders_of_merchant_by_total on orders (merchant_uuid, total, uuid);
create index orders_by_total on orders (total, uuid);
create index orders_by_merchant_name on orders (merchant_legal_dba, uuid);
-- Serves text search. A merchant's own words are part of the operator's, so one index does for
-- both. Trigrams over the same words took 1.6 to 4 times as long (bench/orders-lists.ts).
create index orders_words on orders using gin (operator_words);
-- Serves `pavilion order list --overdue`.
create index orders_memo_due on orders (memo_due_date) where memo_due_date is not null;

-- Gaps, left by orders that were refused after all, do no harm.
create sequence memo_number;

create table order_line (
  uuid uuid primary key,
  order_uuid uuid not null references orders,
  position integer not null check (position >= 0),
  name text not null,
  description text not null default '',
  -- Empty for a certificate.
  sku text not null,
  product_id text,
  product_type text not null check (product_type in ('gem', 'jewelry', 'watch', 'cert')),
  -- The product as it was at placement, {} for a certificate.
  product jsonb not null default '{}',
  -- The supplier's price at placement in US dollars: only the operator sees it.
  supplier_cost numeric(12, 2),
  properties jsonb,
  vendor text,
  quantity integer not null check (quantity >= 1),
  -- In US dollars; one melee stone has four decimals.
  price numeric(14, 4) not null check (price >= 0),
  fulfilled_quantity integer not null default 0 check (fulfilled_quantity >= 0),
  cancelled_quantity integer not null default 0 check (cancelled_quantity >= 0),
  returned_quantity integer not null default 0 check (returned_quantity >= 0),
  open_quantity integer not null check (open_quantity >= 0),

  -- How the units came out of stock, so that they go back the same way and no other: nothing was
  -- taken for a backorder, which found the product in the state taken_from.
  stock_kind text check (stock_kind in ('gem', 'variant')),
  -- The row in the table of its kind: a gem's number, a variant's uuid.
  stock_id text,
  taken_quantity integer not null default 0 check (taken_quantity >= 0),
  taken_from text,

  created_on timestamptz not null,
  updated_on timestamptz not null,
  -- Serves the lines of an order.
  constraint order_line_position unique (order_uuid, position),
  -- The last line of defence behind the order's lock: no unit is shipped, cancelled or returned
  -- twice. Units may be returned before they were shipped, hence the two bounds.
  constraint units_add_up check (
    open_quantity + cancelled_quantity + fulfilled_quantity <= quantity
    and open_quantity + cancelled_quantity + returned_quantity <= quantity
    and open_quantity + cancelled_quantity + fulfilled_quantity + returned_quantity >= quantity),
  constraint taken_units_are_of_the_line check (taken_quantity <= quantity)
);
-- Serves the question which orders a stone is in.
create index order_line_sku on order_line (sku) where sku <> '';

create table fulfillment (
  uuid uuid primary key,
  order_uuid uuid not null references orders,
  status text not null default 'success',
  tracking_company text not null,
  tracking_number text not null,
  tracking_url text not null default '',
  created_on timestamptz not null,
  updated_on timestamptz not null
);
-- Serves the fulfillments of an order, oldest first.
create index fulfillment_of_order on fulfillment (order_uuid, created_on, uuid);

create table fulfillment_line (
  fulfillment_uuid uuid not null references fulfillment,
  line_uuid uuid not null references order_line,
  quantity integer not null check (quantity >= 1),
  primary key (fulfillment_uuid, line_uuid)
);

create table cancellation (
  uuid uuid primary key,
  order_uuid uuid not null references orders,
  line_uuid uuid not null references order_line,
  quantity integer not null check (quantity >= 1),
  reason text not null default '',
  created_on timestamptz not null
);
-- Serves the cancellations of an order, oldest first.
create index cancellation_of_order on cancellation (order_uuid, created_on, uuid);

-- What happened, for those who poll and for webhooks. The sequence counts per merchant and is
-- drawn from event_clock under its row lock, which is kept until the commit: a reader never sees
-- a number before a lower one, and there are no gaps.
create table event_clock (
  merchant_uuid uuid primary key references merchant,
  last bigint not null
);

create table event (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  sequence bigint not null,
  -- Null when the event is not about an order.
  order_uuid uuid references orders,
  event_type text not null,
  event_data jsonb not null,
  created_on timestamptz not null default clock_timestamp(),
  -- Serves the events of a merchant after a number.
  constraint event_sequence unique (merchant_uuid, sequence)
);
-- Serves the events of an order.
create index event_of_order on event (order_uuid, sequence) where order_uuid is not null;
