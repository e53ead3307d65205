-- Documents of orders, and the settings that they print.

-- What the operator sets for the whole market, by its name: `seller.name`.
create table setting (
  name text primary key check (length(name) <= 100),
  -- Of a logo the SHA-256, in hexadecimal digits.
  value text not null check (length(value) between 1 and 4000),
  updated_on timestamptz not null default market_now()
);

-- A logo stays when the setting changes, because issued documents show it.
create table logo (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  picture bytea not null check (octet_length(picture) <= 262144),
  created_on timestamptz not null default market_now()
);

-- Counts invoices and credit notes, each by year. The transaction that issues a document keeps the row
-- locked until its commit and takes the number back when it fails: the numbers have no gaps.
create table document_counter (
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  last integer not null check (last >= 1),
  primary key (kind, year)
);

-- Numbers the packing slips. One that fails leaves a gap, which does no harm.
create sequence packing_slip_number;

create table document (
  uuid uuid primary key,
  order_uuid uuid not null references orders,
  kind text not null check (kind in ('invoice', 'packing_slip', 'memo', 'credit_note')),
  number text not null check (length(number) between 1 and 40),
  -- What the document says, as it was when it was issued.
  content jsonb not null,
  -- The page, drawn when it is first asked for.
  pdf bytea,
  created_on timestamptz not null,
  -- A number names one document.
  constraint document_numbers_are_unique unique (kind, number)
);
-- A PDF is compressed already.
alter table document alter column pdf set storage external;
-- Serves the documents of an order, oldest first.
create index document_of_order on document (order_uuid, created_on, uuid);
-- An order has one invoice, and a memo one memorandum.
create unique index one_invoice_per_order on document (order_uuid, kind)
  where kind in ('invoice', 'memo');

-- The last line of defence: what was issued stays. Only the page is added, once.
create function refuse_document_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.pdf is null and new.pdf is not null
    and (to_jsonb(old) - 'pdf') = (to_jsonb(new) - 'pdf') then
    return new;
  end if;
  raise exception 'an issued document is never changed or deleted';
end $$;
create trigger documents_are_final before update or delete on document
  for each row execute function refuse_document_change();
