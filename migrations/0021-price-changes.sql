-- What stones cost before: GET /api/v3/inventory/gems/{sku} shows it as price_history.

-- One row for each change of a stone's prices, with what they were before it. A new stone has none.
create table price_change (
  gem_id bigint not null references gem on delete cascade,
  -- Counts the changes of the stone, because several may happen at the same time.
  n integer not null,
  changed_on timestamptz not null default market_clock(),
  wholesale_price_before numeric(12, 2) not null,
  wholesale_price_us_before numeric(12, 2) not null,
  primary key (gem_id, n)
);

-- A trigger, so that no writer can forget it. The row of the stone is locked by its update, so the
-- changes of one stone are counted one after the other. The last hundred stay.
create function record_price_change() returns trigger language plpgsql as $$
declare
  changes integer;
begin
  select coalesce(max(n), 0) + 1 into changes from price_change where gem_id = old.id;
  insert into price_change (gem_id, n, wholesale_price_before, wholesale_price_us_before)
  values (old.id, changes, old.wholesale_price, old.wholesale_price_us);
  if changes > 100 then
    delete from price_change where gem_id = old.id and n <= changes - 100;
  end if;
  return null;
end $$;
create trigger gem_price_changes after update of wholesale_price, wholesale_price_us on gem
  for each row when ((old.wholesale_price, old.wholesale_price_us) is distinct from
    (new.wholesale_price, new.wholesale_price_us))
  execute function record_price_change();
