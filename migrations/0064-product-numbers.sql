-- Versions of jewelry are given after the commit, as the numbers of the change log are
-- (docs/decisions/0019-numbers-after-commit.md): before, every writer of jewelry kept the row of
-- showroom_clock locked over its commit, and orders of rings shared one commit at a time.

-- Products that changed since versions were last given; null when only catalogues did.
create table product_queue (
  id bigint generated always as identity primary key,
  product_id uuid
);

-- Gives the next version to all products that changed, and returns the last version. Programs before
-- this migration lock the clock in the same way, and then the products.
create function number_products() returns bigint language plpgsql as $$
declare
  given bigint;
begin
  if not exists (select from product_queue) then
    return (select last from showroom_clock);
  end if;
  update showroom_clock set last = last + 1 returning last into given;
  with changed as (delete from product_queue returning product_id)
  insert into product_version (product_id, version)
  select product.id, given
  from product where id in (select product_id from changed)
  order by id
  on conflict (product_id) do update set version = excluded.version;
  return given;
end $$;

create or replace function number_log(
  most_changes integer, most_events integer, out more boolean, out last bigint)
language plpgsql as $$
begin
  perform follow_history();
  more := number_changes(most_changes) = most_changes;
  more := number_events(most_events) = most_events or more;
  perform number_products();
  -- A statement of its own sees what another process has numbered meanwhile.
  select clock.last into number_log.last from change_clock as clock;
end $$;
