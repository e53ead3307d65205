-- Quotes: prices that a merchant was promised until a time, and what it offers to pay instead.

create table quote (
  uuid uuid primary key,
  merchant_uuid uuid not null references merchant,
  -- A quote that is past its time is expired by the market's clock, which is not stored.
  status text not null check (status in ('open', 'requested', 'declined', 'ordered')),
  currency_code text not null check (currency_code ~ '^[A-Z]{3}$'),
  -- Units of the currency for one US dollar when the quote was made.
  exchange_rate numeric(18, 8) not null check (exchange_rate > 0),
  -- Whether its stones were held when it was made, and until when the first of them was.
  hold boolean not null,
  held_until timestamptz,
  -- Why the operator declined it.
  reason text not null default '' check (length(reason) <= 200),
  order_uuid uuid references orders,
  created_on timestamptz not null,
  updated_on timestamptz not null,
  expires_on timestamptz not null,
  constraint ordered_quotes_have_an_order check ((status = 'ordered') = (order_uuid is not null)),
  constraint held_quotes_have_an_end check (held_until is null or hold)
);
-- An order has the prices of one quote.
create unique index quote_of_order on quote (order_uuid) where order_uuid is not null;
-- Serve the lists, newest first, of one merchant and of all; the included columns decide the status.
create index quote_of_merchant on quote (merchant_uuid, created_on, uuid)
  include (status, expires_on);
create index quote_by_time on quote (created_on, uuid) include (status, expires_on, merchant_uuid);
-- Serves the count of a merchant's live quotes.
create index quote_live on quote (merchant_uuid, expires_on)
  include (status) where status in ('open', 'requested');
-- Serves the operator's list of what it has to answer, and of what can be ordered.
create index quote_live_by_status on quote (status, expires_on)
  where status in ('open', 'requested');

create table quote_line (
  quote_uuid uuid not null references quote on delete cascade,
  position integer not null check (position >= 0),
  sku text not null,
  quantity integer not null check (quantity >= 1),
  name text not null,
  description text not null,
  product_type text not null check (product_type in ('gem', 'jewelry', 'watch')),
  -- A stone of a parcel, whose price has four decimals.
  melee boolean not null,
  -- What one costs in an order, in US dollars.
  price numeric(14, 4) not null check (price >= 0),
  -- The same in the currency of the quote, and what it was when the quote was made.
  wholesale_price numeric(24, 4) not null check (wholesale_price >= 0),
  market_price numeric(24, 4) not null check (market_price >= 0),
  retail_price numeric(24, 4) not null check (retail_price >= 0),
  -- What the merchant offers for one, in the currency of the quote.
  offer_price numeric(24, 4) check (offer_price > 0),
  -- The prices in the copy of the product that an order keeps.
  terms jsonb not null,
  hold_uuid uuid,
  primary key (quote_uuid, position),
  constraint a_product_once_in_a_quote unique (quote_uuid, sku)
);
-- Serves finding the other quotes that share a hold.
create index quote_line_hold on quote_line (hold_uuid) where hold_uuid is not null;

-- The same steps as STEPS in src/orders/quotes/quote.ts; a test compares them. A violation is a bug.
create function guard_quote_status() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) in (
    ('requested', 'open'),
    ('requested', 'declined'),
    ('open', 'ordered')
  ) then
    return new;
  end if;
  raise exception 'quote %: % cannot become %', old.uuid, old.status, new.status
    using errcode = 'check_violation', constraint = 'quote_steps';
end $$;

create trigger quote_steps before update of status on quote for each row
  when (old.status is distinct from new.status) execute function guard_quote_status();
