-- The numbers of events, and the deliveries to webhooks, are made after the commit, too: events of one
-- merchant no longer wait for each other's commit (docs/decisions/0019-numbers-after-commit.md).
alter table event drop constraint merchant_counts;
alter table event add constraint only_merchants_count
  check (merchant_uuid is not null or sequence is null);

-- The order in which events were recorded. Events of one order, quote or hold are recorded while its
-- row is locked, so theirs is the order of their commits. Null: recorded before this migration.
create sequence event_queued;
alter table event add column queued bigint;
alter table event alter column queued set default nextval('event_queued');
alter sequence event_queued owned by event.queued;

drop index event_not_numbered;
create index event_not_numbered on event (queued nulls first, created_on, uuid)
  where market_sequence is null;

-- Gives numbers to at most so many committed events, oldest first, and returns how many: the number
-- that all events share and, for a merchant's event, the merchant's own. Then the merchant's webhooks
-- have something to deliver. Called by itself it is one transaction, and keeps no lock but for its own
-- commit.
create function number_events(most integer) returns integer language plpgsql as $$
declare
  last_before bigint;
  numbered integer;
begin
  if not exists (select from event where market_sequence is null) then
    return 0;
  end if;
  select last into last_before from market_event_clock for update;
  with next as materialized (
    select uuid, merchant_uuid, order_uuid, event_type, sequence,
      row_number() over (order by queued nulls first, created_on, uuid) as place
    from (
      select * from event where market_sequence is null
      order by queued nulls first, created_on, uuid limit most
    ) as waiting
  ), counted as (
    select merchant_uuid, count(*) as events from next
    where merchant_uuid is not null and sequence is null
    group by merchant_uuid
  ), clock as (
    insert into event_clock as clock (merchant_uuid, last)
    select merchant_uuid, events from counted order by merchant_uuid
    on conflict (merchant_uuid) do update set last = clock.last + excluded.last
    returning merchant_uuid, last
  ), own as materialized (
    select next.uuid, next.merchant_uuid, next.order_uuid, next.event_type,
      clock.last - counted.events
        + row_number() over (partition by next.merchant_uuid order by place) as sequence
    from next join counted using (merchant_uuid) join clock using (merchant_uuid)
    where next.sequence is null
  ), written as (
    update event set market_sequence = last_before + next.place,
      sequence = coalesce(event.sequence, own.sequence)
    from next left join own using (uuid)
    where event.uuid = next.uuid
  ), outbox as (
    insert into webhook_delivery (endpoint_uuid, event_uuid, order_uuid, sequence)
    select endpoint.uuid, own.uuid, own.order_uuid, own.sequence
    from own join webhook_endpoint as endpoint using (merchant_uuid)
    where endpoint.disabled_on is null
      and (endpoint.event_types is null or own.event_type = any(endpoint.event_types))
    -- An endpoint that is removed meanwhile is left out.
    for key share of endpoint
    returning 1
  ), told as (
    select pg_notify('pavilion_event', '') from outbox limit 1
  )
  -- Reading `told` is what sends the notification.
  update market_event_clock set last = last + (select count(*) from next)
  where (select count(*) from told) >= 0
  returning last - last_before into numbered;
  return numbered;
end $$;
