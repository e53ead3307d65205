-- Orders, their lines, what happens to them, and the events and webhooks that report it. What was
-- agreed at placement (merchant, addresses, margins, products, prices) is copied and never changed;
-- only the columns that say how far the order has come are updated.

create table orders (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  -- The caller's own number, or a generated one; `external_order_id` in v3.
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
  -- `M-000123`; kept when the memo becomes an invoice.
  memo_id text,
  memo_due_date timestamptz,
  -- An order is created when it is ordered: v3's created_on is this, too.
  ordered_on timestamptz not null,
  updated_on timestamptz not null,
  -- Price x quantity of all lines in US dollars, as agreed: cancelling does not change it.
  total numeric(18, 4) not null check (total >= 0),
  -- Units that were not shipped, cancelled or returned yet, over all lines.
  open_quantity integer not null check (open_quantity >= 0),

  -- Copies made at placement, in the shape of the interface.
  merchant jsonb not null,
  merchant_legal_dba text collate "C" not null,
  billing_address jsonb not null,
  shipping_address jsonb not null,
  margins jsonb not null,

  -- What a text search finds the order by, in lower case and without positions: ids, names, SKUs,
  -- certificates and weights; `operator_words` has the vendor codes in addition.
  words tsvector not null,
  operator_words tsvector not null,

  constraint memos_have_a_number check (order_type = 'invoice' or memo_id is not null),
  constraint invoices_are_not_due_back check (order_type = 'memo' or memo_due_date is null)
);
-- A merchant's order id and reference name one order; serve the search for duplicates, too.
create unique index orders_order_id on orders (merchant_uuid, order_id);
create unique index orders_order_reference on orders (merchant_uuid, order_reference)
  where order_reference <> '';
-- A memo's number names one order.
create unique index orders_memo_id on orders (memo_id) where memo_id is not null;
-- Serve the lists by time, of one merchant and of all. With the included columns, a filtered page
-- and its exact count are read from the index alone.
create index orders_of_merchant on orders (merchant_uuid, ordered_on, uuid)
  include (order_type, payment_status, fulfillment_status, debug, open_quantity);
create index orders_by_time on orders (ordered_on, uuid)
  include (order_type, payment_status, fulfillment_status, debug, open_quantity, merchant_uuid);
-- Serve the lists by total, and the operator's by merchant.
create index orders_of_merchant_by_total on orders (merchant_uuid, total, uuid);
create index orders_by_total on orders (total, uuid);
create index orders_by_merchant_name on orders (merchant_legal_dba, uuid);
-- Serves text search. The operator's words include the merchant's, so one index serves both.
-- Trigrams over the same words took 1.6 to 4 times as long (bench/orders-lists.ts).
create index orders_words on orders using gin (operator_words);
-- Serves `pavilion order list --overdue`.
create index orders_memo_due on orders (memo_due_date) where memo_due_date is not null;

-- Numbers the memos. An order that fails after it took a number leaves a gap, which does no harm.
create sequence memo_number;

-- The lines of an order: products, and the certificates that shipped with them.
create table order_line (
  uuid uuid primary key,
  order_uuid uuid not null references orders,
  position integer not null check (position >= 0),
  name text not null,
  description text not null default '',
  -- Empty when the line is a certificate.
  sku text not null,
  product_id text,
  product_type text not null check (product_type in ('gem', 'jewelry', 'watch', 'cert')),
  -- The product as it was at placement; {} when the line is a certificate.
  product jsonb not null default '{}',
  -- The supplier's price at placement in US dollars; only the operator sees it.
  supplier_cost numeric(12, 2),
  properties jsonb,
  vendor text,
  quantity integer not null check (quantity >= 1),
  -- In US dollars; the price of one melee stone has four decimals.
  price numeric(14, 4) not null check (price >= 0),
  fulfilled_quantity integer not null default 0 check (fulfilled_quantity >= 0),
  cancelled_quantity integer not null default 0 check (cancelled_quantity >= 0),
  returned_quantity integer not null default 0 check (returned_quantity >= 0),
  open_quantity integer not null check (open_quantity >= 0),

  -- How the units were taken out of stock, so that they go back to the same state. A backorder
  -- took nothing; taken_from is the state in which it found the product.
  stock_kind text check (stock_kind in ('gem', 'variant')),
  -- The row in the table of its kind: a gem's id, a variant's uuid.
  stock_id text,
  taken_quantity integer not null default 0 check (taken_quantity >= 0),
  taken_from text,

  created_on timestamptz not null,
  updated_on timestamptz not null,
  -- Serves the lines of an order.
  constraint order_line_position unique (order_uuid, position),
  -- Holds even if the order's lock fails: no unit is shipped, cancelled or returned twice. Units
  -- can be returned before they were shipped, hence the two upper bounds.
  constraint units_add_up check (
    open_quantity + cancelled_quantity + fulfilled_quantity <= quantity
    and open_quantity + cancelled_quantity + returned_quantity <= quantity
    and open_quantity + cancelled_quantity + fulfilled_quantity + returned_quantity >= quantity),
  constraint taken_units_are_of_the_line check (taken_quantity <= quantity)
);
-- Serves finding the orders of a stone.
create index order_line_sku on order_line (sku) where sku <> '';

