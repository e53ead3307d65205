-- How often each token called in a minute, by node: nodes tell each other here once a second, so
-- that a limit is one limit however many nodes serve. Unlogged: a crash may forget a minute.
create unlogged table rate_count (
  token_uuid uuid not null,
  -- Minutes since 1970.
  minute integer not null,
  node uuid not null,
  count integer not null,
  primary key (minute, token_uuid, node)
);
