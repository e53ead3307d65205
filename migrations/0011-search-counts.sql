-- How many searches each process answered in a minute, for the operator's overview: the market is
-- searched on all nodes. Unlogged: a crash may forget a quarter of an hour.
create unlogged table search_count (
  -- Minutes since 1970.
  minute integer not null,
  node uuid not null,
  count integer not null,
  primary key (minute, node)
);