-- Shipments of an order.
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

-- How many units of a line a shipment contains.
create table fulfillment_line (
  fulfillment_uuid uuid not null references fulfillment,
  line_uuid uuid not null references order_line,
  quantity integer not null check (quantity >= 1),
  primary key (fulfillment_uuid, line_uuid)
);

-- Units of a line that were cancelled before they shipped.
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

-- What happened, for merchants that poll and for webhooks. The sequence of a merchant is counted by
-- event_clock, whose row stays locked until the commit: a reader never sees a number before a lower
-- one, and there are no gaps.
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
  -- Serves reading a merchant's events after a number.
  constraint event_sequence unique (merchant_uuid, sequence)
);
-- Serves the events of an order.
create index event_of_order on event (order_uuid, sequence) where order_uuid is not null;

-- Where a merchant wants its events sent. A delivery is written in the transaction of its event, so
-- neither exists without the other.
create table webhook_endpoint (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  url text not null check (length(url) <= 2000),
  description text not null default '',
  -- Null: all types.
  event_types text[] check (cardinality(event_types) > 0),
  -- The key of the signature, which signing needs in clear text. After a rotation, deliveries are
  -- also signed with the earlier key until it expires.
  secret text not null,
  earlier_secret text,
  earlier_secret_until timestamptz,
  -- Set when the receiver returns 410 or the merchant switches the webhook off.
  disabled_on timestamptz,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  constraint earlier_secret_ends check ((earlier_secret is null) = (earlier_secret_until is null))
);
-- Serves the endpoint list of one merchant, and the endpoints that an event goes to.
create index webhook_endpoint_of_merchant on webhook_endpoint (merchant_uuid, created_on, uuid);

-- An event on its way to one endpoint.
create table webhook_delivery (
  uuid uuid primary key default gen_random_uuid(),
  endpoint_uuid uuid not null references webhook_endpoint on delete cascade,
  event_uuid uuid not null references event,
  -- Copied from the event: the deliveries of one order are sent in this sequence.
  order_uuid uuid,
  sequence bigint not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- When the next attempt is due. A node that claims a delivery moves this past its own deadline,
  -- so that the deliveries of a crashed node become due again by themselves.
  due_on timestamptz not null default clock_timestamp(),
  -- The growing waits between attempts count from here, for a day.
  started_on timestamptz not null default clock_timestamp(),
  created_on timestamptz not null default clock_timestamp(),
  delivered_on timestamptz,
  constraint one_delivery_per_endpoint unique (endpoint_uuid, event_uuid)
);
-- Serves the search for deliveries that are due.
create index webhook_delivery_due on webhook_delivery (due_on) where state = 'pending';
-- Serves the rule that an earlier event of the same order is delivered first.
create index webhook_delivery_turn on webhook_delivery (endpoint_uuid, order_uuid, sequence)
  where state = 'pending';
-- Serves the delivery log of an endpoint, newest first.
create index webhook_delivery_log on webhook_delivery (endpoint_uuid, created_on, uuid);
-- Serves the removal of old entries.
create index webhook_delivery_age on webhook_delivery (created_on) where state <> 'pending';

-- The attempts of a delivery.
create table webhook_attempt (
  delivery_uuid uuid not null references webhook_delivery on delete cascade,
  number integer not null,
  attempted_on timestamptz not null default clock_timestamp(),
  duration_ms integer not null,
  -- The receiver's status, or null with the reason why there was none.
  status integer,
  error text,
  primary key (delivery_uuid, number)
);
