-- The market's clock. Every rule about time asks these functions and not PostgreSQL's own, so that
-- the clock of a sandbox can be moved in one place. In src/ it is read by src/database/clock.ts.

-- How far the market's clock is ahead of PostgreSQL's. A moved clock is another body of this
-- function: every session follows at once, and there is no table to read. It is stable and not
-- immutable, because PostgreSQL tracks an inlined function in its stored plans but not a folded one.
create function market_offset() returns interval language sql stable parallel safe
  return interval '0';

-- The time at which the transaction began, as now() is. It can be used in an index condition.
create function market_now() returns timestamptz language sql stable parallel safe
  return now() + market_offset();

-- The time at this moment, as clock_timestamp() is: for what is decided after waiting for a lock.
create function market_clock() returns timestamptz language sql volatile parallel safe
  return clock_timestamp() + market_offset();

create or replace function life_state(gem gem) returns text language sql volatile as $$
  select case
    when gem.state = 'available' and gem.hold_expires_on > market_clock() then 'held'
    else gem.state
  end
$$;

-- The defaults of all columns so far. Webhooks go to receivers whose time cannot be moved, so the
-- times of their deliveries stay real.
do $$
declare
  found record;
begin
  for found in
    select attrelid::regclass as relation, attname as name, pg_get_expr(adbin, adrelid) as expression
    from pg_attrdef
    join pg_attribute on attrelid = adrelid and attnum = adnum
    join pg_class on pg_class.oid = adrelid
    where relnamespace = current_schema()::regnamespace
      and pg_get_expr(adbin, adrelid) in ('now()', 'clock_timestamp()')
      and relname not in ('webhook_delivery', 'webhook_attempt')
  loop
    execute format('alter table %s alter column %I set default %s', found.relation, found.name,
      case found.expression when 'now()' then 'market_now()' else 'market_clock()' end);
  end loop;
end $$;
