-- Webhooks: where a merchant wants its events sent, and each delivery with its attempts. A
-- delivery is written in the transaction of its event, so neither exists without the other.

create table webhook_endpoint (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  url text not null check (length(url) <= 2000),
  description text not null default '',
  -- Null: all of them.
  event_types text[] check (cardinality(event_types) > 0),
  -- The key of the signature, needed in clear to sign. After a rotation the earlier one signs
  -- beside it until it ends.
  secret text not null,
  earlier_secret text,
  earlier_secret_until timestamptz,
  -- Set when the receiver answered 410 or the merchant switched it off.
  disabled_on timestamptz,
  created_on timestamptz not null default now(),
  updated_on timestamptz not null default now(),
  constraint earlier_secret_ends check ((earlier_secret is null) = (earlier_secret_until is null))
);
-- Serves the endpoint list of one merchant, and the endpoints that an event goes to.
create index webhook_endpoint_of_merchant on webhook_endpoint (merchant_uuid, created_on, uuid);

create table webhook_delivery (
  uuid uuid primary key default gen_random_uuid(),
  endpoint_uuid uuid not null references webhook_endpoint on delete cascade,
  event_uuid uuid not null references event,
  -- Copied from the event: deliveries of one order go out in this order.
  order_uuid uuid,
  sequence bigint not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- When the next attempt is due; a node that takes one puts it behind its own deadline, so a
  -- crashed node's deliveries fall due again by themselves.
  due_on timestamptz not null default clock_timestamp(),
  -- The growing waits count from here, for a day.
  started_on timestamptz not null default clock_timestamp(),
  created_on timestamptz not null default clock_timestamp(),
  delivered_on timestamptz,
  constraint one_delivery_per_endpoint unique (endpoint_uuid, event_uuid)
);
-- Serves the search for deliveries that are due.
create index webhook_delivery_due on webhook_delivery (due_on) where state = 'pending';
-- Serves the rule that an earlier event of the same order goes first.
create index webhook_delivery_turn on webhook_delivery (endpoint_uuid, order_uuid, sequence)
  where state = 'pending';
-- Serves the delivery log of an endpoint, newest first, and the removal of old entries.
create index webhook_delivery_log on webhook_delivery (endpoint_uuid, created_on, uuid);
create index webhook_delivery_age on webhook_delivery (created_on) where state <> 'pending';

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
