-- The operator's figures by day: sales and their cost, payments, searches, imports. They are summed
-- when they are read, except the searches, which are nowhere else.

-- What the supplier asks for one unit, in US dollars. supplier_cost is its price as it names it,
-- which for melee is that of a carat.
alter table order_line add column unit_cost numeric(14, 4);
alter table order_line disable trigger order_steps;
update order_line set unit_cost = case when product ->> 'product_type' = 'melee'
  then round(supplier_cost * (product ->> 'weight')::numeric, 4) else supplier_cost end
where supplier_cost is not null;
alter table order_line enable trigger order_steps;

-- Serves the goods that were sold, and the payments, of a range of days.
create index ledger_by_day on ledger_entry (dated_on) include (order_uuid, kind, amount)
  where kind in ('order', 'payment');
-- Serves the value and cost of what was sold: all columns that the sums need are in the index, so
-- that the copies of the products are not read.
create index order_line_sums on order_line (order_uuid)
  include (price, unit_cost, quantity, cancelled_quantity, returned_quantity)
  where product_type <> 'cert';
-- Serves leaving out the orders of test merchants, which are few.
create index orders_of_tests on orders (uuid) where debug;
-- Serves the count of orders that wait to be shipped, which the overview asks for again and again.
create index orders_to_ship on orders (uuid) where open_quantity > 0;
-- Serves what came back in a range of days.
create index order_return_received on order_return (updated_on) where status = 'received';
-- Serves the runs of all sources in a range of days.
create index feed_source_run_by_time on feed_source_run (started_on) include (outcome);

-- Searches by the day of the market, and how many of them found nothing. A process counts in memory
-- and adds to it once a minute: see src/http/console/search-days.ts.
create table search_day (
  day date not null,
  kind text not null check (kind in ('diamond', 'gemstone', 'curated')),
  searches bigint not null check (searches >= 0),
  empty bigint not null,
  -- Serves reading a range of days.
  primary key (day, kind),
  constraint empty_searches_are_searches check (empty between 0 and searches)
);
