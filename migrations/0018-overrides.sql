-- The operator's hand: what is set by hand for a stone stands until it is taken back, whatever the
-- feed says.

alter table gem
  -- What the operator set, {field: value}. Null: nothing. An overridden column has the operator's
  -- value, and feed_values has what it would be without it: {column: the feed's value}.
  add column overrides jsonb,
  add column feed_values jsonb,
  -- The operator's own words about the stone.
  add column note text,
  add constraint overrides_keep_the_feeds_values check (
    (overrides is null) = (feed_values is null) and overrides <> '{}');

-- Stones that were disabled before this.
update gem set overrides = '{"enabled": false}', feed_values = '{}' where state = 'disabled';
update gem set is_manual = overrides is not null where is_manual <> (overrides is not null);
alter table gem add constraint stones_with_overrides_are_manual
  check (is_manual = (overrides is not null));

-- Serve the operator's search by the beginning of a supplier's stock number and of a certificate's
-- number. The second one replaces the index of the number as it is written.
create index gem_vendor_sku_search on gem (upper(vendor_sku) collate "C");
create index gem_cert_num_search on gem (letters_and_digits(cert_num) collate "C")
  where cert_num is not null;
drop index gem_certificate;
-- Serves the operator's list: a filtered page and its exact count are read from the index alone.
create index gem_list on gem (id) include (supplier_id, product_type, state, hold_expires_on);

-- What the operator did to a stone. Not deleted with it: an import that lists the stone again gives
-- it the same SKU.
create table gem_history (
  id bigint generated always as identity primary key,
  sku text not null,
  action text not null check (action in ('gem.set', 'gem.release', 'conflict.decide')),
  -- The operator's token; null on the command line.
  token_uuid uuid,
  actor text not null,
  -- {field: {from, to}}
  changes jsonb not null,
  changed_on timestamptz not null default market_clock()
);
-- Serves the history of a stone, newest first.
create index gem_history_of_stone on gem_history (sku, id);
-- Serves the holds in the history of a stone.
create index event_hold_sku on event ((event_data->>'sku')) where event_type like 'hold.%';

-- The same table as MOVES in src/gems/gem-life.ts. New: a stone that was disabled while it was sold
-- or on memo is disabled when its order ends.
create or replace function guard_gem_move() returns trigger language plpgsql as $$
declare
  came_from text := life_state(old);
  goes_to text := life_state(new);
begin
  if came_from = goes_to and came_from <> 'held' then
    -- The state stays, for example when the columns of an expired lease are cleared.
    new.mover := null;
    return new;
  end if;
  if (new.mover, came_from, goes_to) in (
    ('feed', 'available', 'gone'),
    ('feed', 'gone', 'available'),
    ('order', 'available', 'memo'),
    ('order', 'available', 'sold'),
    ('order', 'held', 'memo'),
    ('order', 'held', 'sold'),
    ('order', 'memo', 'available'),
    ('order', 'memo', 'disabled'),
    ('order', 'memo', 'gone'),
    ('order', 'memo', 'sold'),
    ('order', 'sold', 'available'),
    ('order', 'sold', 'disabled'),
    ('order', 'sold', 'gone'),
    ('order', 'gone', 'memo'),
    ('order', 'gone', 'sold'),
    ('operator', 'available', 'disabled'),
    ('operator', 'held', 'available'),
    ('operator', 'held', 'disabled'),
    ('operator', 'gone', 'disabled'),
    ('operator', 'disabled', 'available'),
    ('operator', 'disabled', 'gone'),
    ('hold', 'available', 'held'),
    ('hold', 'available', 'gone'),
    ('hold', 'held', 'available'),
    ('hold', 'held', 'gone'),
    ('hold', 'held', 'held')
  ) and (came_from <> 'held' or goes_to <> 'held'
    or old.hold_merchant_uuid = new.hold_merchant_uuid) then
    new.mover := null;
    return new;
  end if;
  raise exception 'gem %: % may not move it from % to %',
    old.sku, coalesce(new.mover, 'nobody'), came_from, goes_to
    using errcode = 'check_violation', constraint = 'gem_moves';
end $$;
