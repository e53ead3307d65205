-- What the servers of one market share beside its business: remembered responses, counts, and the
-- address.

-- The first response to a request with an Idempotency-Key, for 24 hours. It is written in the
-- transaction of the work itself, so that neither exists without the other.
create table idempotency_key (
  -- The merchant's uuid; the token's uuid for the operator.
  owner uuid not null,
  -- SHA-256 of the key. The key itself decrypts the body, so it is not stored.
  key_hash bytea not null,
  -- SHA-256 of method, path and body: the same key with another request is refused.
  fingerprint bytea not null,
  status integer not null,
  -- The response, encrypted with the caller's key: it can contain a new token, which is shown once.
  body bytea not null,
  created_on timestamptz not null default now(),
  primary key (owner, key_hash)
);
-- Serves the removal of responses older than a day.
create index idempotency_key_age on idempotency_key (created_on);

-- How many requests each token made in a minute, by node. The nodes exchange their counts here
-- once a second, so that a rate limit holds over all of them. Unlogged: a crash may lose a minute.
create unlogged table rate_count (
  token_uuid uuid not null,
  -- Minutes since 1970.
  minute integer not null,
  node uuid not null,
  count integer not null,
  primary key (minute, token_uuid, node)
);

-- How many searches each node served in a minute, for the operator's overview of all nodes.
-- Unlogged: a crash may lose a quarter of an hour.
create unlogged table search_count (
  -- Minutes since 1970.
  minute integer not null,
  node uuid not null,
  count integer not null,
  primary key (minute, node)
);

-- The public address of the market, as its last start set it. A command that runs beside the
-- server, and may have other settings, prints links with it.
create table served_address (
  only_row boolean primary key default true check (only_row),
  url text not null
);
